"""What every extractor promises.

Belongs here: the protocol, and ``Reading``, the unit that extractors produce and merging chooses from. Not here: any
extractor.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from orders_pipeline.extract.view import View
from orders_pipeline.models import Item, OrderStatus

Value = str | Decimal | dt.date | OrderStatus | Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One value read for one field of ``ParsedOrder``.

    ``field`` is the name there, with ``tracking_number`` and ``item`` in the singular. ``strength`` (0 to 1) says how
    sure the reading is against others of the same field. ``offset`` is where it was found in its body, -1 when it has
    no place. ``order`` ties it to an order number; None means: whichever order it stands next to.
    ``value`` None is a reading that could not be decided (an ambiguous amount): it is kept as evidence only.
    """

    field: str
    value: Value | None
    extractor: str
    source: str
    text: str
    strength: float
    offset: int = -1
    order: str | None = None


def could_be(field: str, *, source: str = "text", strength: float = 1.0) -> Reading:
    """A reading that an extractor could make at best."""
    return Reading(field=field, value="?", extractor="", source=source, text="", strength=strength)


# The fields that decide.
WEIGHED = ("order_number", "tracking_number", "total", "currency", "status", "expected_delivery")
ANYTHING = tuple(could_be(field) for field in ("order_number", "tracking_number", "total", "status"))


class Extractor(Protocol):
    """Reads one kind of message. Knows nothing of the other extractors."""

    @property
    def name(self) -> str:
        """Stable and short; part of the evidence."""
        ...

    @property
    def most(self) -> tuple[Reading, ...]:
        """The most that it could tell of what decides whether a mail is about an order, one reading a field.

        Empty for what tells details alone, which are read when that is decided.
        """
        ...

    def matches(self, view: View) -> bool:
        """Whether it is worth trying: cheap, may be wrong on the generous side."""
        ...

    def extract(self, view: View) -> list[Reading]:
        """Read what is certainly there; nothing when the message is not of this kind after all."""
        ...
