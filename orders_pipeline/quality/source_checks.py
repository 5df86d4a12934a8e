"""Checks of what comes in: late and unplaced mail, listings that fail, senders that no longer give orders.

Belongs here: changes at the mailbox and at the senders. Not here: our own gaps (day_checks.py, message_checks.py).
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.quality.facts import DayFacts, ShrunkListing, StoreFacts
from orders_pipeline.quality.findings import Finding, Missing, Severity, finding

LATE_NOTICE = dt.timedelta(days=7)
RELIST_GRACE = dt.timedelta(days=1)
FALLEN_NOTICE = dt.timedelta(days=60)


def late_mail(facts: StoreFacts) -> Finding:
    """No mail came for a day that was already done: for a week after it came, and until its day is done again."""
    return finding(
        "late_mail",
        Severity.WARNING,
        Missing.total(day.late for day in facts.closed if _is_news(day, facts.now)),
        good="No mail came lately for a day that was already done.",
        bad="{count} messages came after their day was done; such a day is reopened and done again.",
        todo="If it happens often, close the day later or list recent days more often (sensor.relist_recent_days).",
    )


def unplaced_mail(facts: StoreFacts) -> Finding:
    """Every message has a day within the partitions."""
    return finding(
        "unplaced_mail",
        Severity.WARNING,
        facts.unplaced,
        good="Every message has a day.",
        bad="{count} messages have no usable date, or one outside the days from start_date to today.",
        todo="They are kept and not parsed: set start_date earlier, or correct their date in the mailbox.",
    )


def shrunk_mailbox(facts: StoreFacts) -> Finding:
    """No mailbox lists fewer messages of a day than were fetched from it."""
    gone: dict[str, list[ShrunkListing]] = {}
    for one in facts.shrunk:
        gone.setdefault(one.mailbox, []).append(one)
    said = [
        f"{mailbox}: {sum(s.kept - s.listed for s in found)} messages on {len(found)} days, the first {found[0].day}"
        for mailbox, found in sorted(gone.items())
    ]
    return finding(
        "shrunk_mailbox",
        Severity.WARNING,
        Missing(count=sum(s.kept - s.listed for s in facts.shrunk), sample=tuple(said)),
        good="Every mailbox still lists what was fetched from it.",
        bad="{count} fetched messages are no longer listed by their mailbox.",
        todo="The archive keeps them, nothing is lost here. If nobody moved or deleted them, look at the mailbox: "
        + ", ".join(sorted(gone)),
    )


def failed_relisting(facts: StoreFacts) -> Finding:
    """No mailbox has refused a listing for more than a day. Done days stay done on their last complete listing."""
    failed = [d for d in facts.closed if d.relist_failed_at and facts.now - d.relist_failed_at > RELIST_GRACE]
    why = next((f" The last error: {d.relist_error}." for d in reversed(failed) if d.relist_error), "")
    return finding(
        "failed_relisting",
        Severity.ERROR,
        Missing.of(d.day.isoformat() for d in failed),
        good="Every day's last listing succeeded, or failed less than a day ago.",
        bad="{count} days could not be listed again for more than a day.",
        todo=f"Check the mailbox with `orders-pipeline mailbox check`.{why}",
    )


def sender_yield_fell(facts: StoreFacts) -> Finding:
    """No sender whose mail used to give orders now gives none. One that fell silent is forgotten after 60 days."""
    today = facts.now.date()
    fallen = [s for s in facts.fallen_senders if today - s.last_day <= FALLEN_NOTICE]
    said = [f"{s.sender_domain}: {s.before_parsed} of {s.before_seen}, then 0 of {s.mails.count}" for s in fallen]
    return finding(
        "sender_yield_fell",
        Severity.ERROR,
        Missing.of(said),
        good="Every sender whose mail gave orders still does.",
        bad="{count} senders or templates gave orders and no longer do; their mail probably changed.",
        todo="Look at the newest of their cases with `orders-pipeline cases list`.",
    )


def _is_news(day: DayFacts, now: dt.datetime) -> bool:
    return not day.done or day.late_at is None or now - day.late_at < LATE_NOTICE
