"""``python -m bench [--quick] [area ...]``: measure, print the tables; all areas in full also write ``results.md``.

Belongs here: the list of areas and the order of things.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path

from bench.figures import Scale, Section
from bench.plot import svg
from bench.report import machine, markdown

# An area is a module with ``measure(scale) -> Section``; imported when its turn comes, so that none pays for another.
AREAS = ("year", "parsing", "cores", "fetching", "commit", "quiet_day", "growth", "ten_years")
HERE = Path(__file__).parent


def main() -> int:
    """Print the sections as they are ready. Returns the exit status: 1 when an area could not be measured."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measure the pipeline beside what else there is."
    )
    parser.add_argument("areas", nargs="*", metavar="area", help=f"one of {', '.join(AREAS)}; all when none is named")
    parser.add_argument("--quick", action="store_true", help="small amounts: shows that everything runs")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.areas if name not in AREAS]:
        parser.error(f"no area {', '.join(unknown)}: choose from {', '.join(AREAS)}")
    scale = Scale.QUICK if chosen.quick else Scale.FULL
    sections: list[Section] = []
    failed = False
    for name in chosen.areas or AREAS:
        started = time.perf_counter()
        try:
            section = importlib.import_module(f"bench.{name}").measure(scale)
        except Exception as error:  # one area that cannot be measured must not cost the others
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            failed = True
            continue
        sections.append(section)
        print(markdown([section]), flush=True)
        print(f"({name}: {time.perf_counter() - started:.0f} s)\n", file=sys.stderr, flush=True)
    if not failed and not chosen.areas and scale is Scale.FULL:
        (HERE / "results.md").write_text(f"# Results\n\n{machine()}\n\n{markdown(sections, summary=True)}", "utf-8")
        (HERE / "results.svg").write_text(svg([f for s in sections for f in s.figures]), "utf-8")
        print("wrote bench/results.md and bench/results.svg")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
