"""What the gap checks and the status command count, a row a day.

Belongs here: the queries. They read the data, not the event log. Not here: judging them (quality/).
"""

from __future__ import annotations

from typing import Any

from orders_pipeline.store.frames import Connection, rows

# The same rule as review.scope.needs_review, over rows.
NEEDS_REVIEW = "(outcome IN ('parsed', 'failed') OR (outcome = 'not_order' AND order_words::VARCHAR <> '[]'))"
_SAMPLE = 20


def day_counts(con: Connection) -> list[dict[str, Any]]:
    """For each day with messages: fetched, outcomes, to_review, verdicts."""
    return rows(
        con,
        f"""
        WITH judged AS (SELECT DISTINCT message_id, parse_digest FROM verdicts),
        outcome AS (
            SELECT o.day, count(*) AS outcomes, count(*) FILTER ({NEEDS_REVIEW}) AS to_review,
                count(*) FILTER ({NEEDS_REVIEW} AND j.message_id IS NOT NULL) AS verdicts
            FROM parse_outcomes o LEFT JOIN judged j ON j.message_id = o.message_id AND j.parse_digest = o.parse_digest
            GROUP BY o.day
        ),
        fetched AS (SELECT day, count(*) AS fetched FROM messages WHERE day IS NOT NULL GROUP BY day)
        SELECT coalesce(f.day, o.day) AS day, coalesce(fetched, 0) AS fetched, coalesce(outcomes, 0) AS outcomes,
            coalesce(to_review, 0) AS to_review, coalesce(verdicts, 0) AS verdicts
        FROM fetched f FULL JOIN outcome o ON o.day = f.day
        """,  # noqa: S608  (constants of this module)
    )


def without_outcome(con: Connection) -> list[dict[str, Any]]:
    """Messages with a day and without an outcome, less those waived: day, count, sample of ids."""
    return rows(
        con,
        f"""
        SELECT m.day, count(*) AS count, list(m.message_id ORDER BY m.message_id)[:{_SAMPLE}] AS sample
        FROM messages m WHERE m.day IS NOT NULL
            AND m.message_id NOT IN (SELECT message_id FROM parse_outcomes)
            AND m.message_id NOT IN (SELECT unit FROM units WHERE stage = 'parse' AND state = 'waived') GROUP BY m.day
        """,  # noqa: S608
    )


def not_judged(con: Connection) -> list[dict[str, Any]]:
    """Outcomes that a judge has to see and has not, less those waived: day, count, sample of ids."""
    return rows(
        con,
        f"""
        SELECT o.day, count(*) AS count, list(o.message_id ORDER BY o.message_id)[:{_SAMPLE}] AS sample
        FROM parse_outcomes o
        WHERE {NEEDS_REVIEW}
            AND NOT EXISTS (FROM verdicts v WHERE v.message_id = o.message_id AND v.parse_digest = o.parse_digest)
            AND NOT EXISTS (FROM units u WHERE u.stage = 'review' AND u.unit = o.message_id AND u.state = 'waived')
        GROUP BY o.day
        """,  # noqa: S608
    )


def open_units(con: Connection) -> list[dict[str, Any]]:
    """Units that are pending or exhausted: stage, day, mailbox, unit, state, tries, error, next_try_at."""
    return rows(
        con,
        "SELECT stage, day, mailbox, unit, state, tries, error, next_try_at FROM units"
        " WHERE state IN ('pending', 'exhausted') ORDER BY day, stage, mailbox, unit",
    )


def listings(con: Connection) -> list[dict[str, Any]]:
    """Every mailbox's listing of every day."""
    return rows(con, "SELECT day, mailbox, listed_at, messages, missing, failed_at, error FROM listings")


def late(con: Connection) -> list[dict[str, Any]]:
    """Messages saved after their day was first done: day, count, sample, last (instant)."""
    return rows(
        con,
        f"""
        SELECT m.day, count(*) AS count, max(m.saved_at) AS last,
            list(m.message_id ORDER BY m.message_id)[:{_SAMPLE}] AS sample
        FROM messages m JOIN stage_days s ON s.stage = 'review' AND s.day = m.day AND m.saved_at > s.first_done_at
        GROUP BY m.day
        """,  # noqa: S608
    )


def shrunk(con: Connection) -> list[dict[str, Any]]:
    """Days of a mailbox for which the archive keeps more than its last listing names: mailbox, day, kept, listed.

    A message counts for the mailbox and the day of its first copy alone: a second copy may have come on another day.
    """
    return rows(
        con,
        """
        WITH kept AS (
            SELECT m.mailbox, m.day, count(*) AS kept FROM messages m
            JOIN archive_files f ON f.path = m.archive_file AND f.day = m.day GROUP BY ALL
        )
        SELECT l.mailbox, l.day, kept, l.messages AS listed
        FROM listings l JOIN kept USING (mailbox, day) WHERE kept > l.messages ORDER BY 1, 2
        """,
    )


def unplaced(con: Connection) -> list[str]:
    """The ids of messages without a day."""
    return [r["message_id"] for r in rows(con, "SELECT message_id FROM messages WHERE day IS NULL ORDER BY 1")]


def outdated(con: Connection, version: str) -> set[Any]:
    """The days with outcomes of another parser version."""
    return {r["day"] for r in rows(con, "SELECT DISTINCT day FROM parse_outcomes WHERE parser_version <> ?", [version])}


def messages_by_outcome(con: Connection) -> dict[str, int]:
    """How many messages have which outcome."""
    found = con.execute("SELECT outcome, count(*) FROM parse_outcomes GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
    return dict(found)
