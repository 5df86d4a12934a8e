"""The data folder: private, local, writable, or refused in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from orders_pipeline.config import parse_config
from orders_pipeline.errors import StoreError
from orders_pipeline.store import folder as folder_module
from orders_pipeline.store.folder import DataFolder, file_system_of, make_folder
from orders_pipeline.store.store import open_store

MOUNTS = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
31 22 0:27 / {0}/net rw shared:9 - nfs4 server:/export rw
32 22 0:28 / {0}/with\040space rw - cifs //server/share rw
33 31 8:2 / {0}/net/local rw - xfs /dev/sdb1 rw
34 22 0:29 / {0}/over rw - nfs4 server:/a rw
35 34 8:3 / {0}/over rw - ext4 /dev/sdc1 rw
36 22 0:30 / {0}/far rw master:1 propagate_from:2 - fuse.sshfs host: rw
odd line
"""


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    path = tmp_path / "mountinfo"
    path.write_text(MOUNTS.replace("{0}", str(tmp_path)))
    return path


@pytest.mark.parametrize(
    ("where", "kind"),
    [
        ("here", "ext4"), ("net", "nfs4"), ("net/deep/not/there", "nfs4"), ("net/local/data", "xfs"),
        ("network", "ext4"), ("with space/x", "cifs"), ("over/x", "ext4"), ("far", "fuse.sshfs"),
    ],
)  # fmt: skip
def test_the_file_system_is_that_of_the_nearest_mount(tmp_path: Path, mounts: Path, where: str, kind: str) -> None:
    """A mount below, above, or with a name that begins alike is another file system."""
    for name in ("net/local", "with space", "over", "far"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    assert file_system_of(tmp_path / where, mounts) == kind


def test_a_symbolic_link_is_followed(tmp_path: Path, mounts: Path) -> None:
    """~/.orders is a link to the network share."""
    (tmp_path / "net").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "net")
    assert file_system_of(tmp_path / "link" / "data", mounts) == "nfs4"


def test_without_a_list_of_mounts_nothing_is_claimed(tmp_path: Path) -> None:
    """Elsewhere than on Linux there is no such list."""
    assert file_system_of(tmp_path, tmp_path / "none") == ""


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks do not hold there: two machines write one file."""
    monkeypatch.setattr(folder_module, "file_system_of", lambda path: "nfs4")
    with pytest.raises(StoreError, match=r"network file system \(nfs4\).*set ORDERS_PIPELINE_HOME"):
        DataFolder(tmp_path / "data").open()
    assert not (tmp_path / "data").exists()


def test_everything_is_private_whatever_the_umask(tmp_path: Path) -> None:
    """Folders in between were made with the ordinary permissions."""
    before = os.umask(0)
    try:
        data = DataFolder(tmp_path / "a" / "b").open()
        make_folder(data.archive / "mail" / "day=2026-05-11")
    finally:
        os.umask(before)
    made = [tmp_path / "a", *(tmp_path / "a").rglob("*")]
    assert {path.stat().st_mode & 0o777 for path in made} == {0o700}
    data.root.chmod(0o755)
    data.open()
    assert data.root.stat().st_mode & 0o777 == 0o700


def test_a_file_in_the_place_of_the_folder_is_told(tmp_path: Path) -> None:
    """A FileExistsError tells what exists, not what to do."""
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="is not a folder: set ORDERS_PIPELINE_HOME"):
        DataFolder(tmp_path / "file").open()
    with pytest.raises(StoreError, match=r"cannot use the data folder .*Not a directory"):
        DataFolder(tmp_path / "file" / "below").open()


@pytest.mark.parametrize("mode", [0o500, 0o000])
def test_a_folder_without_access_is_told(tmp_path: Path, mode: int) -> None:
    """The first run as another user ends in a line, not in a trace."""
    closed = tmp_path / "closed"
    closed.mkdir()
    closed.chmod(mode)
    code = """
import os, sys
from pathlib import Path
from orders_pipeline.errors import StoreError
from orders_pipeline.store.folder import DataFolder
if os.geteuid() == 0:
    os.setegid(65534), os.seteuid(65534)  # root may write everywhere
for path in (Path(sys.argv[1]), Path(sys.argv[1]) / "data" / "deep"):
    try:
        DataFolder(path).open()
    except StoreError as error:
        print(error)
"""
    for parent in [tmp_path, *tmp_path.parents]:
        if parent.stat().st_uid == os.geteuid() and parent.name.startswith(("pytest-", "test_")):
            parent.chmod(0o711)
    done = subprocess.run([sys.executable, "-c", code, str(closed)], capture_output=True, text=True, check=True)
    closed.chmod(0o700)
    lines = done.stdout.splitlines()
    assert len(lines) == 2, done.stdout
    assert all("check its owner and permissions" in line for line in lines)


def config(tmp_path: Path, zone: str):
    data = {"zone": zone, "start_date": "2026-05-01", "mailbox": [{"name": "a", "kind": "eml", "path": "x"}]}
    return parse_config(data, base=tmp_path, source="test")


def test_another_zone_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    """In another zone every day holds other mail; the digests would never chain again."""
    open_store(tmp_path / "d", config(tmp_path, "Europe/Berlin"))
    open_store(tmp_path / "d", config(tmp_path, "Europe/Berlin"))
    with pytest.raises(StoreError) as caught:
        open_store(tmp_path / "d", config(tmp_path, "Asia/Kolkata"))
    line = str(caught.value)
    assert "made for the zone Europe/Berlin, the configuration says Asia/Kolkata" in line
    assert 'Set zone = "Europe/Berlin" again' in line
    assert "ORDERS_PIPELINE_HOME to a new folder" in line
