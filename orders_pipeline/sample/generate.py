"""Writing a sample mailbox: a Maildir of some weeks of one household's mail, the same bytes for the same arguments.

Belongs here: putting the plan together, the files, and the truth about them. Not here: what is planned and said.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import zoneinfo
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.sample.lifecycle import Event, Purchase, final_status
from orders_pipeline.sample.maildir import HOST, SampleFile, write_files
from orders_pipeline.sample.noise import NoiseKind, noise_of
from orders_pipeline.sample.order_letters import printed_day
from orders_pipeline.sample.post import Message, dateless_message, event_message, noise_message, noise_moment
from orders_pipeline.sample.purchases import generator, plan_purchases
from orders_pipeline.sample.truth import SampleSummary, Trap, TrueMail, TrueOrder

# A file time that no clock has reached; later than 2038 would not fit every file system.
_FAR_FUTURE = dt.datetime(2037, 12, 31, 12, tzinfo=dt.UTC)
_FLAGS = ("S", "S", "", "RS")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    message: Message
    kind: str
    day: dt.date | None
    event: Event | None = None


def write_sample_mailbox(
    folder: Path,
    *,
    last_day: dt.date,
    days: int = 14,
    seed: int = 7,
    zone: str = "Europe/Berlin",
    per_day: int = 20,
) -> SampleSummary:
    """Write ``days`` closed local days of mail, up to and including ``last_day``, some ``per_day`` mails each.

    The same arguments give the same file names, bytes and file times; files that are there already are left alone, so
    that a second call changes nothing. All special courses and traps are there from 10 days of 10 mails on. Mail that
    others put beside the sample later stays. Raises ``ValueError`` for numbers below 1, ``ZoneInfoNotFoundError`` for
    an unknown zone, and ``MailboxError`` for a folder that holds mail but none of a sample (a real mailbox is never
    mixed with invented mail), that holds a sample of other arguments, or that cannot be written.
    """
    if days < 1 or per_day < 1:
        raise ValueError(f"days and per_day must be at least 1, not {days} and {per_day}")
    dates = [last_day - dt.timedelta(days=back) for back in reversed(range(days))]
    plans = plan_purchases(dates, per_day, seed)
    planned = list(_plan(dates, plans, seed, zoneinfo.ZoneInfo(zone), per_day))
    files = list(_files(planned, last_day))
    paths, written = write_files(folder, [file for file, _ in files])
    mails = tuple(_true_mail(path, plan) for path, (_, plan) in zip(paths, files, strict=True))
    placed = Counter(p.day for p in planned if p.day is not None)
    return SampleSummary(
        days=tuple(dates),
        messages=len(planned),
        files=len(mails),
        written=written,
        unplaced=sum(p.day is None for p in planned),
        per_day={day: placed[day] for day in dates},
        orders={_key(purchase): _truth(purchase, events, last_day) for purchase, events in plans},
        mails=mails,
    )


def _plan(
    dates: list[dt.date],
    plans: list[tuple[Purchase, tuple[Event, ...]]],
    seed: int,
    zone: zoneinfo.ZoneInfo,
    per_day: int,
) -> Iterator[_Planned]:
    told: Counter[dt.date] = Counter()
    for index, (_, events) in enumerate(plans):
        for place, event in enumerate(events):
            if event.day <= dates[-1]:
                told[event.day] += 1
                message = event_message(index, event, zone, generator(seed, "event", index, place))
                kind = "parcel" if event.from_carrier else "order"
                yield _Planned(message=message, kind=kind, day=event.day, event=event)
    sequence = 0
    for day in dates:
        rng = generator(seed, "noise", day)
        over = [p for p, events in plans if any(e.status == "delivered" and e.day < day for e in events)]
        for place in range(max(1, per_day + rng.randint(-2, 2) - told[day])):
            noise = noise_of(sequence, day, over, rng)
            message = noise_message(noise, noise_moment(place, day, zone, rng), rng)
            yield _Planned(message=message, kind=noise.kind, day=day)
            sequence += 1
    scan = noise_of(1, dates[0], [], generator(seed, "dateless"))
    yield _Planned(message=dateless_message(scan, seed), kind=NoiseKind.PERSONAL, day=None)


def _files(planned: list[_Planned], last_day: dt.date) -> Iterator[tuple[SampleFile, _Planned]]:
    """Each planned mail as a file, two for the duplicate, in order of arrival."""
    for plan in sorted(planned, key=lambda p: (p.message.received_at or _FAR_FUTURE, p.message.raw)):
        digest = hashlib.sha256(plan.message.raw).hexdigest()
        when = plan.message.received_at or _FAR_FUTURE
        for copy in ("", "-copy") if Trap.DUPLICATE in plan.message.traps else ("",):
            name = f"{int(when.timestamp())}.M{int(digest[:5], 16) % 1_000_000:06d}P{digest[:12]}{copy}"
            flags = None if plan.day == last_day else _FLAGS[int(digest[-1], 16) % len(_FLAGS)]
            yield SampleFile(name=f"{name}.{HOST}", flags=flags, raw=plan.message.raw, when=when), plan


def _true_mail(path: str, plan: _Planned) -> TrueMail:
    event = plan.event
    if event is None:
        return TrueMail(path=path, day=plan.day, kind=plan.kind, traps=plan.message.traps)
    return TrueMail(
        path=path,
        day=plan.day,
        kind=plan.kind,
        status=event.status,
        order=_key(event.purchase),
        tracking_number=None if event.parcel is None else event.purchase.tracking[event.parcel],
        expected_delivery=printed_day(event),
        traps=plan.message.traps,
    )


def _key(purchase: Purchase) -> tuple[str, str]:
    return purchase.shop.name, purchase.number


def _truth(purchase: Purchase, events: tuple[Event, ...], last_day: dt.date) -> TrueOrder:
    told = [event for event in events if event.day <= last_day]
    sent = sorted({event.parcel for event in told if event.parcel is not None})
    return TrueOrder(
        merchant=purchase.shop.name,
        order_number=purchase.number,
        status=final_status(told),
        total=purchase.total,
        currency=purchase.shop.currency,
        tracking_numbers=tuple(purchase.tracking[parcel] for parcel in sent),
        scenario=purchase.scenario,
        adds_up=not purchase.misprint,
    )
