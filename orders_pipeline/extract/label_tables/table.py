"""The form of a label table: what one language calls the fields of an order.

Belongs here: the dataclass that each language fills. Not here: words, or how they are matched.

All patterns are regular expressions over folded text (lower case, no accents) and must stay linear: no nested
repeats. A label is matched where a word begins; the longer pattern wins. The number before a pattern is its tier
(1 to 10): of two readings of one field, the higher tier wins.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from orders_pipeline.models import OrderStatus

Labels = tuple[tuple[int, str], ...]
Statuses = tuple[tuple[OrderStatus, int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)  # as a key: hashing its words takes 2 µs
class LabelTable:
    """What one language calls things.

    ``hints`` are folded words, one of which a mail of this language about an order holds. ``order_word`` are labels
    such as a bare "order", which count only with a sign or a colon behind them. ``decoys`` look like labels of a field
    and are not. ``statuses`` are (status, weight 1 to 3, pattern). ``whens`` are words that make a
    phrase behind or around them tell of what has not happened ("when", "if"), ``conditions`` do so only before it
    ("will be"). ``shops`` capture the shop's name in a group ``shop``;
    ``not_orders`` are (reason, pattern) for subjects of mail that speaks of orders without being about one.
    """

    language: str
    hints: tuple[str, ...]
    order_number: Labels = ()
    order_word: Labels = ()
    tracking_number: Labels = ()
    carrier: Labels = ()
    total: Labels = ()
    subtotal: Labels = ()
    shipping: Labels = ()
    tax: Labels = ()
    discount: Labels = ()
    delivery: Labels = ()
    merchant: Labels = ()
    decoys: tuple[str, ...] = ()
    statuses: Statuses = ()
    conditions: tuple[str, ...] = ()
    whens: tuple[str, ...] = ()
    shops: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()
    not_orders: tuple[tuple[str, str], ...] = field(default=())
