"""Orders, deliveries, reservations and invoices told by schema.org markup.

Belongs here: nodes to readings. Not here: the syntaxes (schema_nodes). Real order mail seldom carries this markup;
where it does, it is written for machines and wins over text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from orders_pipeline.extract.currencies import CODES
from orders_pipeline.extract.extractor import WEIGHED, Reading, Value, could_be
from orders_pipeline.extract.identifiers import MAX_ID
from orders_pipeline.extract.money import parse_number
from orders_pipeline.extract.schema_nodes import Node, schema_nodes, text_of, type_names, values_of
from orders_pipeline.extract.text import evidence_text, one_line
from orders_pipeline.extract.view import View
from orders_pipeline.models import Item, OrderStatus

_STATUSES = {
    "OrderProcessing": OrderStatus.CONFIRMED, "OrderPaymentDue": OrderStatus.CONFIRMED,
    "OrderInTransit": OrderStatus.SHIPPED, "OrderDelivered": OrderStatus.DELIVERED,
    "OrderPickupAvailable": OrderStatus.READY_FOR_PICKUP, "OrderCancelled": OrderStatus.CANCELLED,
    "OrderReturned": OrderStatus.RETURN_STARTED, "ReservationConfirmed": OrderStatus.CONFIRMED,
    "Confirmed": OrderStatus.CONFIRMED, "ReservationHold": OrderStatus.CONFIRMED,
    "ReservationPending": OrderStatus.CONFIRMED, "ReservationCancelled": OrderStatus.CANCELLED,
    "Cancelled": OrderStatus.CANCELLED, "PaymentComplete": OrderStatus.CONFIRMED,
}  # fmt: skip
_NAMES = ("merchant", "seller", "bookingAgent", "broker", "provider")
STRENGTH = 1.0
# The type alone says that an order is ordered and a delivery shipped: more than a weak phrase, less than a plain one.
IMPLIED = 0.58
MAX_ITEMS = 100


class SchemaOrgExtractor:
    """Reads Order, ParcelDelivery, Invoice and reservations from JSON-LD, microdata and RDFa."""

    name = "schema_org"
    most = tuple(could_be(field, source="markup") for field in (*WEIGHED, "item"))

    def matches(self, view: View) -> bool:
        return view.markup

    def extract(self, view: View) -> list[Reading]:
        readings: list[Reading] = []
        for node in schema_nodes(view.email.html or view.email.text):
            readings += _Node(node).readings()
        return list(dict.fromkeys(readings))


class _Node:
    """One outermost node, read by its type."""

    def __init__(self, node: Node, order: str | None = None) -> None:
        self.node = node
        self.kind = next(iter(sorted(type_names(node))), "")
        self.order = order

    def readings(self) -> Iterator[Reading]:
        if self.kind == "Order":
            yield from self._order()
        elif self.kind == "ParcelDelivery":
            yield from self._parcel()
        elif self.kind.endswith("Reservation"):
            yield from self._reservation()
        elif self.kind == "Invoice":
            yield from self._invoice()

    def _order(self) -> Iterator[Reading]:
        self.order = self._id("orderNumber", "confirmationNumber") or self.order
        yield from self._say("order_number", self.order, STRENGTH)
        yield from self._merchant()
        yield from self._money()
        items = [
            _item(i)
            for name in ("acceptedOffer", "orderedItem")
            for i in values_of(self.node, name)
            if isinstance(i, dict)
        ]
        for item in [i for i in items if i][:MAX_ITEMS]:
            yield from self._say("item", item, STRENGTH)
        yield from self._status("orderStatus", OrderStatus.CONFIRMED)
        for parcel in [*values_of(self.node, "orderDelivery"), *values_of(self.node, "orderedItem", "orderDelivery")]:
            if isinstance(parcel, dict):
                yield from _Node(parcel, self.order)._delivery()

    def _parcel(self) -> Iterator[Reading]:
        for part in values_of(self.node, "partOfOrder"):
            if isinstance(part, dict):
                inner = _Node(part)
                self.order = inner._id("orderNumber") or self.order
                yield from self._say("order_number", self.order, STRENGTH)
                yield from inner._merchant()
        yield from self._delivery()
        yield from self._status("deliveryStatus", OrderStatus.SHIPPED)

    def _delivery(self) -> Iterator[Reading]:
        yield from self._say("tracking_number", self._id("trackingNumber"), STRENGTH)
        yield from self._say("carrier", text_of(self.node, "carrier") or text_of(self.node, "provider"), STRENGTH)
        day = _day(text_of(self.node, "expectedArrivalUntil")) or _day(text_of(self.node, "expectedArrivalFrom"))
        yield from self._say("expected_delivery", day, STRENGTH)
        for product in values_of(self.node, "itemShipped"):
            if isinstance(product, dict) and (name := text_of(product, "name")):
                yield from self._say("item", Item(name=name), STRENGTH)

    def _reservation(self) -> Iterator[Reading]:
        self.order = self._id("reservationNumber", "reservationId", "bookingNumber")
        yield from self._say("order_number", self.order, STRENGTH)
        yield from self._merchant()
        airline = text_of(self.node, "reservationFor", "airline") or text_of(self.node, "reservationFor", "provider")
        yield from self._say("merchant", airline, 0.6)  # less than the sender: an agency may have sold it
        yield from self._money()
        yield from self._status("reservationStatus", OrderStatus.CONFIRMED)

    def _invoice(self) -> Iterator[Reading]:
        """A paid invoice, or one for an order, is a receipt; a bill that is due is not an order."""
        orders = [o for o in values_of(self.node, "referencesOrder") if isinstance(o, dict)]
        state = (text_of(self.node, "paymentStatus") or "").rpartition("/")[2]
        if not orders and state != "PaymentComplete":
            return
        yield from self._merchant()
        for order in orders:
            yield from self._say("order_number", _Node(order)._id("orderNumber"), STRENGTH)
        yield from self._say("order_number", self._id("confirmationNumber"), STRENGTH - 0.4)
        yield from self._money()
        yield from self._status("paymentStatus", OrderStatus.CONFIRMED)

    def _merchant(self) -> Iterator[Reading]:
        for weaker, name in enumerate(_NAMES):
            yield from self._say("merchant", text_of(self.node, name), STRENGTH - weaker * 0.01)

    def _money(self) -> Iterator[Reading]:
        """The price of the whole; of parts only when the whole has none and there is one part."""
        paths: list[tuple[str, ...]] = [
            (), ("totalPaymentDue",), ("priceSpecification",), ("partOfInvoice", "totalPaymentDue"),
        ]  # fmt: skip
        if len(values_of(self.node, "acceptedOffer")) == 1:
            paths.append(("acceptedOffer",))
        for path in paths:
            for name in ("totalPrice", "price", "value"):
                amount = _amount(text_of(self.node, *path, name))
                currency = text_of(self.node, *path, "priceCurrency") or text_of(self.node, *path, "currency")
                if amount is None:
                    continue
                yield from self._say("total", amount, STRENGTH)
                if currency and currency.upper() in CODES:
                    yield from self._say("currency", currency.upper(), STRENGTH)
                return

    def _status(self, name: str, implied: OrderStatus) -> Iterator[Reading]:
        """The status told; else that of all items if they agree; else what the type implies."""
        if told := _STATUSES.get((text_of(self.node, name) or "").rpartition("/")[2]):
            yield from self._say("status", told, STRENGTH)
            return
        items = [text_of(i, "orderItemStatus") for i in values_of(self.node, "orderedItem") if isinstance(i, dict)]
        each = {_STATUSES.get((s or "").rpartition("/")[2]) for s in items if s}
        if len(each) == 1:
            yield from self._say("status", each.pop(), STRENGTH)
        elif not each:
            yield from self._say("status", implied, IMPLIED)

    def _id(self, *names: str) -> str | None:
        text = next((t for n in names if (t := text_of(self.node, n))), None)
        return text if text and len(text) <= MAX_ID and any(c.isalnum() for c in text) and "{" not in text else None

    def _say(self, field: str, value: Value | None, strength: float) -> Iterator[Reading]:
        if value is None or (isinstance(value, str) and "{{" in value):
            return
        text = evidence_text(f"{self.kind} {value.name if isinstance(value, Item) else value}")
        yield Reading(
            field=field,
            value=value,
            extractor="schema_org",
            source="markup",
            text=text,
            strength=strength,
            order=self.order,
        )


def _item(node: Node) -> Item | None:
    name = text_of(node, "itemOffered") or text_of(node, "orderedItem") or text_of(node, "name")
    if not name:
        return None
    quantity = text_of(node, "orderQuantity") or text_of(node, "eligibleQuantity", "value")
    return Item(name=one_line(name, 200), quantity=_amount(quantity), price=_amount(text_of(node, "price")))


def _amount(text: str | None) -> Decimal | None:
    if text is None:
        return None
    digits = text.strip().lstrip("$€£ ")
    try:
        value = Decimal(digits)
    except InvalidOperation:
        value = parse_number(digits) if digits[:1].isdigit() else None
    return value if value is not None and value.is_finite() and abs(value) < Decimal(10) ** 12 else None


def _day(text: str | None) -> dt.date | None:
    try:
        return dt.date.fromisoformat((text or "")[:10])
    except ValueError:
        return None
