"""Which parses speak of one order.

Belongs here: grouping by shop and order number, and attaching carriers' mail by tracking number. Not here: what the
group then says (timeline.py, facts.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from orders_pipeline.models import OrderStatus
from orders_pipeline.orders.disjoint import Disjoint
from orders_pipeline.orders.keys import merchant_key, number_key, tracking_key
from orders_pipeline.orders.logical import OrderParse

# Shops count from 1: only a longer number shows that two similar shop names are one shop.
LONG_NUMBER = 6
LONG_NAME = 4
# A tracking number in such a mail is that of the parcel on its way back.
BACKWARDS = frozenset({OrderStatus.RETURN_STARTED, OrderStatus.REFUNDED, OrderStatus.CANCELLED})


@dataclass(slots=True)
class Group:
    """The parses of one order, in time order. ``parcels`` are the tracking keys of what is sent to the buyer."""

    key: tuple[str, ...]
    parses: list[OrderParse] = field(default_factory=list)
    parcels: set[str] = field(default_factory=set)


def group_parses(parses: Sequence[OrderParse]) -> list[Group]:
    """Every parse is in a group; a carrier's mail about parcels of several orders is in each of theirs.

    ``parses`` are sorted by time. A parse without order number and tracking number forms a group with those of the
    same message only.
    """
    numbered = [p for p in parses if number_key(p.order.order_number)]
    tracked = [p for p in parses if not number_key(p.order.order_number) and tracking_keys(p)]
    keyless = [p for p in parses if not number_key(p.order.order_number) and not tracking_keys(p)]
    groups = _by_number(numbered)
    groups += _attach(tracked, groups)
    by_message: dict[str, Group] = {}
    for parse in keyless:
        group = by_message.setdefault(parse.message_id, Group(key=("message", parse.message_id)))
        group.parses.append(parse)
    groups += by_message.values()
    for group in groups:
        group.parses.sort(key=time_order)
    return groups


def time_order(parse: OrderParse) -> tuple[object, ...]:
    """Sorts by arrival; the ids make the order of simultaneous mails definite."""
    return parse.received_at, parse.message_id, parse.position


def tracking_keys(parse: OrderParse) -> list[str]:
    """The parse's tracking numbers as keys, without empty ones."""
    return [key for key, _ in tracking_pairs(parse)]


def tracking_pairs(parse: OrderParse) -> list[tuple[str, str]]:
    """The parse's tracking numbers as (key, as written), without those that have no letter or digit."""
    return [(key, number) for number in parse.order.tracking_numbers if (key := tracking_key(number))]


def _by_number(parses: Iterable[OrderParse]) -> list[Group]:
    numbers: dict[str, list[OrderParse]] = defaultdict(list)
    for parse in parses:
        numbers[number_key(parse.order.order_number)].append(parse)
    return [group for number, same in numbers.items() for group in _by_shop(number, same)]


def _by_shop(number: str, parses: list[OrderParse]) -> Iterator[Group]:
    """One number may belong to several shops; names of one shop are joined first."""
    shops: Disjoint[str] = Disjoint()
    seen_at: dict[str, str] = {}
    for parse in parses:
        shop = merchant_key(parse.order.merchant)
        shops.find(shop)
        for tracking in tracking_keys(parse):
            shops.union(shop, seen_at.setdefault(tracking, shop))
    names = sorted({merchant_key(p.order.merchant) for p in parses} - {""})
    if len(number) >= LONG_NUMBER:
        for one, other in _beginnings(names):
            shops.union(one, other)
    if len({shops.find(name) for name in names}) == 1:
        shops.union("", names[0])  # mail that does not name its shop
    groups: dict[str, Group] = {}
    for parse in parses:
        shop = merchant_key(parse.order.merchant)
        group = groups.setdefault(shops.find(shop), Group(key=("order", shop, number)))
        group.parses.append(parse)
        if parse.order.status not in BACKWARDS:
            group.parcels.update(tracking_keys(parse))
    yield from groups.values()


def _beginnings(names: list[str]) -> Iterator[tuple[str, str]]:
    """Pairs of sorted names of which the first begins the second ("amazon", "amazonmarketplace"), in one pass."""
    open_names: list[str] = []
    for name in names:
        while open_names and not name.startswith(open_names[-1]):
            open_names.pop()
        if open_names:
            yield open_names[-1], name
        if len(name) >= LONG_NAME:
            open_names.append(name)


def _attach(tracked: Sequence[OrderParse], groups: Sequence[Group]) -> list[Group]:
    """Put parses that have only tracking numbers into the groups which know these; return groups for the rest."""
    holders: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        for key in {key for parse in group.parses for key in tracking_keys(parse)}:
            holders[key].append(group)
    together: Disjoint[str] = Disjoint()
    for parse in tracked:
        keys = tracking_keys(parse)
        for key in keys:
            together.union(keys[0], key)
    held_by: dict[str, dict[int, Group]] = defaultdict(dict)
    for parse in tracked:
        for key in tracking_keys(parse):
            held_by[together.find(key)].update({id(group): group for group in holders.get(key, ())})
    fresh: dict[str, Group] = {}
    for parse in tracked:
        targets: dict[int, Group] = {}
        for key in tracking_keys(parse):
            owners = holders.get(key) or _owners_of_orphan(key, together.find(key), held_by, fresh)
            for group in owners:
                if key not in holders:
                    group.parcels.add(key)
                targets[id(group)] = group
        for group in targets.values():
            group.parses.append(parse)
    return list(fresh.values())


def _owners_of_orphan(
    key: str, root: str, held_by: dict[str, dict[int, Group]], fresh: dict[str, Group]
) -> list[Group]:
    """A parcel that no order names belongs to the one order whose parcel it was mentioned with, else to its own."""
    owners = list(held_by[root].values())
    if len(owners) == 1:
        return owners
    own = key if owners else root
    return [fresh.setdefault(own, Group(key=("parcel", key)))]
