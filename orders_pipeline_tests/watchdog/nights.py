"""Nine nights with a watchdog: new mail comes, the job starts, the timer kills it.

Belongs here: the timetable, the kill, and what is counted after each night. Not here: what the jobs do.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.kills import Life, kill, log_of, saved_units, start, tail
from orders_pipeline_tests.harness import Scene, last_closed_days
from orders_pipeline_tests.watchdog.strategies import (
    cursor_at_the_end,
    cursor_before_the_work,
    results_of,
    save_then_mark,
)

_START_SECONDS = 120.0
AT_THE_END, BEFORE, OURS = "cursor at the end", "cursor before the work", "save, then mark done"
STRATEGIES: dict[str, Life] = {
    AT_THE_END: cursor_at_the_end,
    BEFORE: cursor_before_the_work,
    OURS: save_then_mark,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Timetable:
    """``behind`` days of mail wait on the first night, each further night brings one more; times are in seconds.

    ``kill_after`` counts from the first thing that the night's job pays for: how long a process takes to start is the
    machine's affair, and would decide what is in flight at the kill.
    """

    nights: int = 9
    behind: int = 4
    mails_a_day: int = 6
    kill_after: float = 5.0
    fetch_seconds: float = 0.08
    judge_seconds: float = 0.24

    @property
    def days(self) -> int:
        return self.behind + self.nights - 1

    @property
    def seconds_a_mail(self) -> float:
        return self.fetch_seconds + self.judge_seconds


@dataclass(slots=True)
class Story:
    """How one strategy fared. ``backlog`` has two points a night: after the mail came, and after the job ended.

    A mail is handled when the strategy holds its result; for the pipeline, when its whole day is proven done.
    """

    name: str
    backlog: list[tuple[float, int]] = field(default_factory=list)
    killed: int = 0
    mails: int = 0
    handled: int = 0
    says_open: int = 0  # what the strategy itself believes is still to do
    fetched: int = 0
    judged: int = 0
    judged_twice: int = 0
    paid_though_saved: int = 0  # fetched or judged again although an earlier night had saved it

    @property
    def lost(self) -> int:
        """Mails without a result that the strategy will never look at again."""
        return self.mails - self.handled - self.says_open


def replay(root: Path, table: Timetable, *, mornings: int = 0) -> list[Story]:
    """All strategies at the same time, over the same mail; ``mornings`` are further nights without a watchdog."""
    with ThreadPoolExecutor(len(STRATEGIES)) as pool:
        return list(pool.map(lambda name: _nights(root / name.replace(" ", "-"), name, table, mornings), STRATEGIES))


def _nights(root: Path, name: str, table: Timetable, mornings: int) -> Story:
    days = last_closed_days(table.days)
    scene = Scene(root, start=days[0], settings="[fetch]\nbatch_messages = 3\n")
    story = Story(name)
    for night in range(1, table.nights + 1):
        tonight = days[night + table.behind - 2]
        for day in days[: table.behind] if night == 1 else [tonight]:
            for number in range(table.mails_a_day):
                scene.add_order(day, total="31.00" if number == 0 else "24.50")
                story.mails += 1
        (root / "tonight.txt").write_text(tonight.isoformat(), encoding="ascii")
        story.backlog.append((night - 0.4, story.mails - _handled(scene, name)))
        saved, before = saved_units(scene), len(paying.paid(log_of(scene)))
        story.killed += _one_night(scene, STRATEGIES[name], table, table.kill_after)
        story.backlog.append((float(night), story.mails - _handled(scene, name)))
        story.paid_though_saved += sum((u.kind, u.unit) in saved for u in paying.paid(log_of(scene))[before:])
    for _ in range(mornings):
        _one_night(scene, STRATEGIES[name], table, 120.0)
    _count(scene, story)
    return story


def _one_night(scene: Scene, life: Life, table: Timetable, kill_after: float) -> bool:
    """Start the job and end it after its time; whether it had to be killed."""
    paid_before = len(paying.paid(log_of(scene)))
    process = start(
        life,
        scene,
        **{
            paying.FETCH_SECONDS: str(table.fetch_seconds),
            paying.JUDGE_SECONDS: str(table.judge_seconds),
            paying.JUDGE_BATCH: "1",
        },
    )
    _wait_for_work(process, scene, paid_before)
    process.join(kill_after)
    late = process.is_alive()
    kill(process)
    if not late and process.exitcode != 0:
        raise AssertionError(f"{life.__name__} ended with {process.exitcode}:\n{tail(scene)}")
    return late


def _wait_for_work(process: BaseProcess, scene: Scene, paid_before: int) -> None:
    """Return when the job has paid for something, or has ended: there was nothing to do."""
    deadline = time.monotonic() + _START_SECONDS
    while process.is_alive() and time.monotonic() < deadline and len(paying.paid(log_of(scene))) == paid_before:
        time.sleep(0.02)


def _handled(scene: Scene, name: str) -> int:
    if name != OURS:
        return len(results_of(scene.root))
    done = scene.days_done()
    with scene.work().store.state.reading() as con:
        counts = con.execute("SELECT day, count(*) FROM messages GROUP BY day").fetchall()
    return sum(count for day, count in counts if day in done)


def _count(scene: Scene, story: Story) -> None:
    paid = paying.paid(log_of(scene))
    judged = Counter(u.unit for u in paid if u.kind == paying.JUDGED)
    story.handled = _handled(scene, story.name)
    story.fetched = sum(u.kind == paying.FETCHED for u in paid)
    story.judged, story.judged_twice = judged.total(), sum(n - 1 for n in judged.values())
    if story.name == BEFORE:
        story.says_open = 0 if (scene.root / "cursor.txt").exists() else story.mails
    else:
        story.says_open = story.mails - story.handled
