"""One day of parsing: every message that has no outcome yet, from the archive to rows.

Belongs here: bytes -> Email -> result, isolation of a message that kills its process, and the commit. A parser that
raises is an outcome. Not here: what an order is (extract/), or what a mail is (mail/).
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Collection

from orders_pipeline.crash_points import reach
from orders_pipeline.errors import StaleInput
from orders_pipeline.extract.parser import PARSER_VERSION
from orders_pipeline.stages.in_flight import InFlight
from orders_pipeline.stages.model_reading import Readings, read_with_model
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage
from orders_pipeline.stages.work import StageReport, Work
from orders_pipeline.store import ledger, model_calls, parse_rows, units
from orders_pipeline.store.frames import Connection

_READS = 3  # the input may change under us (mail arrives in another run); then read again


def parse_day(
    work: Work,
    day: dt.date,
    *,
    again: bool = False,
    closes: bool = False,
    pays: bool = True,
    anew: bool = False,
) -> StageReport:
    """Parse what is not parsed yet; with ``again`` everything (a person's wish after the parser changed).

    Old rows stay until the new ones are complete. ``closes`` ends the day's try in the same commit. Where a model may
    read what no rule reads, it is asked only with ``pays``, and with ``anew`` also about what it has answered.
    Raises ``StoreError`` when archive or state fail.
    """
    for attempt in range(_READS):
        with work.store.state.reading() as con:
            source = parse_rows.read_input(con, day)
        if source is None:
            problem = "the day was not fetched yet: materialize fetched_emails for it first"
            return StageReport(stage=ledger.PARSE, day=day, ledger=None, counts={}, problems=(problem,))
        found = Readings(_parse(work, day, source, again=again))
        if work.config.extract.model:
            files = {row["message_id"]: row["archive_file"] for row in source.messages}
            ask_anew = anew and attempt == 0
            found = read_with_model(
                work, day, found.parsed, files, aside=source.aside, pays=pays, anew=ask_anew
            )  # fmt: skip
        try:
            return _commit(work, day, source, found, closes=closes)
        except StaleInput:
            if attempt == _READS - 1:
                raise
    raise AssertionError("unreachable")


def _parse(work: Work, day: dt.date, source: parse_rows.ParseInput, *, again: bool) -> list[ParsedMessage]:
    todo = {row["message_id"]: row for row in source.messages if again or row["message_id"] not in source.parsed}
    files = {message_id: row["archive_file"] for message_id, row in todo.items()}
    messages = (RawMessage(i, raw, todo[i]["received_at"]) for i, raw in work.store.archive.raw_messages(files))
    size = int(sum(row["size"] for row in todo.values()))
    with InFlight(work.store.folder.in_flight, f"parse-{day.isoformat()}") as flight:

        def enter(units: Collection[str]) -> None:
            flight.enter(units)
            reach("parse.message.before")

        # A message that was in flight when its process died is tried in a process of its own: if it was to blame,
        # that child dies, and we know.
        read = work.parser.parse_all(
            messages, ParseContext.of(work.config), expected_bytes=size, apart=flight.suspects, enter=enter
        )
        with contextlib.closing(read):
            return list(read)


def _commit(work: Work, day: dt.date, source: parse_rows.ParseInput, found: Readings, *, closes: bool) -> StageReport:
    outcomes = [{**parsed.outcome_row, "day": day} for parsed in found.parsed]
    orders = [{**row, "day": day} for parsed in found.parsed for row in parsed.order_rows]
    reach("parse.commit.before")
    with work.store.state.transaction() as con:
        row = parse_rows.replace(
            con,
            day,
            fetch_digest=source.fetch_digest,
            outcomes=outcomes,
            orders=orders,
            version=PARSER_VERSION,
            now=work.now(),
            run_id=work.run_id,
        )
        tally = con.execute(
            "SELECT outcome, count(*), sum(orders)::BIGINT FROM parse_outcomes WHERE day = ? GROUP BY 1 ORDER BY 1",
            [day],
        ).fetchall()
        still_open = _note_faults(work, con, day, found)
        if closes and not still_open:
            ledger.end_try(con, day)
        reach("parse.commit.inside")
    reach("parse.commit.after")
    counts = {
        "messages": row.row_count,
        "newly_parsed": len(found.parsed),
        "orders": sum(r[2] for r in tally),
        **{outcome: count for outcome, count, _ in tally},
    }
    why = found.faults[0].error if found.faults else "see orders-pipeline status"
    problems = (f"{still_open} mails wait for the model that is to read them ({why})",) if still_open else ()
    waits = [fault.not_before for fault in found.faults]
    not_before = None if None in waits else max((w for w in waits if w), default=None)
    return StageReport(stage=ledger.PARSE, day=day, ledger=row, counts=counts, problems=problems, not_before=not_before)


def _note_faults(work: Work, con: Connection, day: dt.date, found: Readings) -> int:
    """Units for mails that the model failed to read, none for those that need it no more; how many are open."""
    if not work.config.extract.model:
        units.clear_day(con, ledger.PARSE, day, mailbox=parse_rows.BY_MODEL)
        return 0
    if work.has_model:
        model_calls.adopt(con, work.store.archive, work.model().gate.days)
    failed = {fault.item for fault in found.faults}
    settled = {p.outcome_row["message_id"] for p in found.parsed} - failed - found.untouched
    units.clear(con, ledger.PARSE, sorted(settled), mailbox=parse_rows.BY_MODEL)
    first, limit = work.retry_spacing
    for fault in found.faults:
        units.record_fault(
            con, ledger.PARSE, fault.item, day=day, mailbox=parse_rows.BY_MODEL, error=fault.error, uses_try=fault.own,
            max_tries=work.config.review.max_tries, now=work.now(), first=first, limit=limit,
            not_before=fault.not_before,
        )  # fmt: skip
    return units.open_count(con, day, ledger.PARSE, mailbox=parse_rows.BY_MODEL)
