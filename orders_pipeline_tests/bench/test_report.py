"""What the benchmark says of its figures: ratios, goals, tables, the plot."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.plot import svg
from bench.report import markdown, number

SVG = "{http://www.w3.org/2000/svg}"


def figure(ratio: float, sense: Sense, reach: float | None, what: str = "loops & <knots>") -> Figure:
    return Figure(
        what=what, against="the other", ours="2 s", theirs="4 s", ratio=ratio, sense=sense, reach=reach, unit=""
    )  # fmt: skip


@pytest.mark.parametrize(
    ("ratio", "sense", "reach", "reached"),
    [
        (0.6, Sense.AT_LEAST, 0.6, True),
        (0.59, Sense.AT_LEAST, 0.6, False),
        (10.1, Sense.AT_LEAST, 10, True),
        (2.5, Sense.AT_MOST, 2.5, True),
        (2.51, Sense.AT_MOST, 2.5, False),
        (0.1, Sense.AT_MOST, 2.5, True),
        (7.0, Sense.AT_LEAST, None, None),
    ],
)
def test_a_goal_is_reached_on_its_own_side(ratio: float, sense: Sense, reach: float | None, reached: bool) -> None:
    """A limit read the wrong way round calls the worst figure the best."""
    assert figure(ratio, sense, reach).reached is reached


def test_a_goal_of_which_half_is_reached_says_so_in_both_senses() -> None:
    """Half as quick as asked and twice as dear as asked are equally short."""
    said = markdown(
        [Section(title="t", how="h", figures=[figure(0.3, Sense.AT_LEAST, 0.6), figure(4, Sense.AT_MOST, 2)])]
    )
    assert said.count("**short: 50% of it**") == 2


def test_the_summary_counts_the_goals_and_leaves_out_what_has_none() -> None:
    """A figure without a goal must make no goal look reached."""
    figures = [figure(1, Sense.AT_LEAST, 0.6), figure(3, Sense.AT_MOST, 2), figure(9, Sense.AT_MOST, None, "no goal")]
    said = markdown([Section(title="t", how="h", figures=figures)], summary=True)
    assert said.startswith("1 of 2 goals are reached.")
    assert said.count("| no goal |") == 1


def test_every_row_of_a_table_has_all_its_cells() -> None:
    """A row that is one cell short is shown shifted."""
    table = Table(title="parts", columns=("part", "s"), rows=[("a", "1"), ("b", "2")], note="a note")
    figures = [figure(1, Sense.AT_LEAST, 0.6), figure(3, Sense.AT_MOST, None)]
    said = markdown([Section(title="t", how="h", figures=figures, tables=[table])])
    for block in re.split(r"\n\n", said):
        if block.startswith("|"):
            assert len({line.count("|") for line in block.splitlines()}) == 1
    assert said.endswith("a note\n")


@pytest.mark.parametrize(
    ("value", "said"), [(0.5349, "0.53"), (9.99, "9.99"), (41.26, "41.3"), (1234.5, "1,234"), (100, "100")]
)
def test_a_number_has_three_figures(value: float, said: str) -> None:
    """Digits that no measurement holds make two equal results look different."""
    assert number(value) == said


def test_the_plot_shows_better_to_the_right_and_stays_in_its_frame() -> None:
    """A bar on the wrong side, or one that leaves the picture, says the contrary of the table."""
    figures = [figure(1.2, Sense.AT_LEAST, 0.6), figure(4, Sense.AT_MOST, 2), figure(900, Sense.AT_LEAST, 1)]
    picture = ElementTree.fromstring(svg([*figures, figure(1, Sense.AT_LEAST, None)]))
    middle = next(
        float(text.attrib["x"]) for text in picture.iter(f"{SVG}text") if (text.text or "").startswith("the goal")
    )
    bars = list(picture.iter(f"{SVG}rect"))[1:]
    spans = [(float(b.attrib["x"]), float(b.attrib["x"]) + float(b.attrib["width"])) for b in bars]
    assert len(spans) == 3
    assert spans[0][0] == pytest.approx(middle, abs=0.2)
    assert spans[1][1] == pytest.approx(middle, abs=0.2)
    assert middle < spans[0][1] < spans[2][1] < float(picture.attrib["width"])


def test_the_scale_picks_its_amount() -> None:
    """A quick run of full size takes an hour."""
    assert (Scale.QUICK.pick(1, 9), Scale.FULL.pick(1, 9)) == (1, 9)
