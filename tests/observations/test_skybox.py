"""Views out of cubes and panoramas, held against a ray cast of the same room.

The cubes are made without the formula: image 3 looks along the third column of the pose's rotation
R, its right is R's first column, its top is minus the second, and turning right from it one meets
images 4, 1 and 2. Image 1 is the front: the lower edge of image 0 (up) and the upper edge of image 5
(down) meet it.
"""

from functools import cache

import numpy as np
import pytest
from PIL import Image, ImageDraw

from navviz.errors import InputError
from navviz.formats.matterport import read_scan
from navviz.observations.agent_pictures import (
    Camera,
    Panorama,
    Skybox,
    discretised_camera,
    face_places,
    faces_of_strip,
    perspective,
    project,
    rays,
)
from navviz.world.geometry import turn_deg

SIZE = 256
VIEW = (96, 72)
WALLS = ("east", "west", "north", "south", "ceiling", "floor")
# around the viewpoint, with distances that differ, so that no two walls can be taken for another
ROOM = np.array([[3.1, 4.3, 1.5], [-3.7, -2.9, -1.4]])
# image: (its middle, its right, its top) as (column of R, sign)
ANCHORS = {
    3: ((2, 1), (0, 1), (1, -1)), 4: ((0, 1), (2, -1), (1, -1)), 1: ((2, -1), (0, -1), (1, -1)),
    2: ((0, -1), (2, 1), (1, -1)), 0: ((1, -1), (0, -1), (2, 1)), 5: ((1, 1), (0, -1), (2, -1)),
}  # fmt: skip


@cache
def wall_pictures():
    """A picture for each wall: its name, a mark of another colour in each corner, a chequerboard."""
    pictures = []
    for k, name in enumerate(WALLS):
        ground = tuple(int(90 + 60 * ((k >> bit) & 1)) for bit in range(3))
        picture = Image.new("RGB", (256, 256), ground)
        draw = ImageDraw.Draw(picture)
        for field in range(0, 64, 2):
            x, y = 32 * ((field + field // 8) % 8), 32 * (field // 8)
            draw.rectangle((x, y, x + 31, y + 31), fill=(40, 40 + 20 * k, 200))
        for corner, colour in enumerate(("red", "lime", "blue", "white")):
            x, y = 216 * (corner % 2), 216 * (corner // 2)
            draw.rectangle((x, y, x + 39, y + 39), fill=colour)
        draw.text((64, 100), name, fill="yellow", font_size=60)
        pictures.append(np.asarray(picture))
    return np.stack(pictures)


def cast(directions):
    """Colours of the room's walls in directions ``(..., 3)``, the nearest texel each."""
    with np.errstate(divide="ignore"):
        reach = np.stack([ROOM[0] / directions, ROOM[1] / directions], axis=-1)
    reach[~(reach > 0)] = np.inf
    flat = reach.reshape(*directions.shape[:-1], 6)
    wall = flat.argmin(axis=-1)
    hit = directions * flat.min(axis=-1)[..., None]
    inside = (hit - ROOM[1]) / (ROOM[0] - ROOM[1])
    axis = wall // 2
    u = np.where(axis == 0, inside[..., 1], inside[..., 0])
    v = np.where(axis == 2, inside[..., 1], inside[..., 2])
    texel = np.clip((np.stack([1 - v, u]) * 256).astype(int), 0, 255)
    return wall_pictures()[wall, texel[0], texel[1]]


def cube_of(rotation):
    """Six pictures taken along the columns of a pose's rotation; no formula of ours in it."""
    at = (np.arange(SIZE) + 0.5) / SIZE * 2 - 1
    faces = np.empty((6, SIZE, SIZE, 3), np.uint8)
    for image, axes in ANCHORS.items():
        middle, right, top = (sign * rotation[:, column] for column, sign in axes)
        faces[image] = cast(middle + at[None, :, None] * right - at[:, None, None] * top)
    return faces


def mismatched(picture, truth):
    """Share of pixels that resemble no pixel of the truth within one pixel of their place.

    Both are of a scene with sharp edges, so a pixel may be a mix of its neighbours in the truth.
    """
    rows, columns = truth.shape[:2]
    wide = np.pad(truth.astype(int), ((1, 1), (1, 1), (0, 0)), mode="edge")
    near = np.stack(
        [wide[i : i + rows, j : j + columns] for i in range(3) for j in range(3)], axis=0
    )
    low, high = near.min(axis=0) - 8, near.max(axis=0) + 8
    inside = (picture >= low) & (picture <= high)
    return 1.0 - float(inside.all(axis=-1).mean())


def real_rotations(data_dir, count=20):
    """Rotations of viewpoints of several scans, spread over each."""
    found = []
    for path in sorted((data_dir / "mp3d" / "connectivity").glob("*_connectivity.json"))[:5]:
        rotations = list(read_scan(path).info.rotations.values())
        found += rotations[:: max(1, len(rotations) // (count // 5))][: count // 5]
    return [np.array(numbers).reshape(3, 3) for numbers in found]


@pytest.mark.data
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.nightly)])
def test_all_36_views_of_twenty_real_poses_equal_a_ray_cast(data_dir, every):
    rotations = real_rotations(data_dir)
    assert len(rotations) == 20
    cameras = [discretised_camera(view, *VIEW) for view in range(36)]
    truths = [cast(rays(camera)) for camera in cameras]
    for rotation in rotations[::every]:
        skybox = Skybox(cube_of(rotation), rotation)
        for camera, truth in zip(cameras, truths, strict=True):
            assert mismatched(perspective(skybox, camera), truth) < 0.01


def test_the_measure_notices_three_pixels():
    truth = cast(rays(discretised_camera(14, *VIEW)))
    pixel_deg = 60 / VIEW[1]
    shifted = cast(rays(Camera(60 + 3 * pixel_deg, 0, 60, *VIEW)))
    assert mismatched(shifted, truth) > 0.02


@pytest.mark.parametrize("image", [0, 1, 2, 3, 4, 5])
def test_each_image_lies_where_the_pose_says(image):
    """A cube of plain faces with marks in the corners, and a pose that is turned about all axes."""
    cos, sin = np.cos(0.7), np.sin(0.7)
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    rotation = turned @ np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    faces = np.zeros((6, 64, 64, 3), np.uint8)
    faces[..., 2] = np.arange(6)[:, None, None] * 40
    faces[:, :16, :16] = (255, 0, 0)
    faces[:, :16, -16:] = (0, 255, 0)
    middle, right, top = (sign * rotation[:, column] for column, sign in ANCHORS[image])
    skybox = Skybox(faces, rotation)
    assert skybox.colours(middle).tolist() == [0, 0, image * 40]
    assert skybox.colours(middle + 0.9 * top - 0.9 * right).tolist() == [255, 0, 0]
    assert skybox.colours(middle + 0.9 * top + 0.9 * right).tolist() == [0, 255, 0]


def test_a_look_meets_the_pixel_that_the_pose_says():
    """To a billionth of a face, for looks all around and poses turned in any way."""
    random = np.random.default_rng(7)
    looks = random.normal(size=(600, 3))
    rotation, _ = np.linalg.qr(random.normal(size=(3, 3)))
    rotation *= np.sign(np.linalg.det(rotation))
    found = face_places(-looks @ rotation)
    for look, image, s, t in zip(looks, *found, strict=True):
        middle, right, top = (sign * rotation[:, column] for column, sign in ANCHORS[int(image)])
        ahead = look @ middle
        assert ahead > 0
        assert abs(s - (look @ right / ahead + 1) / 2) < 1e-9
        assert abs(t - (1 - look @ top / ahead) / 2) < 1e-9


def test_turning_right_from_image_3_meets_4_1_2():
    upright = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    faces = np.zeros((6, 8, 8, 3), np.uint8)
    faces[:] = np.arange(6, dtype=np.uint8)[:, None, None, None]
    looks = [Camera(heading, 0, 10, 3, 3) for heading in (0, 90, 180, 270)]
    middles = [perspective(Skybox(faces, upright), look)[1, 1, 0] for look in looks]
    assert middles == [3, 4, 1, 2]


def test_a_panorama_shows_what_a_ray_cast_shows():
    height, heading_deg = 512, 130.0
    turn = np.radians((np.arange(2 * height) + 0.5) / (2 * height) * 360 - 180 + heading_deg)
    rise = np.radians(90 - (np.arange(height) + 0.5) / height * 180)[:, None]
    directions = np.stack(
        [np.sin(turn) * np.cos(rise), np.cos(turn) * np.cos(rise), np.sin(rise) + 0 * turn], -1
    )
    panorama = Panorama(cast(directions), heading_deg)
    for view in range(36):
        camera = discretised_camera(view, *VIEW)
        assert mismatched(perspective(panorama, camera), cast(rays(camera))) < 0.01


@pytest.mark.parametrize("camera", [Camera(310, -30), Camera(20, 30, 75, 800, 600), Camera(180)])
def test_projection_is_the_inverse_of_the_rays(camera):
    directions = rays(camera)
    rows, columns = np.mgrid[0 : camera.height : 97, 0 : camera.width : 83]
    found = project(camera, directions[rows, columns].reshape(-1, 3) * 4.2)
    truth = np.column_stack([columns.ravel() + 0.5, rows.ravel() + 0.5])
    assert np.allclose(found, truth, atol=1e-6)


def test_what_is_behind_has_no_place_in_a_view():
    ahead, behind = project(Camera(90), np.array([[2.0, 0, 0], [-2.0, 0, 0]]))
    assert ahead.tolist() == [320, 240]
    assert np.isnan(behind).all()


def test_a_neighbour_lies_right_of_the_middle_where_it_is_to_the_right():
    camera = discretised_camera(12)
    for heading in (-30.0, -5.0, 5.0, 30.0):
        at = np.radians(heading)
        column = project(camera, np.array([[np.sin(at), np.cos(at), -0.2]]))[0, 0]
        assert (column - 320) * turn_deg(0, heading) > 0


def test_a_strip_of_faces_is_cut_in_order():
    strip = np.repeat(np.arange(6, dtype=np.uint8), 4)[None, :, None] * np.ones((4, 1, 3), np.uint8)
    assert faces_of_strip(strip)[:, 0, 0, 0].tolist() == [0, 1, 2, 3, 4, 5]
    with pytest.raises(InputError, match=r"VP_skybox_small\.jpg: is 20 x 4 pixels"):
        faces_of_strip(strip[:, :20], "VP_skybox_small.jpg")
