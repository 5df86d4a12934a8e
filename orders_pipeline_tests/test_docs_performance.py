"""The page about performance names what is there."""

from __future__ import annotations

import re

from bench.__main__ import AREAS
from bench.profiles.scenes import SCENES
from orders_pipeline_tests.support import PROJECT

PAGE = (PROJECT / "docs" / "performance.md").read_text(encoding="utf-8")


def test_every_command_of_the_page_is_one() -> None:
    """They take an hour, so that they run by hand: their names and arguments are looked at here."""
    targets = set(re.findall(r"^([a-z]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    found = re.findall(r"^make ([a-z]+)$", PAGE, re.MULTILINE)
    assert found == ["bench", "profiles"]
    assert set(found) <= targets
    arguments = {word for said in re.findall(r'ARGS="([^"]+)"', PAGE) for word in said.split()}
    assert arguments <= {"--quick", *AREAS, *(scene.name for scene in SCENES)}


def test_every_area_has_its_figure_in_the_page() -> None:
    """A figure whose meaning nobody wrote down is argued about."""
    rows = re.findall(r"^\|.*\| `(\w+)` \|$", PAGE, re.MULTILINE)
    assert set(rows) == set(AREAS)
