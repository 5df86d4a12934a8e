"""All cases as light lines, kept between requests.

Belongs here: reading them from the store, and telling cheaply whether they are still so. Not here: filters and pages
(queue.py), one case in full (case_view.py).
At 10,000 cases reading everything takes 0.15 s and more, most of it JSON, and each decision changes one line of it: so
what the days propose is read again when a day or the queue changed, and of decisions only those that are new.
"""

from __future__ import annotations

import datetime as dt
import threading
from dataclasses import dataclass
from typing import Any

from orders_pipeline.encoding import printable_line
from orders_pipeline.page.queue import Cases, Listed
from orders_pipeline.store.frames import Connection

_CODES = "json_extract_string({}, '$[*].code')"
_KEY = """
    SELECT md5(coalesce((SELECT string_agg(stage || day || output_digest, ',' ORDER BY stage, day) FROM stage_days
            WHERE stage IN ('parse', 'review')), ''))
        || coalesce((SELECT max(refreshed_at)::VARCHAR FROM refreshes WHERE name = 'case_queue'), '')
        || (SELECT count(*)::VARCHAR FROM proposed_eval_cases)
"""
_PROPOSED = f"""
    WITH daily AS (
        SELECT case_id, day, message_id, sender_domain, reasons FROM proposed_eval_cases
        QUALIFY row_number() OVER (PARTITION BY case_id ORDER BY day) = 1
    ),
    proposed AS (
        SELECT coalesce(d.case_id, q.case_id) AS case_id, coalesce(d.day, q.day) AS day,
            coalesce(d.message_id, q.message_id) AS message_id,
            coalesce(d.sender_domain, q.sender_domain) AS sender_domain,
            {_CODES.format("coalesce(q.reasons, d.reasons)")} AS codes, q.position, q.group_size,
            d.case_id IS NOT NULL AS of_a_day
        FROM daily d FULL JOIN case_queue q ON q.case_id = d.case_id
    )
    SELECT p.case_id, p.day, p.sender_domain, o.subject, p.codes, p.position, p.group_size
    FROM proposed p LEFT JOIN parse_outcomes o ON o.day = p.day AND o.message_id = p.message_id
    WHERE p.of_a_day OR o.message_id IS NOT NULL
"""  # noqa: S608  (constants)
# How many, as forgetting a message takes acts out, and the last, as another may have come meanwhile.
_SIGN_OF_ACTS = "SELECT count(*), coalesce(max(act_id), '') FROM acts WHERE kind IN ('decision', 'undo')"
_ACTS = f"""
    SELECT act_id, case_id, decision, undoes, decided_at, (snapshot ->> '$.day')::DATE, snapshot ->> '$.sender_domain',
        {_CODES.format("snapshot -> '$.reasons'")}
    FROM case_history WHERE act_id > ? ORDER BY act_id
"""  # noqa: S608  (constants)


@dataclass(frozen=True, slots=True)
class _Act:
    act_id: str
    case_id: str
    decision: str
    undoes: str | None
    rank: tuple[dt.datetime, str]
    line: Listed | None  # the case by the decision's snapshot; None of an undo


class Index:
    """The cases of one store. ``read`` within a read of the store; safe in several threads."""

    def __init__(self) -> None:
        self._key = ""
        self._proposed: dict[str, Listed] = {}
        self._acts: dict[str, _Act] = {}
        self._cases = Cases((), {})
        self._lock = threading.Lock()

    def read(self, con: Connection) -> Cases:
        """Every case with its state, best first: in the queue's order, then what the queue left out."""
        with self._lock:
            key = con.execute(_KEY).fetchall()[0][0]
            acts = con.execute(_SIGN_OF_ACTS).fetchall()[0]
            if key == self._key and acts == self._known_acts():
                return self._cases
            if key != self._key:
                self._proposed = {line.case_id: line for line in map(_line, con.execute(_PROPOSED).fetchall())}
            if acts != self._known_acts():
                self._read_acts(con, max(self._acts, default=""))
            if acts != self._known_acts():  # one was taken out, or came late from a clock set back
                self._acts.clear()
                self._read_acts(con, "")
            self._cases = self._gathered(same_proposals=key == self._key)
            self._key = key
            return self._cases

    def _known_acts(self) -> tuple[int, str]:
        return len(self._acts), max(self._acts, default="")

    def _read_acts(self, con: Connection, after: str) -> None:
        for row in con.execute(_ACTS, [after]).fetchall():
            self._acts[row[0]] = _act(*row)

    def _gathered(self, *, same_proposals: bool) -> Cases:
        undone = {act.undoes for act in self._acts.values()}
        standing: dict[str, str] = {}
        decided: dict[str, Listed] = {}
        for act in sorted(self._acts.values(), key=lambda a: a.rank):
            if act.line is not None:
                decided[act.case_id] = act.line
                if act.act_id not in undone:
                    standing[act.case_id] = act.decision
        # A better parser may no longer propose what was decided on.
        known = self._proposed.keys() | decided.keys()
        if same_proposals and len(known) == len(self._cases.lines):
            return Cases(self._cases.lines, standing)
        lines = [self._proposed.get(case_id) or decided[case_id] for case_id in known]
        return Cases(tuple(sorted(lines, key=lambda line: line.rank)), standing)


def _line(row: tuple[Any, ...]) -> Listed:
    case_id, day, sender, subject, codes, position, group_size = row
    return Listed(
        case_id=case_id,
        day=day,
        sender=sender,
        subject=printable_line(subject or "", 120),
        reasons=tuple(dict.fromkeys(codes or ())),
        position=position,
        group_size=group_size or 1,
    )


def _act(*row: Any) -> _Act:
    act_id, case_id, decision, undoes, decided_at, day, sender, codes = row
    line = None if undoes else _line((case_id, day, sender or "", "", codes, None, 1))
    return _Act(act_id, case_id, decision, undoes, (decided_at, act_id), line)
