"""Events and noise to messages: when each is received, from whom, and which traps it holds.

Belongs here: the envelope and the form of each mail. Not here: what is planned (``purchases``), texts, files.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import random
import zoneinfo
from dataclasses import dataclass, replace
from email.utils import format_datetime

from orders_pipeline.models import OrderStatus
from orders_pipeline.sample.catalogue import OWNER_ADDRESS, OWNER_NAME, OWNER_SECOND_ADDRESS, Layout
from orders_pipeline.sample.clock import first_moment, last_moment, moment
from orders_pipeline.sample.letter import Letter, to_html, to_text
from orders_pipeline.sample.lifecycle import Event
from orders_pipeline.sample.mime import Envelope, Part, compose
from orders_pipeline.sample.noise import Noise, NoiseKind
from orders_pipeline.sample.order_letters import carrier_letter, shop_letter
from orders_pipeline.sample.truth import Trap

# Which order's mail (by order of placing) holds which trap; the first fifteen orders come within a few days.
_TRAPS: dict[tuple[int, OrderStatus], Trap] = {
    (5, OrderStatus.CONFIRMED): Trap.JSON_LD,
    (6, OrderStatus.CONFIRMED): Trap.HTML_ONLY,
    (7, OrderStatus.CONFIRMED): Trap.BASE64_WHOLE,
    (8, OrderStatus.CONFIRMED): Trap.BROKEN_CHARSET,
    (9, OrderStatus.CONFIRMED): Trap.NO_MESSAGE_ID,
    (10, OrderStatus.CONFIRMED): Trap.FORWARD,
    (12, OrderStatus.CONFIRMED): Trap.DUPLICATE,
    (13, OrderStatus.CONFIRMED): Trap.SAME_MESSAGE_ID,
    (13, OrderStatus.SHIPPED): Trap.SAME_MESSAGE_ID,
}
_HOUR = 3600
_HOURS = {
    OrderStatus.SHIPPED: (8, 19),
    OrderStatus.OUT_FOR_DELIVERY: (6, 9),
    OrderStatus.DELIVERED: (10, 20),
    OrderStatus.READY_FOR_PICKUP: (10, 20),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """The bytes of one mail and when it came; ``received_at`` is None when nothing in it says so."""

    raw: bytes
    received_at: dt.datetime | None
    traps: tuple[Trap, ...] = ()


def event_message(index: int, event: Event, zone: zoneinfo.ZoneInfo, rng: random.Random) -> Message:
    """The mail that tells of an event of the purchase at ``index`` in the order of placing."""
    purchase, shop = event.purchase, event.purchase.shop
    trap = _TRAPS.get((index, event.status))
    letter = carrier_letter(event) if event.from_carrier else shop_letter(event, markup=trap is Trap.JSON_LD)
    name, address = (
        (purchase.carrier.name, f"info@{purchase.carrier.domain}") if event.from_carrier else (shop.name, shop.address)
    )
    received_at = _event_moment(index, event, zone, rng)
    envelope = _envelope(name, address, letter.subject, received_at, rng)
    if trap is Trap.NO_MESSAGE_ID:
        envelope = replace(envelope, message_id=None)
    elif trap is Trap.SAME_MESSAGE_ID:
        envelope = replace(envelope, message_id=f"order.{purchase.number.lower()}@{shop.domain}")
    if trap is Trap.FORWARD:
        envelope, parts = _forwarded(envelope, letter, received_at)
    else:
        layout = Layout.TABLE if event.from_carrier else shop.layout
        parts = _parts(letter, layout, trap, "quoted-printable" if event.from_carrier else shop.transfer)
    misprinted = event.status is OrderStatus.CONFIRMED and purchase.misprint
    traps = (trap, Trap.MISPRINTED_TOTAL if misprinted else None, _late(envelope))
    return Message(raw=compose(envelope, parts), received_at=received_at, traps=tuple(t for t in traps if t))


def noise_message(noise: Noise, received_at: dt.datetime, rng: random.Random) -> Message:
    """The mail of a piece of noise, received at an instant."""
    envelope = _envelope(noise.name, noise.address, noise.letter.subject, received_at, rng)
    envelope = replace(
        envelope,
        authentic=noise.kind is not NoiseKind.PHISHING,
        unsubscribe=noise.unsubscribe,
        reply_to="desk@answer-quickly.example" if noise.kind is NoiseKind.PHISHING else None,
    )
    late = _late(envelope)
    return Message(
        raw=compose(envelope, _parts(noise.letter, noise.layout, None, "quoted-printable")),
        received_at=received_at,
        traps=(late,) if late else (),
    )


def dateless_message(noise: Noise, seed: int) -> Message:
    """A mail without Date and Received headers, as an import by hand leaves it."""
    envelope = Envelope(
        sender_name=noise.name,
        sender=noise.address,
        to_name=OWNER_NAME,
        to=OWNER_ADDRESS,
        subject=noise.letter.subject,
        message_id=f"imported.{seed}@{noise.address.rpartition('@')[2]}",
        sent_at=None,
        received_at=None,
        authentic=None,
    )
    parts = _parts(noise.letter, Layout.PLAIN, None, "quoted-printable")
    return Message(raw=compose(envelope, parts), received_at=None, traps=(Trap.UNPLACED,))


def noise_moment(place: int, day: dt.date, zone: zoneinfo.ZoneInfo, rng: random.Random) -> dt.datetime:
    """When the noise mail at a place in its day comes: now and then at the very border of the day."""
    if place == 0 and day.toordinal() % 2:
        return first_moment(day, zone)
    if place == 1 and day.toordinal() % 3 == 0:
        return last_moment(day, zone)
    return moment(day, zone, rng.randint(60, 86_340))


def _event_moment(index: int, event: Event, zone: zoneinfo.ZoneInfo, rng: random.Random) -> dt.datetime:
    if event.status is OrderStatus.CONFIRMED and index % 6 == 0:
        return last_moment(event.day, zone)
    if event.status is OrderStatus.SHIPPED and index % 7 == 0:
        return first_moment(event.day, zone)
    earliest, latest = _HOURS.get(event.status, (0, 23))
    return moment(event.day, zone, rng.randint(earliest * _HOUR + 60, latest * _HOUR))


def _envelope(name: str, address: str, subject: str, received_at: dt.datetime, rng: random.Random) -> Envelope:
    sent_at = received_at - dt.timedelta(seconds=rng.choice((2, 3, 5, 9, 41)))
    if received_at.time() == dt.time(0, 0, 30):
        sent_at = received_at - dt.timedelta(seconds=95)
    unique = hashlib.sha256(f"{address}/{subject}/{received_at.isoformat()}/{rng.random()}".encode()).hexdigest()
    return Envelope(
        sender_name=name,
        sender=address,
        to_name=OWNER_NAME,
        to=OWNER_ADDRESS,
        subject=subject,
        message_id=f"{unique[:24]}@{address.rpartition('@')[2]}",
        sent_at=sent_at,
        received_at=received_at,
    )


def _parts(letter: Letter, layout: Layout, trap: Trap | None, transfer: str) -> tuple[Part, ...]:
    text = to_text(letter, layout)
    if trap is Trap.BROKEN_CHARSET:
        # Windows-1252 bytes that claim to be UTF-8, as a badly configured shop sends them.
        return (Part(text=text, transfer="8bit", charset="cp1252", declared="utf-8"),)
    if trap is Trap.BASE64_WHOLE:
        return (Part(text=text, transfer="base64"),)
    if trap is not Trap.JSON_LD and layout is Layout.PLAIN:
        return (Part(text=text, transfer=transfer),)
    html = Part(text=to_html(letter, layout), subtype="html", transfer=transfer)
    if trap is Trap.HTML_ONLY or layout is Layout.HTML_ONLY:
        return (html,)
    return Part(text=text, transfer=transfer), html


def _forwarded(envelope: Envelope, letter: Letter, received_at: dt.datetime) -> tuple[Envelope, tuple[Part, ...]]:
    """The owner sends the shop's mail on from a second address; the head is the one that webmail writes."""
    original = received_at - dt.timedelta(minutes=50)
    head = (
        "---------- Forwarded message ---------\n"
        f"From: {envelope.sender_name} <{envelope.sender}>\n"
        f"Date: {format_datetime(original)}\n"
        f"Subject: {envelope.subject}\n"
        f"To: <{OWNER_SECOND_ADDRESS}>\n\n\n"
    )
    outer = replace(
        envelope,
        sender_name=OWNER_NAME,
        sender=OWNER_SECOND_ADDRESS,
        subject=f"Fwd: {envelope.subject}",
        message_id=f"fwd.{(envelope.message_id or '').partition('@')[0]}@studio.example",
    )
    return outer, (Part(text="For the household folder.\n\n" + head + to_text(letter, Layout.TABLE)),)


def _late(envelope: Envelope) -> Trap | None:
    sent, received = envelope.sent_at, envelope.received_at
    return Trap.LATE_DATE if sent and received and sent.date() < received.date() else None
