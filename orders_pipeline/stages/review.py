"""One day of review: judge what has no verdict, save each batch of verdicts as it comes, derive the cases, commit.

Belongs here: the order of saving and committing, and what an error of the judge does (its row stays pending). Not here:
judging and deriving (review/).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from orders_pipeline.crash_points import reach
from orders_pipeline.encoding import printable_line, reasons_from_json, reasons_to_json, result_from_dict
from orders_pipeline.errors import StaleInput
from orders_pipeline.models import EvalCase, Reviewable, Verdict
from orders_pipeline.review.cases import derive_cases
from orders_pipeline.review.judge import Judge, JudgeFault
from orders_pipeline.review.rules import RuleJudge
from orders_pipeline.review.scope import needs_review
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger, review_rows, units
from orders_pipeline.store.frames import records

_READS = 3


def make_judge(work: Work) -> Judge:
    """The configured judge."""
    return RuleJudge()


def review_day(work: Work, day: dt.date, *, judge: Judge | None = None, closes: bool = False) -> StageReport:
    """Review a day: nothing that has a verdict is judged again. Raises ``StoreError`` when archive or state fail.

    ``closes`` ends the day's try in the same commit, unless units stay open.
    """
    judge = judge or make_judge(work)
    for attempt in range(_READS):
        source = _read(work, day)
        if source is None:
            problem = "the day was not parsed yet: materialize parsed_orders for it first"
            return StageReport(stage=ledger.REVIEW, day=day, ledger=None, counts={}, problems=(problem,))
        items = [i for i in reviewables(source.outcomes) if needs_review(i.result)]
        verdicts = verdicts_of(source.verdicts)
        judged = {(v.message_id, v.parse_digest) for v in verdicts}
        todo = [i for i in items if (i.message_id, i.parse_digest) not in judged and i.message_id not in source.not_due]
        fresh, faults = _judge(work, day, judge, todo)
        try:
            return _commit(work, day, judge, source, items, [*verdicts, *fresh], fresh, faults, closes=closes)
        except StaleInput:
            if attempt == _READS - 1:
                raise
    raise AssertionError("unreachable")


def _read(work: Work, day: dt.date) -> review_rows.ReviewInput | None:
    """The day's input, with verdict files that a killed run left behind taken in first: nobody pays for them twice."""
    with work.store.state.reading() as con:
        known = {
            row[0]
            for row in con.execute(
                "SELECT path FROM archive_files WHERE kind = 'verdicts' AND day = ?", [day]
            ).fetchall()
        }
        source = review_rows.read_input(con, day)
    if source is None or not set(work.store.archive.files("verdicts", day)) - known:
        return source
    with work.store.state.transaction() as con:
        review_rows.adopt(con, work.store.archive, day)
        return review_rows.read_input(con, day)


def _judge(
    work: Work, day: dt.date, judge: Judge, todo: Sequence[Reviewable]
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
            _save(work, day, batch)
            fresh += batch
            batch = []
    if batch:
        _save(work, day, batch)
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


def _save(work: Work, day: dt.date, batch: Sequence[Verdict]) -> None:
    now = work.now()
    rows = [
        {
            "message_id": v.message_id,
            "parse_digest": v.parse_digest,
            "judge": v.judge,
            "judge_version": v.judge_version,
            "reasons": reasons_to_json(v.reasons),
            "judged_at": now,
        }
        for v in batch
    ]
    work.store.archive.save("verdicts", day, rows)


def _commit(
    work: Work,
    day: dt.date,
    judge: Judge,
    source: review_rows.ReviewInput,
    items: Sequence[Reviewable],
    verdicts: Sequence[Verdict],
    fresh: Sequence[Verdict],
    faults: Sequence[JudgeFault],
    *,
    closes: bool,
) -> StageReport:
    current = {(i.message_id, i.parse_digest) for i in items}
    standing = [v for v in verdicts if (v.message_id, v.parse_digest) in current]
    cases = derive_cases(items, standing)
    now, (first, limit) = work.now(), work.retry_spacing
    reach("review.commit.before")
    with work.store.state.transaction() as con:
        review_rows.adopt(con, work.store.archive, day)
        judged = {(v.message_id, v.parse_digest) for v in standing}
        owing = {i.message_id for i in items if (i.message_id, i.parse_digest) not in judged}
        # Judged, or nothing to judge any more: a new parse may have found that a mail is no order at all.
        units.clear(con, ledger.REVIEW, sorted(set(source.outcomes["message_id"]) - owing))
        for fault in faults:
            units.record_fault(
                con, ledger.REVIEW, fault.message_id, day=day, mailbox=None, error=fault.error, uses_try=fault.uses_try,
                max_tries=work.config.review.max_tries, now=now, first=first, limit=limit,
            )  # fmt: skip
        row = review_rows.replace(
            con,
            day,
            parse_digest=source.parse_digest,
            cases=[case_row(c) for c in cases],
            judged=len(standing),
            version=f"{judge.name}/{judge.version}",
            now=now,
            run_id=work.run_id,
        )
        still_open = units.open_count(con, day, ledger.REVIEW)
        if closes and not still_open:
            ledger.end_try(con, day)
        reach("review.commit.inside")
    reach("review.commit.after")
    counts = {
        "reviewed": len(standing),
        "newly_judged": len(fresh),
        "suspect": sum(v.suspect for v in standing),
        "proposed_cases": len(cases),
        "unjudged": still_open,
    }
    problems = (
        (f"{still_open} outcomes have no verdict yet ({faults[0].error if faults else 'see orders-pipeline status'})",)
        if still_open
        else ()
    )
    return StageReport(stage=ledger.REVIEW, day=day, ledger=row, counts=counts, problems=problems)


def reviewables(outcomes: pd.DataFrame) -> list[Reviewable]:
    """Rows of parse_outcomes as a judge sees them."""
    return [_reviewable(row) for row in records(outcomes)]


def _reviewable(row: Mapping[str, Any]) -> Reviewable:
    return Reviewable(
        day=row["day"],
        message_id=row["message_id"],
        parse_digest=row["parse_digest"],
        canonical_digest=row["canonical_digest"],
        template_digest=row["template_digest"],
        sender_domain=row["sender_domain"],
        received_at=row["received_at"],
        sent_at=row["sent_at"],
        result=result_from_dict(row["message_id"], json.loads(row["result"])),
    )


def verdicts_of(frame: pd.DataFrame) -> list[Verdict]:
    """Rows of verdicts as records."""
    return [
        Verdict(
            message_id=row["message_id"],
            parse_digest=row["parse_digest"],
            judge=row["judge"],
            judge_version=row["judge_version"],
            reasons=reasons_from_json(row["reasons"]),
        )
        for row in records(frame)
    ]


def case_row(case: EvalCase) -> dict[str, Any]:
    """A case as a row of proposed_eval_cases."""
    return {
        "day": case.day,
        "case_id": case.case_id,
        "message_id": case.message_id,
        "canonical_digest": case.canonical_digest,
        "template_digest": case.template_digest,
        "sender_domain": case.sender_domain,
        "outcome": case.outcome.value,
        "reasons": reasons_to_json(case.reasons),
        "strength": max((r.strength for r in case.reasons), default=0.0),
        "produced": case.produced,
        "judge": case.judge,
        "duplicates": list(case.duplicates),
    }
