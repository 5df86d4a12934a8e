"""The repository itself: it installs the same anywhere, and names no machine."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from orders_pipeline_tests.support import PROJECT

PIN = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)==([0-9][0-9a-z.!+]*)")

# Written in two parts, so that this file does not name them either.
REGISTRIES = re.compile(
    "|".join(
        re.escape("".join(parts))
        for parts in (
            ("pypi.", "org"),
            ("python", "hosted.org"),
            ("npm", "js.org"),
            ("npm", "js.com"),
            ("yarn", "pkg.com"),
            ("deb.", "debian.org"),
            ("debian.", "org/debian"),
            ("conda.", "anaconda.org"),
        )
    )
)
# A home folder or the folder of a checkout, at the start of a path.
MACHINE_PATHS = re.compile(r"(?<![\w.~/-])/(?:home/\w|Users/\w|root/|work/|workspace/)")


def committed_files() -> Iterator[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout, so there is no list of committed files")
    yield from (PROJECT / name for name in listed.stdout.decode().split("\0") if name)


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for path in committed_files():
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            lines = enumerate(text.splitlines(), start=1)
            found += [f"{path.relative_to(PROJECT)}:{n}: {line[:120]}" for n, line in lines if pattern.search(line)]
    return found


@pytest.fixture(scope="module")
def pins() -> dict[str, str]:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    odd = [line for line in lines if not PIN.fullmatch(line)]
    assert not odd, odd
    names = [line.partition("==")[0] for line in lines]
    assert len(names) == len(set(names)), sorted({n for n in names if names.count(n) > 1})
    return dict(line.split("==") for line in lines)


@pytest.mark.parametrize("name", ["pypi." + "org", "registry.npm" + "js.org", "deb." + "debian.org"])
def test_a_registry_host_would_be_found(name: str) -> None:
    """A pattern that matches nothing would let every host through."""
    assert REGISTRIES.search(f"--index-url https://{name}/simple")


@pytest.mark.parametrize("path", ["'/home/" + "ann/mail'", "cd /wo" + "rk/main", "/ro" + "ot/.venv", "/Us" + "ers/ann"])
def test_a_path_of_one_machine_would_be_found(path: str) -> None:
    """A pattern that matches nothing would let every path through."""
    assert MACHINE_PATHS.search(path)


def test_no_committed_file_names_a_registry_host() -> None:
    """A host in a file overrules the mirror that a machine is configured for, and fails where it is not reachable."""
    assert lines_with(REGISTRIES) == []


def test_no_committed_file_names_a_path_of_one_machine() -> None:
    """What works only in the folder where it was written fails for everyone else."""
    assert lines_with(MACHINE_PATHS) == []


def test_every_pin_is_a_name_and_a_version_once(pins: dict[str, str]) -> None:
    """Markers, hashes or addresses would tie the list to one installer, one Python or one registry."""
    assert list(pins) == sorted(pins)


def test_every_distribution_that_pyproject_names_is_pinned(pins: dict[str, str]) -> None:
    """A dependency added without `make pins` differs from machine to machine."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    named = [*project["project"]["dependencies"], *project["build-system"]["requires"], "uv"]
    for extra in project["project"].get("optional-dependencies", {}).values():
        named += extra
    assert sorted({canonicalize_name(Requirement(text).name) for text in named} - set(pins)) == []


def test_every_distribution_that_those_pull_in_is_pinned(pins: dict[str, str]) -> None:
    """One free version below the pinned ones is enough to break a new machine on the day it is published."""
    assert sorted(_closure("orders-pipeline", frozenset({"dev"})) - {"orders-pipeline"} - set(pins)) == []


def _closure(root: str, extras: frozenset[str]) -> set[str]:
    """Names of all installed distributions that ``root[extras]`` requires, itself included."""
    seen: set[tuple[str, frozenset[str]]] = set()
    todo = [(root, extras)]
    while todo:
        name, wanted = todo.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        try:
            required = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        for requirement in map(Requirement, required):
            marker = requirement.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in wanted or {""}):
                todo.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    return {name for name, _ in seen}
