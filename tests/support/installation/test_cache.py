"""The cache folder: the newest files of a kind are kept, and what a killed process left goes."""

import os

from navviz.support.installation.files import keep_file


def test_the_oldest_files_and_old_drafts_make_room(tmp_path):
    folder = tmp_path / "kind"
    for k in range(3):
        keep_file(folder / f"{k}.npz", lambda file: file.write(b"x"), 2)
        os.utime(folder / f"{k}.npz", (k, k))
    for name, changed in (("killed.part", 0), ("writing.part", None), ("0.other", 0)):
        (folder / name).write_text("")
        if changed is not None:
            os.utime(folder / name, (changed, changed))
    keep_file(folder / "3.npz", lambda file: file.write(b"x"), 2)
    assert {path.name for path in folder.iterdir()} == {"2.npz", "3.npz", "writing.part", "0.other"}
