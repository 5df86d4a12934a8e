"""Reading ends soon whatever a text is made of: every pattern is linear, or looks at little."""

from __future__ import annotations

import datetime as dt
import importlib
import pkgutil
import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orders_pipeline import extract
from orders_pipeline.config import ParseSettings
from orders_pipeline.extract.label_index import FIELDS, find_labels
from orders_pipeline.extract.label_tables import TABLES, LabelTable
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.extract.status_phrases import find_phrases
from orders_pipeline.extract.text import _FOLDING, _PLAIN, fold, plain
from orders_pipeline.extract.view import MAX_BODY
from orders_pipeline.models import Address, Email

START = "Your order has shipped. Order number: 1234567 tracking delivery receipt total\n"
SENDERS = ("a@shop.example", "a@amazon.com", "a@ebay.com", "a@paypal.com", "a@ups.com", "a@dhl.de")
SYNTAX = re.compile(r"\(\?<?[!:=]|[\\()|?*+\[\]{}^$.]")
MARKS = [*" \t\n>.,:;-–#$€£¥'\"()[]{}【】=/&@%*|xX×0159aéßｱ７ﷺ", "http://", "https://dhl.com/", "1z", "\n\n"]
VARYING = (
    "order number: 1{:06}\n", "tracking number: 12345{:06}\n", "1z{:016} ", "total: ${}.00\n", "Item {}\t2\t$3.00\n",
    "arriving on jan {} ", "https://x{}.example/track?tracking={:012}\n", "111-{:07}-1234567 ", "merchant: Shop{}\n",
    "注文番号:{:08}\n", "商品名: a{}\n価格: 1円\n個数: 1\n", "transaction id {:016}A\n", "your order from Shop{} is\n",
)  # fmt: skip


def words(table: LabelTable) -> list[str]:
    """What a table's patterns are made of, without their syntax."""
    patterns = [p for name in FIELDS for _, p in getattr(table, name)] + [p for _, _, p in table.statuses]
    parts = SYNTAX.sub(" ", " ".join([*patterns, *table.decoys, *table.hints, *table.shops])).split()
    return sorted({part for part in parts if len(part) > 1})


WORDS = [word for table in TABLES for word in words(table)]
UNITS = st.lists(st.sampled_from(WORDS) | st.sampled_from(MARKS), min_size=1, max_size=4).map("".join)


def patterns() -> dict[str, re.Pattern[str]]:
    """Every pattern that a module of the package holds."""
    found: dict[str, re.Pattern[str]] = {}
    for info in pkgutil.walk_packages(extract.__path__, f"{extract.__name__}."):
        for name, value in vars(importlib.import_module(info.name)).items():
            if isinstance(value, re.Pattern):
                found[f"{info.name.rpartition('.')[2]}.{name}"] = value
    return found


def read(text: str, sender: str) -> float:
    """The processor seconds of reading a mail of this text; ``TooMuchWork`` passes through."""
    when = dt.datetime(2026, 5, 11, tzinfo=dt.UTC)
    address = Address(name=text[len(START) : len(START) + 300], address=sender)
    email = Email(message_id="1", subject=text[:600], sender=address, sent_at=when, text=text, html_text=text)
    started = time.process_time()
    parse_message(email, ParseSettings())
    return time.process_time() - started


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(UNITS, st.sampled_from(SENDERS), st.sampled_from((0, 80, 3_000)))
def test_a_mail_that_repeats_anything_is_read_soon(unit: str, sender: str, line: int) -> None:
    """A pattern that backtracks, or a loop in a loop, lets one mail hold the pipeline."""
    block = (unit * (line // len(unit) + 1))[:line] + "\n" if line else unit
    assert read(START + (block * (MAX_BODY // len(block) + 1))[:MAX_BODY], sender) < 2  # 0.6 s at most here


@pytest.mark.parametrize("form", VARYING)
def test_a_mail_with_thousands_of_values_is_read_soon(form: str) -> None:
    """Each reading compared with each other one: thousands of numbers would take minutes."""
    text = START + "".join(form.format(i, i) for i in range(MAX_BODY // len(form)))
    assert max(read(text, sender) for sender in SENDERS) < 2  # 0.6 s at most here


@pytest.mark.parametrize(("name", "pattern"), patterns().items(), ids=patterns().keys())
def test_no_pattern_explodes(name: str, pattern: re.Pattern[str]) -> None:
    """Exponential or cubic in a short text: no bound on the text would help."""
    pieces = [
        *MARKS,
        "a ",
        "1 ",
        "1,",
        "1.234,",
        "a-",
        "(a",
        "[a",
        "> ",
        ", ",
        "ab12",
        *SYNTAX.sub(" ", pattern.pattern).split()[:30],
    ]
    started = time.process_time()
    for piece in pieces:
        text = (piece * (1_000 // len(piece) + 1))[:1_000]
        pattern.search(text)
        pattern.match(text + "!")
        pattern.fullmatch(text)
    assert time.process_time() - started < 5  # 0.02 to 0.9 s here


@pytest.mark.parametrize("table", TABLES, ids=lambda t: t.language)
def test_no_pattern_of_a_language_explodes(table: LabelTable) -> None:
    """The tables' own words are what their patterns backtrack on."""
    started = time.process_time()
    for word in words(table):
        text = fold((f"{word} " * 400)[:2_000])
        list(find_labels((table,), text))
        list(find_phrases((table,), text, weak=False))
        list(find_phrases((table,), text, weak=True))
    assert time.process_time() - started < 8  # 0.2 to 1.5 s here


def test_a_mail_of_every_character_is_not_remembered() -> None:
    """The tables of folded characters would grow by 100 MB each, in every process, for good."""
    text = "".join(map(chr, range(0x10000, 0x30000)))
    assert len(fold(text)) == len(text)
    assert plain(text + "\u200b") == plain(text)
    assert len(_FOLDING) <= 20_000
    assert len(_PLAIN) <= 20_000
