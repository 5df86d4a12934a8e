"""Forwarded mail: whose forward counts as the mail forwarded.

Belongs here: choosing between a message and the one inside it. Not here: opening forwards (the mail package does).
"""

from __future__ import annotations

import re

from orders_pipeline.config import OwnerSettings
from orders_pipeline.extract.brands import MAIL_HOSTS, brand_of
from orders_pipeline.models import Email

_ANSWER_SUBJECT = re.compile(r"^\s*(?:re|aw|antw|sv|r|odp|回复|res)\s*[:：]", re.IGNORECASE)
_FORWARD_SUBJECT = re.compile(r"^\s*(?:fwd?|wg|tr|rv|i|pd|vs|vb|vl|enc|doorst|転送)\s*[:：]", re.IGNORECASE)


def original_of(email: Email, owner: OwnerSettings) -> tuple[Email, str | None]:
    """The mail to read, and a reason when it must not count: the same text from a stranger proves nothing.

    A forward counts when an address of the owner sent it; with no owner configured nobody can be told from the owner.
    What was forwarded several times is opened to the end, and each who forwarded it must be the owner. An answer of
    the owner quotes an order and is none.
    """
    known = frozenset(address.strip().lower() for address in owner.addresses)
    if _sent_by(email, known) and _ANSWER_SUBJECT.match(email.subject):
        return email, "reply"
    current, first = email, True
    for inner in email.inner:
        if not _forwards(current, inner, known, outermost=first):
            break
        by_owner = _sent_by(current, known)
        if not (inner.sender.address or inner.subject) or (not by_owner and _same_house(current, inner)):
            break
        if known and not by_owner:
            return inner, "forward_unverified"
        current, first = inner, False
    return current, None


def _sent_by(email: Email, known: frozenset[str]) -> bool:
    return email.sender.address.strip().lower() in known


def _same_house(email: Email, inner: Email) -> bool:
    """Whether outer and inner mail come from one company: then it is that sender's own way of writing."""
    brand = brand_of(email.sender.domain)
    return bool(brand) and brand not in MAIL_HOSTS and brand == brand_of(inner.sender.domain)


def _forwards(email: Email, inner: Email, known: frozenset[str], *, outermost: bool) -> bool:
    """A forward by its subject, by who sent it, or by its form. An answer quotes in the same form; inside a forward a
    shop's mail that quotes is told by the subject alone."""
    if _ANSWER_SUBJECT.match(email.subject):
        return False
    if _FORWARD_SUBJECT.match(email.subject) or _sent_by(email, known):
        return True
    return outermost and inner.forwarded == "inline"
