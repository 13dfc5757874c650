"""The picture of a mesh from above, held against a plain loop over pixels and triangles."""

from dataclasses import replace

import numpy as np

from navviz.world.floors import FloorRaster, Mesh


def raster(z_m=(-1.0, 2.0), size=(20, 16)):
    return FloorRaster(-1.0, 3.0, 0.25, *size, z_m)


def mesh_of(*triangles, colours=None):
    vertices = np.array(triangles, np.float32).reshape(-1, 3)
    corners = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    return Mesh(vertices, corners, None if colours is None else np.array(colours, np.uint8))


def depth_by_hand(mesh, empty):
    """Highest point of the mesh over the middle of each pixel, within the heights."""
    depth = np.full((empty.height, empty.width), -np.inf)
    for corners in mesh.vertices[mesh.triangles].astype(float):
        edges = np.column_stack([corners[1, :2] - corners[0, :2], corners[2, :2] - corners[0, :2]])
        if abs(np.linalg.det(edges)) < 1e-9:
            continue
        for row in range(empty.height):
            for column in range(empty.width):
                x = empty.west_m + (column + 0.5) * empty.metres_per_pixel
                y = empty.north_m - (row + 0.5) * empty.metres_per_pixel
                b, c = np.linalg.solve(edges, np.array([x, y]) - corners[0, :2])
                z = (
                    corners[0, 2]
                    + b * (corners[1, 2] - corners[0, 2])
                    + c * (corners[2, 2] - corners[0, 2])
                )
                if min(b, c, 1 - b - c) >= 0 and empty.z_m[0] <= z <= empty.z_m[1]:
                    depth[row, column] = max(depth[row, column], z)
    return depth


def test_random_triangles_equal_a_loop_over_pixels():
    random = np.random.default_rng(3)
    for scale in (0.4, 2.0, 9.0):
        middles = random.uniform((-1, -1, -0.8), (4, 3, 1.8), (30, 1, 3))
        mesh = mesh_of(*(middles + random.normal(size=(30, 3, 3)) * (scale, scale, 0.2)))
        drawn = raster()
        drawn.draw(mesh)
        by_hand = depth_by_hand(mesh, raster())
        both = np.isfinite(by_hand) & np.isfinite(drawn.depth)
        assert (np.isfinite(by_hand) == np.isfinite(drawn.depth)).mean() > 0.995
        assert np.abs(by_hand[both] - drawn.depth[both]).max() < 0.02


def test_what_is_higher_covers_and_what_is_above_the_cut_does_not():
    ground = [(-1, -1, 0), (4, -1, 0), (-1, 3, 0)]
    table = [(0, 0, 0.7), (1, 0, 0.7), (0, 1, 0.7)]
    lamp = [(0, 0, 2.4), (1, 0, 2.4), (0, 1, 2.4)]
    colours = [(10, 10, 10)] * 3 + [(200, 0, 0)] * 3 + [(0, 0, 250)] * 3
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        mesh = mesh_of(ground, table, lamp, colours=colours)
        drawn = raster()
        drawn.draw(replace(mesh, triangles=mesh.triangles[order]))
        row, column = int((3.0 - 0.2) / 0.25), int((0.2 + 1.0) / 0.25)
        assert drawn.picture[row, column].tolist() == [200, 0, 0, 255]
        assert drawn.picture[15, 0].tolist() == [10, 10, 10, 255]
        assert drawn.picture[0, 19].tolist() == [0, 0, 0, 0]


def test_colours_mix_between_corners():
    mesh = mesh_of(
        [(-1, -1, 0), (4, -1, 0), (-1, 3, 0)], colours=[(0, 0, 0), (250, 0, 0), (0, 250, 0)]
    )
    drawn = raster()
    drawn.draw(mesh)
    assert drawn.picture[15, 0].tolist() == [6, 8, 0, 255]
    assert 110 < drawn.picture[15, 9, 0] < 130


def test_a_wall_that_the_cut_meets_is_a_dark_line():
    wall = [(0, 1, 0), (3, 1, 0), (3, 1, 2.5)], [(0, 1, 0), (3, 1, 2.5), (0, 1, 2.5)]
    drawn = raster(z_m=(-0.3, 1.8))
    drawn.draw(mesh_of(*wall))
    rows, columns = np.nonzero(drawn.picture[..., 3])
    assert set(rows.tolist()) == {int((3.0 - 1.0) / 0.25)}
    assert set(columns.tolist()) == set(range(4, 17))


def test_an_empty_floor_and_a_mesh_elsewhere_draw_nothing():
    drawn, done = raster(), []
    drawn.draw(
        mesh_of([(0, 0, 9), (1, 0, 9), (0, 1, 9)], [(90, 90, 0), (91, 90, 0), (90, 91, 0)]),
        done.append,
    )
    assert not drawn.picture.any()
    assert sum(done) == 2


def test_without_colours_furniture_is_darker_than_the_ground():
    drawn = raster()
    drawn.draw(mesh_of([(-1, -1, 0), (4, -1, 0), (-1, 3, 0)], [(0, 0, 1), (1, 0, 1), (0, 1, 1)]))
    assert drawn.picture[11, 4, 0] < drawn.picture[15, 0, 0]
