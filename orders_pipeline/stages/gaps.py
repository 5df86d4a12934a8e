"""The facts that the gap checks look at, from the store and the configuration.

Belongs here: one read, put into quality's records. Not here: the queries (store/gaps.py) or the checks (quality/).
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from orders_pipeline.days import closed_days
from orders_pipeline.extract.parser import PARSER_VERSION
from orders_pipeline.progress import DayLedger, StageMark, is_done, last_contiguous
from orders_pipeline.quality.facts import NONE, DayFacts, FallenSender, ShrunkListing, StageFacts, StoreFacts
from orders_pipeline.quality.findings import Missing
from orders_pipeline.review.yields import yield_drops
from orders_pipeline.stages.queue_input import yield_rows
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts as store_facts
from orders_pipeline.store import gaps
from orders_pipeline.store.frames import Connection
from orders_pipeline.store.reconcile import missing_files

# Yesterday is over at midnight, and the pipeline has a while to take it before a check calls it missing.
_GRACE = dt.timedelta(hours=2)


def read_facts(work: Work, cursor: dt.date | None) -> StoreFacts:
    """Everything that the checks need, in one short read; ``cursor`` is the sensor's stored position."""
    now = work.now().astimezone(work.store.zone)
    with work.store.state.reading() as con:
        ledger = store_facts.read_ledger(con)
        days = _day_facts(con, work, ledger)
        unplaced = Missing.of(gaps.unplaced(con))
        exhausted = _units(gaps.open_units(con))[1]
        outcomes = yield_rows(con)
        missing = Missing.of(missing_files(con, work.store.archive))
        shrunk = tuple(ShrunkListing(**row) for row in gaps.shrunk(con))
    expected = closed_days(work.config.start_date, now - _GRACE, work.store.zone)
    done = {d.day for d in days if d.done}
    return StoreFacts(
        now=now,
        first_day=work.config.start_date,
        last_closed_day=expected[-1] if expected else None,
        days=days,
        cursor=cursor,
        proven=last_contiguous(closed_days(work.config.start_date, now, work.store.zone), done),
        unplaced=unplaced,
        exhausted_without_day=exhausted.get(None, NONE),
        fallen_senders=tuple(
            FallenSender(
                sender_domain=d.sender_domain,
                before_seen=d.before_seen,
                before_parsed=d.before_parsed,
                last_day=d.last_day,
                mails=Missing.of(d.message_ids),
            )
            for d in yield_drops(outcomes)
        ),
        missing_files=missing,
        shrunk=shrunk,
    )


def _day_facts(con: Connection, work: Work, ledger: Mapping[dt.date, DayLedger]) -> tuple[DayFacts, ...]:
    counts = {r["day"]: r for r in gaps.day_counts(con)}
    without, unjudged = _missing(gaps.without_outcome(con)), _missing(gaps.not_judged(con))
    late = {r["day"]: r for r in gaps.late(con)}
    outdated = gaps.outdated(con, PARSER_VERSION)
    unfetched, exhausted = _units(gaps.open_units(con))
    listings: dict[dt.date, list[dict[str, Any]]] = defaultdict(list)
    for row in gaps.listings(con):
        listings[row["day"]].append(row)
    out = []
    for day in sorted(set(ledger) | set(counts)):
        row, count, owing = ledger.get(day, DayLedger(day=day)), counts.get(day, {}), work.config.owing(day)
        complete = [r for r in listings[day] if r["listed_at"] is not None and r["mailbox"] in owing]
        failed = sorted((r for r in complete if r["failed_at"] is not None), key=lambda r: r["failed_at"])
        out.append(
            DayFacts(
                day=day,
                fetch=_stage(row.fetch),
                parse=_stage(row.parse),
                review=_stage(row.review),
                done=is_done(row, owing),
                error=row.error,
                unlisted_mailboxes=tuple(sorted(owing - set(row.listed))),
                listed=sum(r["messages"] or 0 for r in complete) if complete else None,
                fetched=count.get("fetched", 0),
                outcomes=count.get("outcomes", 0),
                to_review=count.get("to_review", 0),
                verdicts=count.get("verdicts", 0),
                not_fetched=unfetched.get(day, NONE),
                without_outcome=without.get(day, NONE),
                not_judged=unjudged.get(day, NONE),
                exhausted=exhausted.get(day, NONE),
                late=Missing(count=late[day]["count"], sample=tuple(late[day]["sample"])) if day in late else NONE,
                late_at=late[day]["last"] if day in late else None,
                relist_failed_at=failed[0]["failed_at"] if failed else None,
                relist_error=failed[0]["error"] if failed else None,
                parser_outdated=day in outdated,
            )
        )
    return tuple(out)


def _stage(mark: StageMark | None) -> StageFacts | None:
    return StageFacts(input_digest=mark.input_digest, output_digest=mark.output_digest) if mark else None


def _missing(found: Iterable[Mapping[str, Any]]) -> dict[dt.date, Missing]:
    return {r["day"]: Missing(count=r["count"], sample=tuple(r["sample"])) for r in found}


def _units(
    found: Iterable[Mapping[str, Any]],
) -> tuple[dict[dt.date | None, Missing], dict[dt.date | None, Missing]]:
    """Units not fetched, and units out of tries, by day; without a day are those of unplaced mail."""
    unfetched: dict[dt.date | None, list[str]] = defaultdict(list)
    exhausted: dict[dt.date | None, list[str]] = defaultdict(list)
    for row in found:
        name = f"{row['mailbox']}: {row['unit']}" if row["mailbox"] else row["unit"]
        if row["stage"] == "fetch":
            unfetched[row["day"]].append(name)
        if row["state"] == "exhausted":
            exhausted[row["day"]].append(name)
    return {d: Missing.of(v) for d, v in unfetched.items()}, {d: Missing.of(v) for d, v in exhausted.items()}
