"""The lines of an order, where they are plain.

Belongs here: rows of name, quantity and price. Not here: pictures of products, recommendations, prose. Rows are kept
only when they add up to the subtotal or the total that the mail states: what adds up is no recommendation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from orders_pipeline.extract.extractor import Reading
from orders_pipeline.extract.label_money import MONEY_FIELDS
from orders_pipeline.extract.money import NumberStyle, find_money, first_money, style_of
from orders_pipeline.extract.text import evidence_text, one_line
from orders_pipeline.extract.view import Body, View
from orders_pipeline.models import Item

MAX_ROWS = 300
MAX_NAME = 200
MAX_RUN = 60
_QUANTITY = re.compile(
    r"(?:(?:qty|quantity|anzahl|menge|quantite|qte|cantidad|quantita|aantal|ilosc|antal|数量"
    r"|個数)\.?[:： ]*)?(?:x ?)?(\d{1,3})(?: ?(?:x|×|stk\.?|st\.?|pcs\.?|個|点))?",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:(?:item |unit )?price|items?|postage|amount|insurance|handling|tip|fees?|preis|betrag|prix|montant|prezzo"
    r"|precio|prijs|cena|pris|価格|金額|charges?|card|payment|billed|trip fare|fare)s?[: ]*",
    re.IGNORECASE,
)
_CARD = re.compile(
    r"[•*·xX…]{2,} ?\d{2,4}$|(?:visa|mastercard|maestro|amex|american express|paypal|apple pay|google pay|klarna)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"(\d{1,3}) ?[x×] (.{3,})")
_TRAILING = re.compile(r"(.{3,400}?) ?[x×] ?(\d{1,3})")
# A row of plain text: name, quantity, amount. Such rows too must add up.
_COLUMNS = re.compile(
    r"(\S(?:[^\n]{0,120}\S)?) {1,40}(\d{1,3}) {1,40}"
    r"((?=[^\n]{0,20}(?:[.,]\d\d(?!\d)|[€$£¥円]|zł|kr))(?:[^\w\s]{1,3}"
    r"|[A-Z]{2,3}\$? ?)?\d[\d.,' ]{0,12}(?: ?[^\W\d]{1,3}\.?| ?[^\w\s])?)"
)
_COUNT = re.compile(r" \d{1,3} ")  # few lines hold one, and it is found ten times as fast as a row is refused
_JAPANESE = re.compile(
    r"商品名?[:：・ ]*([^\n]{2,200})\n(?:[^\n]{0,60}\n){0,3}?(?:単価|価格|金額)[:： ]*([^\n]{1,30})\n(?:個数"
    r"|数量)[:： ]*(\d{1,3})"
    r"|商品名[:：・ ]*([^\n]{2,200})\n(?:個数|数量)[:： ]*(\d{1,3}) ?個?\n(?:単価|価格)[:： ]*([^\n]{1,30})"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    item: Item
    amount: Decimal
    start: int
    end: int


class ItemExtractor:
    """Reads rows of items that add up."""

    name = "items"
    most = ()

    def matches(self, view: View) -> bool:
        return bool(view.tables)

    def extract(self, view: View) -> list[Reading]:
        for body in view.bodies:
            style = style_of(body.text, domain=view.sender_domain, language=view.tables[0].language)
            found = view.labels[body.source]
            labelled = {x.start for x in found} | {x.end for x in found if x.field in MONEY_FIELDS}
            sums = _stated_sums(view, body, style)
            for rows in (list(_rows(body, style, labelled)), list(_japanese(body, style))):
                if kept := _adding_up(rows, sums) or _adding_up(_by_unit(rows), sums):
                    return [self._reading(row, body) for row in kept]
        return []

    def _reading(self, row: _Row, body: Body) -> Reading:
        text = evidence_text(body.text[row.start : row.end])
        return Reading(
            field="item",
            value=row.item,
            extractor=self.name,
            source=body.source,
            text=text,
            strength=0.7,
            offset=row.start,
        )


def _stated_sums(view: View, body: Body, style: NumberStyle) -> set[Decimal]:
    """The amounts that stand behind labels of subtotal and total."""
    sums: set[Decimal] = set()
    for label in view.labels[body.source]:
        if label.field in ("subtotal", "total"):
            end = body.text.find("\n", label.end)
            if end >= 0 and end - label.end < 4:
                following = body.text.find("\n", end + 1)
                if not re.search(r"[^\W\d_]{4}", body.text[end : following if following >= 0 else end + 120]):
                    end = following
            reach = body.text[label.end : end if end >= 0 else len(body.text)][:120]
            sums |= {m.amount for m in find_money(reach, style, bare=True) if m.amount}
    return sums


def _rows(body: Body, style: NumberStyle, labelled: set[int]) -> Iterator[_Row]:
    start = 0
    for line in body.text.split("\n")[:MAX_ROWS]:
        end = start + len(line)
        cells = [c.strip() for c in line.split("\t") if c.strip()]
        if len(cells) == 1 and _COUNT.search(cells[0]) and (columns := _COLUMNS.fullmatch(cells[0][:MAX_NAME])):
            cells = [columns[1].rstrip(" ×x"), columns[2], columns[3]]
        name_end = start + len(line.split("\t", 1)[0].rstrip(" :："))
        told = start in labelled or name_end in labelled  # "Total", "New order total"
        if 2 <= len(cells) <= 6 and not told and (row := _row(cells, style, start, end)):
            yield row
        start = end + 1


def _row(cells: Sequence[str], style: NumberStyle, start: int, end: int) -> _Row | None:
    last = first_money(cells[-1], style, bare=True)
    while len(cells) > 2 and re.fullmatch(r"\d{1,3}[.)]?", cells[0]):
        cells = cells[1:]  # the number of the row
    name = cells[0]
    if last is None or last.amount is None or _too_much_beside(cells[-1], last.start, last.end):
        return None
    quantity: Decimal | None = None
    for cell in cells[1:-1]:
        if match := _QUANTITY.fullmatch(cell):
            quantity = Decimal(match[1])
    if match := _LEADING.fullmatch(name):
        quantity, name = quantity or Decimal(match[1]), match[2]
    elif match := _TRAILING.fullmatch(name):
        quantity, name = quantity or Decimal(match[2]), match[1]
    if (
        name[-1] in ":："
        or not re.search(r"[^\W\d_]{2}", name)
        or _HEADING.fullmatch(name)
        or _CARD.search(name)
        or last.amount < 0
    ):
        return None
    unit = _unit_price(last.amount, quantity, [m for c in cells[1:-1] if (m := first_money(c, style)) and m.amount])
    return _Row(Item(name=one_line(name, MAX_NAME), quantity=quantity, price=unit), last.amount, start, end)


def _too_much_beside(cell: str, start: int, end: int) -> bool:
    """A day ("11.05.2026") begins like an amount."""
    beside = cell[:start] + cell[end:]
    return len(beside) > 6 or any(c.isdigit() for c in beside)


def _unit_price(amount: Decimal, quantity: Decimal | None, others: Sequence[object]) -> Decimal | None:
    """The price of one: the row's amount divided, when it divides to the cent."""
    if not quantity or quantity == 1:
        return amount
    unit = amount / quantity
    return unit.quantize(Decimal("0.01")) if unit == unit.quantize(Decimal("0.01")) else None


def _japanese(body: Body, style: NumberStyle) -> Iterator[_Row]:
    for match in _JAPANESE.finditer(body.text[:20_000]):
        name, price, count = (match[1], match[2], match[3]) if match[1] else (match[4], match[6], match[5])
        money = first_money(price, style, bare=True)
        if money and money.amount is not None:
            item = Item(name=one_line(name, MAX_NAME), quantity=Decimal(count), price=money.amount)
            yield _Row(item, money.amount * Decimal(count), match.start(), match.end())


def _by_unit(rows: Sequence[_Row]) -> list[_Row]:
    """The same rows, their amounts taken for the price of one."""
    return [
        replace(row, amount=row.amount * (row.item.quantity or 1), item=replace(row.item, price=row.amount))
        for row in rows
    ]


def _adding_up(rows: Sequence[_Row], sums: set[Decimal]) -> list[_Row]:
    """The runs of rows whose amounts make one of the stated sums: one run for each order of the mail."""
    kept: list[_Row] = []
    used: set[Decimal] = set()  # a sum told twice (subtotal, total, what was charged) is that of the same rows
    run: list[_Row] = []
    for row in rows:
        run.append(row)
        total, best = Decimal(0), 0
        for count, earlier in enumerate(reversed(run[-MAX_RUN:]), 1):  # what stands above the rows is none of them
            total += earlier.amount
            best = count if total in sums and total not in used else best
        if best:
            kept += run[-best:]
            used.add(sum((r.amount for r in run[-best:]), Decimal(0)))
            run = []
    return kept
