"""eBay.

One mail can hold several orders. Each has its own number (2-5-5 digits), which stands *below* its item and the item's
day of delivery, and one amount is charged for all of them: merging gives that amount to the first order, so that the
sum of the orders is what was paid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from orders_pipeline.extract.dates import find_date
from orders_pipeline.extract.extractor import Reading, could_be
from orders_pipeline.extract.senders.family import reading, sender_reading, sent_by
from orders_pipeline.extract.view import Body, View

_ORDER = re.compile(r"(?<![\w-])\d{2}-\d{5}-\d{5}(?![\w-])")
_DELIVERY = re.compile(r"(?:est\.? delivery|estimated delivery|lieferung|livraison|consegna|entrega)[^\n:]{0,20}:?\s")


class EbayExtractor:
    """Reads order numbers by their shape with the days above them, and names eBay as the shop."""

    name = "ebay"
    most = (could_be("order_number"), could_be("expected_delivery"))

    def matches(self, view: View) -> bool:
        return sent_by(view, "ebay")

    def extract(self, view: View) -> list[Reading]:
        found = [r for body in (view.subject, *view.bodies) for r in self._orders(body, view)]
        return [sender_reading(self.name, "merchant", "eBay", view), *found]

    def _orders(self, body: Body, view: View) -> Iterator[Reading]:
        above = 0
        for match in _ORDER.finditer(body.text):
            yield reading(self.name, "order_number", match.group(), body, match.start(), match.end())
            for label in list(_DELIVERY.finditer(body.folded, above, match.start()))[-1:]:
                line = body.text[label.end() : label.end() + 40]
                if day := find_date(line, view.today, day_first=view.day_first, limit=10):
                    end = label.end() + day.end
                    yield reading(
                        self.name, "expected_delivery", day.day, body, label.start(), end, order=match.group()
                    )
            above = match.end()
