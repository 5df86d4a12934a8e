"""Scoring one message whose orders are known in full, as a person decided on them.

Belongs here: pairing the orders said with the expected ones, and the verdict of each field. Not here: labels, of which
only some fields are known (score), equality of values (fields), sums (score).

Unlike with a label, silence is known to be right or wrong: a field that the mail does not tell is ``absent`` when
nothing was said, and ``surplus`` when something was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from orders_pipeline.scoring.fields import bare, same
from orders_pipeline.scoring.labels import FIELDS, Label
from orders_pipeline.scoring.score import ABSENT, DETECT, MISSED, RIGHT, SURPLUS, WRONG, Case, Fault

ORDER_FIELDS = (*FIELDS, "subtotal", "shipping", "tax", "discount", "items")
_WORST_FIRST = (WRONG, MISSED, SURPLUS, RIGHT, ABSENT)

Order = Mapping[str, Any]


def order_case(name: str, expected: Sequence[Order], said: Sequence[Order] | None) -> Case:
    """The verdicts of one message over its orders, each as ``encoding.order_to_dict`` gives it (evidence is not read,
    keys may be missing). ``said`` is None when the message could not be handled at all.

    A field's verdict is the worst that it has in any order. The order of the orders does not matter.
    """
    label = Label(name, "order" if expected else "not_order", _values(expected), len(expected) > 1)
    if said is None:
        return Case(label, False, False, _silence(expected), {}, (Fault(name, "handled", ("an outcome",), ()),))
    verdicts: dict[str, str] = {DETECT: _detected(len(expected), len(said))}
    surplus: dict[str, int] = {}
    faults: list[Fault] = []
    if verdicts[DETECT] != RIGHT:
        faults.append(Fault(name, DETECT, (_count(len(expected)),), (_count(len(said)),)))
    pairs = list(_paired(expected, said))
    for field in ORDER_FIELDS:
        found = [_judge(field, values_of(right, field), values_of(guess, field)) for right, guess in pairs]
        if not found:
            continue
        verdicts[field] = min((verdict for verdict, _ in found), key=_WORST_FIRST.index)
        if extra := sum(count for _, count in found):
            surplus[field] = extra
        if verdicts[field] not in (RIGHT, ABSENT) or extra:
            got = tuple(v for _, guess in pairs for v in values_of(guess, field))
            faults.append(Fault(name, field, label.values.get(field, ()), got))
    if not expected:  # whatever was said of a mail that orders nothing is one fault, not one a field
        verdicts, surplus, faults = {DETECT: verdicts[DETECT]}, {}, faults[:1] if said else []
    return Case(label, True, bool(said), verdicts, surplus, tuple(faults))


def values_of(order: Order, field: str) -> tuple[str, ...]:
    """The values of a field of one order as texts; the items are one value: what they are, how many, for how much."""
    if field == "items":
        items = [_item(item) for item in order.get("items") or ()]
        return ("; ".join(items),) if items else ()
    value = order.get("tracking_numbers" if field == "tracking_number" else field)
    values = value if isinstance(value, list | tuple) else (value,)
    return tuple(str(v) for v in values if v not in (None, ""))


def _item(item: Mapping[str, Any]) -> str:
    parts = (item.get("quantity") or "1", "x", item.get("name") or "", item.get("price") or "")
    return " ".join(str(part) for part in parts).strip()


def _values(orders: Sequence[Order]) -> dict[str, tuple[str, ...]]:
    found = {field: tuple(v for order in orders for v in values_of(order, field)) for field in ORDER_FIELDS}
    return {field: values for field, values in found.items() if values}


def _silence(expected: Sequence[Order]) -> dict[str, str]:
    return {DETECT: MISSED, **dict.fromkeys(_values(expected), MISSED)}


def _detected(expected: int, said: int) -> str:
    if expected == said:
        return RIGHT
    return MISSED if said < expected else SURPLUS if expected else WRONG


def _count(number: int) -> str:
    return "no order" if number == 0 else "an order" if number == 1 else f"{number} orders"


def _paired(expected: Sequence[Order], said: Sequence[Order]) -> Iterator[tuple[Order, Order]]:
    """Each expected order with the most alike of those said; what is left on either side stands alone."""
    likeness = sorted(
        ((-_alike(e, s), i, j) for i, e in enumerate(expected) for j, s in enumerate(said)),
    )
    rights, guesses = set(range(len(expected))), set(range(len(said)))
    for _, i, j in likeness:
        if i in rights and j in guesses:
            rights.discard(i)
            guesses.discard(j)
            yield expected[i], said[j]
    yield from ((expected[i], {}) for i in sorted(rights))
    yield from (({}, said[j]) for j in sorted(guesses))


def _alike(one: Order, other: Order) -> int:
    weights = {"order_number": 8, "tracking_number": 4, "total": 2, "merchant": 1}
    return sum(
        weight
        for field, weight in weights.items()
        if {bare(v) for v in values_of(one, field)} & {bare(v) for v in values_of(other, field)}
    )


def _judge(field: str, rights: tuple[str, ...], guesses: tuple[str, ...]) -> tuple[str, int]:
    """The verdict on one field of one order, and how many values were said beyond the right ones."""
    others = {bare(g) for g in guesses if not any(same(field, right, g) for right in rights)}
    if not rights:
        return (SURPLUS, len(others)) if guesses else (ABSENT, 0)
    if not guesses:
        return MISSED, 0
    hits = sum(any(same(field, right, g) for g in guesses) for right in rights)
    if hits == len(rights):
        return RIGHT, len(others)
    return (WRONG, 0) if others else (MISSED, 0)
