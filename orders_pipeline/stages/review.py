"""One day of review: judge what has no verdict, save each batch of verdicts as it comes, derive the cases, commit.

Belongs here: the order of saving and committing, and what an error of a judge does (its row stays pending). Not here:
judging and deriving (review/).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from orders_pipeline.crash_points import reach
from orders_pipeline.encoding import printable_line, reasons_to_json
from orders_pipeline.errors import StaleInput
from orders_pipeline.models import Reviewable, Verdict
from orders_pipeline.review.cases import derive_cases
from orders_pipeline.review.judge import Judge, JudgeFault
from orders_pipeline.review.panel import owed, panel_text
from orders_pipeline.review.rules import RuleJudge
from orders_pipeline.review.scope import needs_review
from orders_pipeline.stages.model_judge import model_judge
from orders_pipeline.stages.model_plan import forecast
from orders_pipeline.stages.review_records import case_row, reviewables, verdicts_of
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger, model_calls, review_rows, units
from orders_pipeline.store.fresh_files import fresh_files

_READS = 3
_NOT_ASKED = "a paid judge is not asked here (rebuild, forget); the day's next run asks"


@dataclass(slots=True)
class _Round:
    """What came of asking: the verdicts, and the faults of each judge."""

    fresh: list[Verdict] = field(default_factory=list)
    faults: dict[str, list[JudgeFault]] = field(default_factory=dict)
    not_given: int = 0  # where an older verdict stands: asked again in vain


def make_judge(work: Work) -> Judge:
    """The judge that is always asked, and that is free."""
    return RuleJudge()


def review_day(
    work: Work,
    day: dt.date,
    *,
    judge: Judge | None = None,
    closes: bool = False,
    pays: bool = True,
    again: bool = False,
) -> StageReport:
    """Review a day: nothing that has a verdict is judged again. Raises ``StoreError`` when archive or state fail.

    ``closes`` ends the day's try in the same commit, unless units stay open. Without ``pays`` only the free judge is
    asked, and what another owes stays pending. With ``again`` each judge is asked for a new verdict on every parse (a
    person's wish); one that it fails to give leaves the old one standing.
    """
    judge = judge or work.own_judge(day)
    judges = (judge,) if judge else (make_judge(work), *_paid(work, day))
    for attempt in range(_READS):
        source = _read(work, day)
        if source is None:
            problem = "the day was not parsed yet: materialize parsed_orders for it first"
            return StageReport(stage=ledger.REVIEW, day=day, ledger=None, counts={}, problems=(problem,))
        items = [i for i in reviewables(source.outcomes) if needs_review(i.result)]
        # A second reading (mail came meanwhile) asks for what is new, not for all of it again.
        found = _ask(work, day, judges, source, items, pays=pays, again=again and attempt == 0)
        try:
            return _commit(work, day, judges, source, items, found, closes=closes)
        except StaleInput:
            if attempt == _READS - 1:
                raise
    raise AssertionError("unreachable")


def _paid(work: Work, day: dt.date) -> tuple[Judge, ...]:
    return (model_judge(work, day),) if work.config.review.judge == "model" else ()


def _units_of(judges: Sequence[Judge]) -> Iterator[tuple[Judge, str | None]]:
    """Each judge with the ``mailbox`` of its units: none for the first, the name of each further one."""
    return ((judge, judge.name if number else None) for number, judge in enumerate(judges))


def _read(work: Work, day: dt.date) -> review_rows.ReviewInput | None:
    """The day's input, with verdict files that a killed run left behind taken in first: nobody pays for them twice."""
    with work.store.state.reading() as con:
        source = review_rows.read_input(con, day)
        left_behind = fresh_files(con, work.store.archive, "verdicts", day)
    if source is None or not left_behind:
        return source
    with work.store.state.transaction() as con:
        review_rows.adopt(con, work.store.archive, day)
        return review_rows.read_input(con, day)


def _ask(
    work: Work,
    day: dt.date,
    judges: Sequence[Judge],
    source: review_rows.ReviewInput,
    items: Sequence[Reviewable],
    *,
    pays: bool,
    again: bool,
) -> _Round:
    """Ask each judge for what it owes, the free one first."""
    names = [judge.name for judge in judges]
    debts = owed(items, verdicts_of(source.verdicts), source.panels, names)
    out, panel = _Round(), panel_text(names)
    for judge, mailbox in _units_of(judges):
        aside = source.waived if again else source.put_aside
        todo = [i for i in (items if again else debts[judge.name]) if (mailbox, i.message_id) not in aside]
        if judge.asks_model and not pays:
            out.faults[judge.name] = [_not_asked(i) for i in todo]
            continue
        if judge.asks_model and todo:
            work.store.archive.sweep(work.now().astimezone(work.store.zone).date())
            work.tell(f"{day}: {forecast(work, len(todo))}")
        fresh, faults = _judge(work, day, judge, todo, panel)
        out.fresh += fresh
        # Where an older verdict stands nothing is owed.
        owing = {(i.message_id, i.parse_digest) for i in debts[judge.name]}
        out.faults[judge.name] = [f for f in faults if (f.message_id, f.parse_digest) in owing]
        out.not_given += len(faults) - len(out.faults[judge.name])
        if judge.asks_model and todo:
            work.tell(f"{day}: the model gave {len(fresh)} verdicts, {len(faults)} are missing")
    return out


def _judge(
    work: Work, day: dt.date, judge: Judge, todo: Sequence[Reviewable], panel: str
) -> tuple[list[Verdict], list[JudgeFault]]:
    """Judge and save in batches of the judge's size."""
    fresh: list[Verdict] = []
    faults: list[JudgeFault] = []
    batch: list[Verdict] = []
    broke: Exception | None = None
    answers = iter(judge.judge(todo))
    while True:
        try:
            answer = next(answers)
        except StopIteration:
            break
        except Exception as error:  # what it said before is paid for: save it; the rest stays pending
            broke = error
            break
        if isinstance(answer, JudgeFault):
            faults.append(answer)
            continue
        batch.append(answer)
        if len(batch) >= judge.batch_size:
            _save(work, day, batch, panel)
            fresh += batch
            batch = []
    if batch:
        _save(work, day, batch, panel)
        fresh += batch
    said = "the judge gave no answer"
    if broke is not None:
        said = printable_line(f"the judge broke off: {type(broke).__name__}: {broke}", 300)
    answered = {v.message_id for v in fresh} | {f.message_id for f in faults}
    faults += [
        # A judge that breaks off is no fault of the items which it did not reach.
        JudgeFault(message_id=i.message_id, parse_digest=i.parse_digest, error=said, uses_try=broke is None)
        for i in todo
        if i.message_id not in answered
    ]
    return fresh, faults


def _not_asked(item: Reviewable) -> JudgeFault:
    return JudgeFault(message_id=item.message_id, parse_digest=item.parse_digest, error=_NOT_ASKED, uses_try=False)


def _save(work: Work, day: dt.date, batch: Sequence[Verdict], panel: str) -> None:
    now = work.now()
    rows = [
        {
            "message_id": v.message_id,
            "parse_digest": v.parse_digest,
            "judge": v.judge,
            "judge_version": v.judge_version,
            "reasons": reasons_to_json(v.reasons),
            "judged_at": now,
            "panel": panel,
            "confidence": v.confidence,
        }
        for v in batch
    ]
    work.store.archive.save("verdicts", day, rows)


def _commit(
    work: Work,
    day: dt.date,
    judges: Sequence[Judge],
    source: review_rows.ReviewInput,
    items: Sequence[Reviewable],
    found: _Round,
    *,
    closes: bool,
) -> StageReport:
    # Of two verdicts of one judge on one parse the later stands.
    latest = {(v.message_id, v.parse_digest, v.judge): v for v in (*verdicts_of(source.verdicts), *found.fresh)}
    current = {(i.message_id, i.parse_digest) for i in items}
    standing = [v for (message, parse, _), v in sorted(latest.items()) if (message, parse) in current]
    cases = derive_cases(items, standing)
    debts = owed(items, standing, source.panels, [judge.name for judge in judges])
    now, (first, limit) = work.now(), work.retry_spacing
    calls = work.model().gate.days if work.has_model else ()
    reach("review.commit.before")
    with work.store.state.transaction() as con:
        review_rows.adopt(con, work.store.archive, day)
        model_calls.adopt(con, work.store.archive, calls)
        messages = {row["message_id"] for row in source.outcomes}
        for judge, mailbox in _units_of(judges):
            # Judged, or nothing to judge any more: a new parse may have found that a mail is no order at all.
            owing = {i.message_id for i in debts[judge.name]}
            units.clear(con, ledger.REVIEW, sorted(messages - owing), mailbox=mailbox)
            for fault in found.faults.get(judge.name, ()):
                units.record_fault(
                    con, ledger.REVIEW, fault.message_id, day=day, mailbox=mailbox, error=fault.error,
                    uses_try=fault.uses_try, max_tries=work.config.review.max_tries, now=now, first=first, limit=limit,
                    not_before=fault.not_before,
                )  # fmt: skip
        review_rows.drop_units_of_others(con, day, [mailbox for _, mailbox in _units_of(judges)])
        row = review_rows.replace(
            con,
            day,
            parse_digest=source.parse_digest,
            cases=[case_row(c) for c in cases],
            judged=len(standing),
            version="+".join(f"{judge.name}/{judge.version}" for judge in judges),
            now=now,
            run_id=work.run_id,
        )
        still_open = units.open_count(con, day, ledger.REVIEW)
        if closes and not still_open:
            ledger.end_try(con, day)
        reach("review.commit.inside")
    reach("review.commit.after")
    return _report(day, row, standing, found, len(cases), still_open)


def _report(
    day: dt.date, row: ledger.StageDay, standing: Sequence[Verdict], found: _Round, cases: int, still_open: int
) -> StageReport:
    faults = [fault for of_judge in found.faults.values() for fault in of_judge]
    counts = {
        "reviewed": len(standing),
        "newly_judged": len(found.fresh),
        "suspect": sum(v.suspect for v in standing),
        "proposed_cases": cases,
        "unjudged": still_open,
        "not_given": found.not_given,
    }
    problems = (
        (f"{still_open} outcomes have no verdict yet ({faults[0].error if faults else 'see orders-pipeline status'})",)
        if still_open
        else ()
    )
    waits = [fault.not_before for fault in faults]
    not_before = None if None in waits else max((w for w in waits if w), default=None)
    return StageReport(
        stage=ledger.REVIEW, day=day, ledger=row, counts=counts, problems=problems, not_before=not_before
    )
