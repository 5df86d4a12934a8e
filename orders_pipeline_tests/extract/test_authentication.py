"""What the receiving server found out about a sender."""

from __future__ import annotations

import pytest

from orders_pipeline.config import ParseSettings
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.models import Email, Outcome
from orders_pipeline_tests.extract.mails import mail, parse

LINES = "Thank you for your order.\nOrder number: FW-1042\nTotal\t$83.80"


def order(*results: str) -> Email:
    """An order with Authentication-Results, the receiving server's first."""
    headers = tuple(("Authentication-Results", value) for value in results)
    return mail("Fjordwool <store@fjordwool.example>", "Your order FW-1042", LINES, headers=headers)


@pytest.mark.parametrize(
    "results",
    [
        "mx.home.example; spf=pass; dkim=none; dmarc=fail header.from=fjordwool.example",
        "mx.home.example; spf=softfail; dkim=fail header.d=fjordwool.example",
    ],
)
def test_mail_that_fails_authentication_is_no_order(results: str) -> None:
    """Anyone can write a shop's address: an order history that believes it can be filled by anyone."""
    result = parse(order(results))
    assert (result.outcome, result.reason) == (Outcome.NOT_ORDER, "spoofed")


@pytest.mark.parametrize(
    "results",
    [
        "mx.home.example; spf=pass; dkim=pass; dmarc=pass",
        "mx.home.example; spf=fail; dkim=pass header.d=fjordwool.example",  # forwarded by an alias: the signature holds
        "mx.home.example; arc=pass; spf=fail; dkim=fail; dmarc=fail",  # through a list that seals what it received
        "mx.home.example; none",
    ],
)
def test_mail_that_passes_or_was_passed_on_counts(results: str) -> None:
    """Mail through an alias breaks SPF, mail through a list breaks both: whole mailboxes arrive in that way."""
    assert parse(order(results)).outcome is Outcome.PARSED


def test_only_the_receiving_servers_header_counts() -> None:
    """A sender can write a header of its own below, saying that all is well, or that another failed."""
    assert parse(order("mx.home.example; dmarc=fail", "mx.home.example; dmarc=pass")).reason == "spoofed"
    assert parse(order("mx.home.example; dmarc=pass", "elsewhere.example; dmarc=fail")).outcome is Outcome.PARSED


def test_failed_authentication_can_be_accepted() -> None:
    """A mailbox behind a relay that breaks everything would have no orders at all."""
    settings = ParseSettings(accept_failed_authentication=True)
    assert parse_message(order("mx.home.example; dmarc=fail"), settings).outcome is Outcome.PARSED
