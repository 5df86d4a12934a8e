"""``cases agreement``: the judge against what people decided."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from orders_pipeline.cli.opening import JSON_OPTION
from orders_pipeline.cli.output import print_json, print_table, say
from orders_pipeline.config import home
from orders_pipeline.models import Decision
from orders_pipeline.review.agreement import NO_DOUBTS, Agreement, DecidedCase, Tally, agreement, parser_was_wrong
from orders_pipeline.store.frames import Connection, rows
from orders_pipeline.store.reader import published

_DECIDED = """
    SELECT decision, snapshot FROM case_decisions
    QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY decided_at DESC, act_id DESC) = 1
"""
# What the judges together say of each parse that stands: of each the last verdict, and one suspicion is enough.
_VERDICTS = """
    SELECT message_id, bool_or(suspect) AS suspect FROM (
        SELECT v.message_id, v.suspect FROM verdicts v
        JOIN parse_outcomes o ON o.day = v.day AND o.message_id = v.message_id AND o.parse_digest = v.parse_digest
        QUALIFY row_number() OVER (PARTITION BY v.message_id, v.judge ORDER BY v.judged_at DESC, v.archive_file) = 1
    ) GROUP BY message_id
"""
_NO_DOUBTS = ", ".join(f"'{code}'" for code in sorted(NO_DOUBTS))
# What only the comparison of days brought up is suspect too.
_COUNTS = f"""
    WITH judged AS ({_VERDICTS}),
    compared AS (
        SELECT DISTINCT message_id FROM case_queue WHERE len(list_filter(json_extract_string(reasons, '$[*].code'),
            lambda code: code NOT IN ({_NO_DOUBTS}))) > 0
    )
    SELECT count(*) FILTER (suspect OR message_id IN (FROM compared)),
        count(*) FILTER (NOT suspect AND message_id NOT IN (FROM compared)) FROM judged
"""  # noqa: S608  (constants)


def show_agreement(as_json: bool = JSON_OPTION) -> None:
    """Compare the judge with the decisions: precision, recall and kappa, and which reasons are worth a look.

    Example: orders-pipeline cases agreement
    """
    with published(home()) as con:
        found = _read(con)
    if as_json:
        print_json({**dataclasses.asdict(found), "too_few": found.too_few})
        return
    say(f"{found.all_suspect + found.all_fine} verdicts: {found.all_suspect} suspect, {found.all_fine} fine")
    say(f"decided of the suspect: {_told(found.suspect)}")
    say(f"decided of the fine sample: {_told(found.fine)}")
    say(
        f"precision {_ratio(found.precision)}; estimated over all verdicts: recall {_ratio(found.recall)},"
        f" kappa {_ratio(found.kappa)}, base rate of wrong parses {_ratio(found.base_rate)}"
    )
    for line in found.too_few:
        say(line)
    columns = ("reason", "parser wrong", "parser right", "rejected", "precision")
    table = [(code, t.wrong, t.right, t.rejected, _ratio(t.share_wrong)) for code, t in found.by_code.items()]
    if table:
        print_table(columns, table, right=columns[1:])


def _read(con: Connection) -> Agreement:
    ((suspect, fine),) = con.execute(_COUNTS).fetchall()
    return agreement(map(_decided, rows(con, _DECIDED)), all_suspect=suspect, all_fine=fine)


def _decided(row: dict[str, Any]) -> DecidedCase:
    snapshot = json.loads(row["snapshot"])
    return DecidedCase(
        codes=frozenset(reason["code"] for reason in snapshot["reasons"]),
        parser_wrong=parser_was_wrong(Decision(row["decision"]), snapshot["produced"], snapshot["expected"]),
    )


def _told(tally: Tally) -> str:
    return f"{tally.wrong} where the parser was wrong, {tally.right} where it was right, {tally.rejected} rejected"


def _ratio(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
