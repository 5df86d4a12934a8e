"""The lying watermark: 238 rows, 38 proposals, one judge error in the middle, and a crash in a count at the end.

Belongs here: the miner with one mark, written for the replay, and the same night through the real review stage.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.config import home, load_config
from orders_pipeline.models import Reviewable, Verdict
from orders_pipeline.review.cases import derive_cases
from orders_pipeline.review.judge import Judge, JudgeFault
from orders_pipeline.review.scope import needs_review
from orders_pipeline.stages import review
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.review_records import reviewables
from orders_pipeline.stages.work import Work
from orders_pipeline.store import ledger, review_rows
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.crash import paying
from orders_pipeline_tests.crash.child import begin, missing
from orders_pipeline_tests.crash.kills import copy_scene, kill, kill_at, live_on, log_of, start
from orders_pipeline_tests.harness import Scene, last_closed_days, select

ROWS, PROPOSALS = 238, 38
MARK, KEPT = "mark.txt", "proposals.json"
SICK = "sick.txt"  # while it is there, the judge errors for the message that it names


@dataclass(frozen=True, slots=True)
class Night:
    """One night of one way: rows judged (and paid for), proposals that are safe, rows that it still means to judge."""

    judged: int
    safe: int
    still_open: int


class SickJudge:
    """The judge, which errors for one row while the file is there."""

    def __init__(self, judge: Judge, sick: Path) -> None:
        self._judge, self._sick = judge, sick
        self.name, self.version, self.batch_size = judge.name, judge.version, 1
        self.asks_model = judge.asks_model

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        bad = self._sick.read_text(encoding="ascii") if self._sick.exists() else ""
        for item in items:
            if item.message_id == bad:
                yield JudgeFault(message_id=item.message_id, parse_digest=item.parse_digest, error="503 overloaded")
            else:
                yield from self._judge.judge([item])


def one_mark(folder: str, environ: dict[str, str]) -> None:
    """The miner: review all rows after the mark, advance the mark, count, and only then write the proposals."""
    _begin(folder, environ)
    items = _rows_after_the_mark(Path(folder))
    answers = [answer for item in items for answer in review.make_judge(_work()).judge([item])]
    verdicts = [a for a in answers if isinstance(a, Verdict)]  # an error is logged, and the row is behind the mark too
    proposals = derive_cases(items, verdicts)
    if items:
        (Path(folder) / MARK).write_text(items[-1].received_at.isoformat(), encoding="ascii")
    counted = {"rows": len(items), "mark": items[-1].received_at if items else None}
    print(json.dumps(counted))  # the cosmetic count: an instant is no JSON
    (Path(folder) / KEPT).write_text(json.dumps([case.case_id for case in proposals]), encoding="ascii")


def real_stage(folder: str, environ: dict[str, str]) -> None:
    """The days that are not done, through the real stages."""
    _begin(folder, environ)
    work = _work()
    for day in missing(work):
        run_day(work, day)


def replay(root: Path, *, rows: int = ROWS, proposals: int = PROPOSALS) -> dict[str, tuple[Night, Night]]:
    """Both ways, two nights each: the first with the error and the crash, the second with neither."""
    scene = Scene(root / "parsed", start=last_closed_days(1)[0])
    day = scene.start
    apart = rows // proposals
    for number in range(rows):
        wrong = number % apart == 0 and number // apart < proposals
        scene.add_order(day, total="31.00" if wrong else "24.50")
    report = run_day(scene.work(), day, [ledger.FETCH, ledger.PARSE])
    assert report.problem is None, report.problem
    suspects = _suspects(scene)
    assert (len(_items(scene.work(), day)), len(suspects)) == (rows, proposals)
    (scene.root / SICK).write_text(suspects[len(suspects) // 2], encoding="ascii")
    return {
        "one mark": _two_nights_of_the_miner(copy_scene(scene, root / "mark")),
        "save, then mark done": _two_nights_of_the_stage(copy_scene(scene, root / "ours")),
    }


def _two_nights_of_the_miner(scene: Scene) -> tuple[Night, Night]:
    nights = []
    for _ in range(2):
        paid = len(paying.paid(log_of(scene)))
        process = start(one_mark, scene)
        process.join(120)
        kill(process)
        (scene.root / SICK).unlink(missing_ok=True)
        kept = json.loads((scene.root / KEPT).read_text()) if (scene.root / KEPT).exists() else []
        nights.append(Night(len(paying.paid(log_of(scene))) - paid, len(kept), len(_after(scene))))
    return nights[0], nights[1]


def _two_nights_of_the_stage(scene: Scene) -> tuple[Night, Night]:
    nights = []
    for night in range(2):
        paid = len(paying.paid(log_of(scene)))
        if night == 0:
            kill_at(real_stage, scene, "review.commit.after")  # the count comes after the commit; so does its crash
        else:
            live_on(real_stage, scene)
        (scene.root / SICK).unlink(missing_ok=True)
        store = scene.work().store
        safe = select(store, "SELECT count(*) FROM proposed_eval_cases")[0][0]
        pending = select(store, "SELECT count(*) FROM units WHERE stage = 'review' AND state = 'pending'")[0][0]
        nights.append(Night(sum(u.kind == paying.JUDGED for u in paying.paid(log_of(scene))[paid:]), safe, pending))
    return nights[0], nights[1]


def _begin(folder: str, environ: dict[str, str]) -> None:
    begin(folder, environ)
    make = review.make_judge
    review.make_judge = lambda job: SickJudge(make(job), Path(folder) / SICK)


def _work() -> Work:
    config = load_config()
    return Work(store=open_store(home(), config), config=config)


def _items(work: Work, day: dt.date) -> list[Reviewable]:
    with work.store.state.reading() as con:
        source = review_rows.read_input(con, day)
    assert source is not None
    found = [i for i in reviewables(source.outcomes) if needs_review(i.result)]
    return sorted(found, key=lambda i: (i.received_at, i.message_id))


def _rows_after_the_mark(folder: Path) -> list[Reviewable]:
    work, path = _work(), folder / MARK
    mark = dt.datetime.fromisoformat(path.read_text(encoding="ascii")) if path.exists() else None
    return [i for i in _items(work, work.config.start_date) if mark is None or i.received_at > mark]


def _after(scene: Scene) -> list[Reviewable]:
    path = scene.root / MARK
    mark = dt.datetime.fromisoformat(path.read_text(encoding="ascii")) if path.exists() else None
    return [i for i in _items(scene.work(), scene.start) if mark is None or i.received_at > mark]


def _suspects(scene: Scene) -> list[str]:
    work = scene.work()
    items = _items(work, scene.start)
    answers = review.make_judge(work).judge(items)
    return [a.message_id for a in answers if isinstance(a, Verdict) and a.suspect]
