"""The frozen records that pass between stages.

Belongs here: plain immutable data and the enumerations it uses. Not here: reading, parsing, storing, or any
import of another part of the package. Datetimes are aware, money is ``Decimal``, ids are lower-case hex.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum


class Outcome(StrEnum):
    """What became of a message in parsing. Exactly one a message."""

    PARSED = "parsed"
    NOT_ORDER = "not_order"
    EXCLUDED = "excluded"
    FAILED = "failed"


class OrderStatus(StrEnum):
    """Where an order is, as one mail says it; ``assumed_delivered`` is set by rule, never read from a mail."""

    CONFIRMED = "confirmed"
    SHIPPED = "shipped"
    OUT_FOR_DELIVERY = "out_for_delivery"
    READY_FOR_PICKUP = "ready_for_pickup"
    DELAYED = "delayed"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"
    PARTIALLY_CANCELLED = "partially_cancelled"
    CANCEL_REQUESTED = "cancel_requested"
    REFUNDED = "refunded"
    RETURN_STARTED = "return_started"
    MERGED = "merged"
    SPLIT = "split"
    RENUMBERED = "renumbered"
    ASSUMED_DELIVERED = "assumed_delivered"


class UnitState(StrEnum):
    """The state of one unit of work that is not simply done."""

    PENDING = "pending"
    GONE = "gone"
    EXHAUSTED = "exhausted"
    WAIVED = "waived"


class Decision(StrEnum):
    """What a person said of a proposed case."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EDITED = "edited"


# ---------------------------------------------------------------------------------------------- mail


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """A half-open span of instants: ``start <= t < end``."""

    start: dt.datetime
    end: dt.datetime

    def __contains__(self, instant: dt.datetime) -> bool:
        return self.start <= instant < self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRef:
    """One place where a message lies in a mailbox, as a listing names it.

    ``location`` is stable and unique within the mailbox (a file name, folder/UIDVALIDITY/UID, a Gmail id).
    ``received_at`` is None when no usable date was found; ``size`` is in bytes, None when unknown.
    """

    mailbox: str
    location: str
    received_at: dt.datetime | None
    size: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A complete listing of one mailbox for one window. A read that fails raises ``MailboxError`` instead.

    ``refs`` lie in the window; ``unplaced`` have no usable date, or one that lies in the future. ``age``
    is how long before it was asked for the mailbox was looked at.
    """

    mailbox: str
    window: Window
    refs: tuple[MessageRef, ...]
    unplaced: tuple[MessageRef, ...] = ()
    age: dt.timedelta = dt.timedelta(0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """What came of fetching one ref: its bytes, or ``gone`` (it vanished since the listing), or an error."""

    ref: MessageRef
    raw: bytes | None = None
    gone: bool = False
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A mailbox address: display name and addr-spec, both as text, either may be empty."""

    name: str = ""
    address: str = ""

    @property
    def domain(self) -> str:
        return self.address.rpartition("@")[2].lower().rstrip(".>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A part that is not body text; ``size`` is in bytes after decoding."""

    filename: str
    content_type: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Email:
    """A decoded message. Building one never fails: what was wrong with the bytes is listed in ``defects``.

    ``text`` joins the text/plain parts, ``html`` the HTML parts as sent, ``html_text`` is the HTML rendered to
    text with one line a block or table row (cells parted by a tab). Invisible characters are stripped from all three.
    ``inner`` holds attached messages and inline forwards, opened, outermost first.
    """

    message_id: str
    message_id_header: str | None = None
    subject: str = ""
    sender: Address = Address()
    reply_to: tuple[Address, ...] = ()
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    sent_at: dt.datetime | None = None
    received_at: dt.datetime | None = None
    text: str = ""
    html: str = ""
    html_text: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    attachments: tuple[Attachment, ...] = ()
    inner: tuple[Email, ...] = ()
    forwarded: str | None = None  # on inner mail: "attached" or "inline"
    defects: tuple[str, ...] = ()

    def header(self, name: str) -> str | None:
        """The first value of a header, by case-insensitive name, decoded; None when absent."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), None)


# ---------------------------------------------------------------------------------------- extraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Why a field has its value: which extractor read which text where.

    ``source`` is one of markup, html, text, subject, link, header. ``chosen`` is False for a competing reading
    that lost; the judge compares them. ``text`` is at most 200 characters of the mail.
    """

    field: str
    value: str
    extractor: str
    source: str
    text: str
    chosen: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One line of an order; ``price`` is the price of one unit in the order's currency."""

    name: str
    quantity: Decimal | None = None
    price: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedOrder:
    """One order or shipment as one mail tells it. None means: the mail does not say.

    Money is in ``currency`` (ISO 4217). ``expected_delivery`` is the last promised day.
    """

    merchant: str | None = None
    order_number: str | None = None
    tracking_numbers: tuple[str, ...] = ()
    carrier: str | None = None
    status: OrderStatus | None = None
    total: Decimal | None = None
    currency: str | None = None
    subtotal: Decimal | None = None
    shipping: Decimal | None = None
    tax: Decimal | None = None
    discount: Decimal | None = None
    expected_delivery: dt.date | None = None
    items: tuple[Item, ...] = ()
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ParseResult:
    """What became of one message: its outcome, why, and the orders found (none unless parsed).

    ``order_words`` are the words that made the mail look like an order, kept so that a judge can doubt a
    ``not_order``. ``language`` is an ISO 639-1 code or None.
    """

    message_id: str
    outcome: Outcome
    reason: str
    orders: tuple[ParsedOrder, ...] = ()
    language: str | None = None
    order_words: tuple[str, ...] = ()


# -------------------------------------------------------------------------------------------- review


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewable:
    """One outcome as a judge sees it. ``parse_digest`` names the parse: a new parse is judged anew."""

    day: dt.date
    message_id: str
    parse_digest: str
    canonical_digest: str
    template_digest: str
    sender_domain: str
    received_at: dt.datetime
    sent_at: dt.datetime | None
    result: ParseResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One ground for doubt. ``code`` is stable and short (``total_does_not_add_up``), ``detail`` is for people."""

    code: str
    detail: str
    strength: float = 0.5  # 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one judge said of one parse: suspect when there are reasons, fine when there are none.

    ``confidence`` is from 0 to 1; None when the judge knows no doubt of its own.
    """

    message_id: str
    parse_digest: str
    judge: str
    judge_version: str
    reasons: tuple[Reason, ...] = ()
    confidence: float | None = None

    @property
    def suspect(self) -> bool:
        return bool(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvalCase:
    """A proposed test case: an input (the message), what the parser said of it, and why a person should look.

    Key (day, case_id); ``case_id`` comes from the canonical input, so the same mail proposes one case a day.
    ``produced`` is the parse as JSON, the starting point for the expected output.
    """

    day: dt.date
    case_id: str
    message_id: str
    canonical_digest: str
    template_digest: str
    sender_domain: str
    outcome: Outcome
    reasons: tuple[Reason, ...]
    produced: str
    judge: str
    duplicates: tuple[str, ...] = field(default=())  # message ids of the day with the same canonical input
