"""eBay.

One mail can hold several orders, each with its own number (2-5-5 digits) below its item, and one amount charged for
all of them: merging gives that amount to the first order, so that the sum of the orders is what was paid.
"""

from __future__ import annotations

import re

from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.senders.family import reading, sender_reading, sent_by
from orders_pipeline.extract.view import View

_ORDER = re.compile(r"(?<![\w-])\d{2}-\d{5}-\d{5}(?![\w-])")


class EbayExtractor:
    """Reads order numbers by their shape and names eBay as the shop."""

    name = "ebay"

    def matches(self, view: View) -> bool:
        return sent_by(view, "ebay")

    def extract(self, view: View) -> list[Reading]:
        return [
            sender_reading(self.name, "merchant", "eBay", view),
            *(
                reading(self.name, "order_number", match.group(), body, match.start(), match.end())
                for body in (view.subject, *view.bodies)
                for match in _ORDER.finditer(body.text)
            ),
        ]
