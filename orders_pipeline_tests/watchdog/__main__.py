"""``make watchdog``: both replays in full, their tables, and the plot in docs/."""

from __future__ import annotations

import sys

from orders_pipeline_tests.crash.kills import fast_folder
from orders_pipeline_tests.support import PROJECT
from orders_pipeline_tests.watchdog import mark, nights, plot, tables


def main() -> int:
    """Run both; 1 when the pipeline lost something or paid twice, 0 otherwise."""
    table = nights.Timetable()
    print(
        f"The frozen cursor: {table.nights} nights, {table.behind} days wait on the first, {table.mails_a_day} mails a"
        f" day, {table.seconds_a_mail:.2f} s a mail; killed after {table.kill_after:g} s.",
        flush=True,
    )
    with fast_folder() as folder:
        stories = nights.replay(folder, table)
    print(tables.first_story(stories, table), end="\n\n")
    target = PROJECT / "docs" / "watchdog.svg"
    target.parent.mkdir(exist_ok=True)
    target.write_text(plot.svg(stories, table), encoding="utf-8")
    print(f"plot: {target.relative_to(PROJECT)}", end="\n\n", flush=True)
    print(
        f"The lying watermark: {mark.ROWS} rows, {mark.PROPOSALS} of them worth a proposal; on the first night the"
        " judge errors for one of these, and the count at the end crashes.",
        flush=True,
    )
    with fast_folder() as folder:
        found = mark.replay(folder)
    print(tables.second_story(found))
    ours = next(s for s in stories if s.name == nights.OURS)
    kept = found["save, then mark done"][1]
    fine = not ours.lost and not ours.paid_though_saved and (kept.safe, kept.still_open) == (mark.PROPOSALS, 0)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
