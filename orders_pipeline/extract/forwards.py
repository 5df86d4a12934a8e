"""Forwarded mail: whose forward counts as the mail forwarded.

Belongs here: choosing between a message and the one inside it. Not here: opening forwards (the mail package does).
"""

from __future__ import annotations

import re

from orders_pipeline.config import OwnerSettings
from orders_pipeline.models import Email

_FORWARD_SUBJECT = re.compile(r"^\s*(?:fwd?|wg|tr|rv|i|pd|vs|vb|enc)\s*:", re.IGNORECASE)


def original_of(email: Email, owner: OwnerSettings) -> tuple[Email, str | None]:
    """The mail to read, and a reason when it must not count: the same text from a stranger proves nothing.

    A forward counts when an address of the owner sent it, or, with no owner configured, when its sender sent it to
    themselves or nobody else can be told from them.
    """
    if not email.inner or not _is_forward(email):
        return email, None
    inner = email.inner[0]
    if not inner.sender.address and not inner.subject:
        return email, None
    if same_house(email, inner):
        return email, None
    known = {a.strip().lower() for a in owner.addresses}
    if not known or email.sender.address.strip().lower() in known:
        return inner, None
    return inner, "forward_unverified"


def same_house(email: Email, inner: Email) -> bool:
    """Whether outer and inner mail come from one domain name: then it is the sender's own way of writing."""
    return (
        bool(email.sender.domain)
        and email.sender.domain.split(".")[:-1][-1:] == inner.sender.domain.split(".")[:-1][-1:]
    )


def _is_forward(email: Email) -> bool:
    return bool(_FORWARD_SUBJECT.match(email.subject)) or email.inner[0].forwarded == "inline"
