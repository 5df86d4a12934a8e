"""Whose forward counts. The layouts of mail programs are pairs in fixtures/forwards."""

from __future__ import annotations

import dataclasses

import pytest

from orders_pipeline.config import OwnerSettings
from orders_pipeline.extract.forwards import original_of
from orders_pipeline.models import Email
from orders_pipeline_tests.extract.mails import mail

OWNER = OwnerSettings(addresses=("Robin@Home.example",))
SHOP = dataclasses.replace(mail("orders@shop.example", "Order 1042 confirmed", "Total: 5.00"), forwarded="inline")


def forward(sender: str, subject: str, *inner: Email) -> Email:
    return dataclasses.replace(mail(sender, subject, "see below"), inner=inner, forwarded="inline")


def test_a_forward_to_oneself_is_opened_to_the_end() -> None:
    """The mail between has no order, and its sender would be the merchant."""
    between = forward("robin@home.example", "Fwd: Order 1042 confirmed")
    again = forward("robin@home.example", "Fwd: Fwd: Order 1042 confirmed", between, SHOP)
    assert original_of(again, OWNER) == (SHOP, None)


@pytest.mark.parametrize("between", ["Fwd: Order", "FW：Order"])
def test_a_strangers_forward_inside_the_owners_is_not_trusted(between: str) -> None:
    """Who writes to the owner would write into the order history as soon as the owner forwards it."""
    stranger = forward("kim@elsewhere.example", between)
    assert original_of(forward("robin@home.example", "Fwd: Order", stranger, SHOP), OWNER)[1] == "forward_unverified"


def test_what_a_shop_quotes_is_not_taken_for_its_mail() -> None:
    """A shop's answer quotes the question; the newer words count."""
    question = dataclasses.replace(mail("robin@home.example", "Where is it?", "?"), forwarded="inline")
    owners = forward("robin@home.example", "Fwd: Order 1042 confirmed", SHOP, question)
    assert original_of(owners, OWNER) == (SHOP, None)


def test_an_answer_of_the_owner_is_no_order() -> None:
    """The owner's name became the merchant of an order that was only quoted."""
    answer = forward("robin@home.example", "Re: Order 1042 confirmed", SHOP)
    assert original_of(answer, OWNER) == (answer, "reply")


def test_without_a_configured_owner_a_forward_counts() -> None:
    """A folder of mail parsed by hand names no owner."""
    owners = forward("robin@home.example", "Fwd: Order 1042 confirmed", SHOP)
    assert original_of(owners, OwnerSettings()) == (SHOP, None)
