"""A model judge over a stub server, and mails for it.

Belongs here: what tests of the model judge share. Not here: the server (llm/stub_server.py), days and stores.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal

from orders_pipeline.encoding import parse_digest
from orders_pipeline.llm.client import ChatClient
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.model_settings import ModelSettings
from orders_pipeline.models import Email, Evidence, Item, OrderStatus, Outcome, ParsedOrder, ParseResult, Reviewable
from orders_pipeline.review.model import ModelJudge
from orders_pipeline.review.redact import redactor_for
from orders_pipeline_tests.llm.conftest import OpenGate
from orders_pipeline_tests.llm.stub_server import StubServer
from orders_pipeline_tests.review.builders import DAY, sha

PRIVATE = {
    "name": "Henrietta Blackwood",
    "given name": "Henrietta",
    "family name": "Blackwood",
    "street": "17 Marigold Street",
    "phone": "+44 7700 900461",
    "card": "4929 1234 5678 9012",
    "order number": "LL-2041788",
    "tracking number": "1Z9F00410398765432",
    "address": "henrietta.blackwood@pinewood.example",
}
LETTER = f"""\
From: Lantern & Loom <orders@lantern-loom.example>\r
To: {PRIVATE["name"]} <{PRIVATE["address"]}>\r
Subject: Your order {PRIVATE["order number"]} has been shipped\r
Date: Mon, 11 May 2026 09:30:00 +0200\r
Message-ID: <a1@lantern-loom.example>\r
Content-Type: text/plain; charset=utf-8\r
\r
Dear {PRIVATE["name"]},\r
\r
your order {PRIVATE["order number"]} is on its way with tracking number {PRIVATE["tracking number"]}.\r
\r
Wool blanket pin   EUR 7.25\r
Total: EUR 27.40\r
Paid by card {PRIVATE["card"]}. Questions? We call {PRIVATE["phone"]}.\r
\r
Ship to:\r
{PRIVATE["name"]}\r
{PRIVATE["street"]}\r
Pinewood\r
\r
A copy went to {PRIVATE["address"]}.\r
"""


def reviewable(raw: str, name: str = "m1") -> tuple[Reviewable, Email]:
    """A mail with the order that a parser found in it, evidence and all."""
    email = parse_email(raw.encode(), message_id=sha(name), received_at=None)
    number = PRIVATE["order number"]
    order = ParsedOrder(
        merchant="Lantern & Loom",
        order_number=number,
        tracking_numbers=(PRIVATE["tracking number"],),
        status=OrderStatus.SHIPPED,
        total=Decimal("27.40"),
        currency="EUR",
        items=(Item(name="Wool blanket pin", price=Decimal("7.25")),),
        evidence=(
            Evidence(field="order_number", value=number, extractor="labels", source="text", text=f"order {number} is"),
            Evidence(field="total", value="27.40", extractor="labels", source="text", text="Total: EUR 27.40"),
        ),
    )
    result = ParseResult(message_id=sha(name), outcome=Outcome.PARSED, reason="labels", orders=(order,), language="en")
    item = Reviewable(
        day=DAY,
        message_id=sha(name),
        parse_digest=parse_digest(result),
        canonical_digest=sha(name),
        template_digest="t",
        sender_domain="lantern-loom.example",
        received_at=dt.datetime(2026, 5, 11, 7, 30, tzinfo=dt.UTC),
        sent_at=None,
        result=result,
    )
    return item, email


def model_judge(server: StubServer, mails: Mapping[str, Email], **settings: object) -> ModelJudge:
    """A judge that asks the server about these mails, by message id."""
    given = {"base_url": server.url, "model": "judge-1", "timeout_seconds": 5.0, "retries": 0, **settings}
    client = ChatClient(ModelSettings.model_validate(given), OpenGate())
    return ModelJudge(
        client,
        lambda item: mails[item.message_id],
        lambda email, item: redactor_for(email, item.result, salt=b"a salt of the tests"),
    )
