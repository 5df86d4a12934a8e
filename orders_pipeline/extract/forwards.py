"""Forwarded mail: whose forward counts as the mail forwarded.

Belongs here: choosing between a message and the one inside it. Not here: opening forwards (the mail package does).
"""

from __future__ import annotations

import re

from orders_pipeline.config import OwnerSettings
from orders_pipeline.extract.brands import MAIL_HOSTS, brand_of
from orders_pipeline.models import Email

_ANSWER_SUBJECT = re.compile(r"^\s*(?:re|aw|antw|sv|r|odp|回复|res)\s*:", re.IGNORECASE)
_FORWARD_SUBJECT = re.compile(r"^\s*(?:fwd?|wg|tr|rv|i|pd|vs|vb|enc)\s*:", re.IGNORECASE)


def original_of(email: Email, owner: OwnerSettings) -> tuple[Email, str | None]:
    """The mail to read, and a reason when it must not count: the same text from a stranger proves nothing.

    A forward counts when an address of the owner sent it; with no owner configured nobody can be told from the owner.
    """
    if not email.inner or not _is_forward(email):
        return email, None
    inner = email.inner[0]
    if not (inner.sender.address or inner.subject) or _same_house(email, inner):
        return email, None
    known = {address.strip().lower() for address in owner.addresses}
    if not known or email.sender.address.strip().lower() in known:
        return inner, None
    return inner, "forward_unverified"


def _same_house(email: Email, inner: Email) -> bool:
    """Whether outer and inner mail come from one company: then it is that sender's own way of writing."""
    brand = brand_of(email.sender.domain)
    return bool(brand) and brand not in MAIL_HOSTS and brand == brand_of(inner.sender.domain)


def _is_forward(email: Email) -> bool:
    """A forward by its subject, or by its form unless it is an answer, which quotes in the same form."""
    if _ANSWER_SUBJECT.match(email.subject):
        return False
    return bool(_FORWARD_SUBJECT.match(email.subject)) or email.inner[0].forwarded == "inline"
