"""eBay.

One mail can hold several orders, each with its own number (2-5-5 digits) below its item, and one amount charged for
all of them. The joint amount is given to the first order, so that the sum of the orders is what was paid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.money import NumberStyle, find_money
from orders_pipeline.extract.senders.family import reading, sender_reading, sent_by
from orders_pipeline.extract.view import Body, View

_ORDER = re.compile(r"(?<![\w-])\d{2}-\d{5}-\d{5}(?![\w-])")
_CHARGED = re.compile(r"^(?:total charged|total paid|amount charged|order total|gesamtbetrag|total facture|totale addebitato)[^\n]{0,80}", re.MULTILINE)


class EbayExtractor:
    """Reads order numbers by their shape, the joint amount, and names eBay as the shop."""

    name = "ebay"

    def matches(self, view: View) -> bool:
        return sent_by(view, "ebay")

    def extract(self, view: View) -> list[Reading]:
        readings = [sender_reading(self.name, "merchant", "eBay", view)]
        for body in (view.subject, *view.bodies):
            numbers = list(_ORDER.finditer(body.text))
            for match in numbers:
                readings.append(reading(self.name, "order_number", match.group(), body, match.start(), match.end()))
            if len({m.group() for m in numbers}) > 1:
                readings += self._joint_total(body, numbers[0].group(), view)
        return readings

    def _joint_total(self, body: Body, first: str, view: View) -> Iterator[Reading]:
        for match in _CHARGED.finditer(body.folded):
            line = body.text[match.start() : match.end()]
            money = list(find_money(line, NumberStyle(domain=view.sender_domain)))
            if money and money[-1].amount is not None:
                start = match.start()
                yield reading(self.name, "total", money[-1].amount, body, start, match.end(), order=first)
                if money[-1].currency:
                    yield reading(self.name, "currency", money[-1].currency, body, start, match.end())
