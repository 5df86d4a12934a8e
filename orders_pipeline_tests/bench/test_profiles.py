"""Profiles as pictures: what is left of the samples, and what is drawn."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.profiles.icicle import WIDTH, icicle
from bench.profiles.scenes import SCENES
from bench.profiles.stacks import (
    Node,
    below,
    depth,
    frames_of,
    of_main_thread,
    own_times,
    read_samples,
    tree,
    without_small,
)
from orders_pipeline_tests.support import PROJECT

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 150_000
NAMES = st.sampled_from(
    ["parse_email (orders_pipeline/mail/mime.py)", "read (orders_pipeline/extract/parser.py)", "f (numpy/core.py)"]
    + [f"call_{n} (orders_pipeline/stages/day.py)" for n in range(4)]
)


def labels(stack: str) -> list[str]:
    return [frame.label for frame in frames_of(stack.split(";"))]


def test_glue_and_the_import_system_are_left_out() -> None:
    """Four of five frames say nothing: with them a picture is too deep to be read."""
    found = labels(
        "_run_code (<frozen runpy>);<module> (bench/profiles/inside.py);_find_and_load (<frozen importlib._bootstrap>);"
        "<module> (orders_pipeline/defs/launch.py);_load (<frozen importlib._bootstrap>);"
        "<module> (dagster/__init__.py);<module> (dagster/_core/x.py);inner (contextlib.py);write (pyarrow/core.py)"
    )
    assert found == ["import defs.launch", "import dagster", "pyarrow: write"]


def test_neighbours_of_a_library_are_one_and_our_own_functions_stay_apart() -> None:
    """Sixty frames of Dagster lie between its call and our step."""
    found = labels(
        "run (dagster/a.py);go (dagster/b.py);step (orders_pipeline/defs/days.py);"
        "day (orders_pipeline/stages/day.py);day.<locals>.<genexpr> (orders_pipeline/stages/day.py);go (dagster/b.py)"
    )
    assert found == ["dagster: run", "days: step", "day: day", "dagster: go"]


def test_no_folder_of_a_machine_is_in_a_name() -> None:
    """The pictures are committed."""
    found = labels("f (/ho" + "me/ann/project/tool.py);<module> (/us" + "r/lib/python3/x/y.py)")
    assert found == ["project: f", "import x"]


def test_samples_are_chosen_from_a_function_on_or_by_thread() -> None:
    """What sets a scene up must not be in its picture."""
    raw = "process 1:x;start (a.py);work (b.py);f (c.py) 3\nrun (d.py) 4\n\n_bootstrap (threading.py);wait (e.py) 9\n"
    samples = list(read_samples(raw))
    assert [count for _, count in samples] == [3, 4, 9]
    assert [below("work (b")(stack) for stack, _ in samples] == [["work (b.py)", "f (c.py)"], [], []]
    assert [bool(of_main_thread(stack)) for stack, _ in samples] == [True, True, False]


@given(st.lists(st.tuples(st.lists(NAMES, max_size=6), st.integers(1, 50)), min_size=1, max_size=30))
def test_no_sample_is_lost(samples: list[tuple[list[str], int]]) -> None:
    """What is folded counts as its caller's: shares are of the whole."""
    root = tree(iter(samples), list, "all")
    assert root.count == sum(count for stack, count in samples if stack)
    for least in (0, root.count / 4):
        shown = without_small(root, least)
        assert sum(own_times(shown).values()) == root.count
        assert all(node.count >= least for node in _all(shown))


def _all(node: Node) -> list[Node]:
    return [node, *(found for child in node.below.values() for found in _all(child))]


def test_a_picture_of_many_functions_stays_small_and_in_its_frame() -> None:
    """A picture of megabytes is not looked at."""
    lines = [f"a (x{n % 90}.py);b<{n}> (orders_pipeline/mail/m{n}.py);c (q{n}.py) {1 + n % 7}" for n in range(4000)]
    root = tree(read_samples("\n".join(lines)), list, "all & everything")
    text = icicle(root, title="A <title>", how="h")
    assert len(text) < MOST_BYTES
    assert depth(root) == 4
    for box in ElementTree.fromstring(text).iter(f"{SVG}rect"):
        assert float(box.attrib.get("x", 0)) + float(box.attrib["width"]) <= WIDTH


@pytest.mark.parametrize("scene", [scene.name for scene in SCENES])
def test_every_scene_has_its_picture_in_the_page(scene: str) -> None:
    """A page that shows a picture which was renamed shows nothing."""
    picture = PROJECT / "docs" / "profiles" / f"{scene}.svg"
    ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    assert picture.stat().st_size < MOST_BYTES
    assert f"](profiles/{scene}.svg)" in (PROJECT / "docs" / "performance.md").read_text(encoding="utf-8")
