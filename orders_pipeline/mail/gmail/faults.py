"""What an answer of Gmail's API means when it is no success.

Belongs here: status and error body to a kind of fault, and the line for people. Not here: waiting, trying again. The
reasons are those of Google's guide "Resolve errors", in the old form (errors[].reason) and the new (details[].reason).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from typing import Any

from orders_pipeline.encoding import printable_line
from orders_pipeline.mail.oauth_file import login_command


class Kind(Enum):
    """What is to be done about it."""

    RATE = auto()  # wait, and ask for less at once
    SERVER = auto()  # wait: an error of the server, the network, or an answer that is none
    LOGIN = auto()  # another access token, else a person
    GONE = auto()  # the message is not there
    PAGE = auto()  # the page token is no longer known
    REFUSED = auto()  # a person


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One answer that is no success. ``text`` is one line; ``retry_after`` is in seconds, None when not said."""

    kind: Kind
    text: str
    retry_after: float | None = None
    too_large: bool = False


_RATE = frozenset(
    {"rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded", "concurrentLimitExceeded", "RATE_LIMIT_EXCEEDED"}
)
_SCOPE = frozenset({"insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})
_NOT_ENABLED = frozenset({"accessNotConfigured", "SERVICE_DISABLED"})
_MAX_BODY = 64 * 1024


def torn(text: str) -> Fault:
    """An answer that is not what the API says: as good as none."""
    return Fault(kind=Kind.SERVER, text=text)


def fault_of(status: int, headers: Mapping[str, str], body: bytes, *, what: str, has_page_token: bool = False) -> Fault:
    """Classify an answer with a status other than 2xx; ``what`` is ``mailbox NAME``."""
    error = _error(body)
    reasons = _reasons(error)
    told = printable_line(str(error.get("message") or ""), 160)
    shown = f"Gmail answered HTTP {status}" + (f" ({told})" if told else "")
    wait = _retry_after(headers)
    if reasons & {"dailyLimitExceeded", "dailyLimitExceededUnreg"}:
        text = "the daily quota of the Google Cloud project is used up; it goes on tomorrow, or raise the quota there"
        return Fault(kind=Kind.REFUSED, text=text)
    if status == 429 or (status == 403 and (reasons & _RATE or error.get("status") == "RESOURCE_EXHAUSTED")):
        return Fault(kind=Kind.RATE, text=shown, retry_after=wait)
    if status >= 500 or status == 408:
        return Fault(kind=Kind.SERVER, text=shown, retry_after=wait)
    if status == 401:
        return Fault(kind=Kind.LOGIN, text=f"Gmail does not accept the login; run: {login_command(what)}")
    if status == 404 and error.get("code") == 404:
        return Fault(kind=Kind.GONE, text=shown)
    if status == 400 and has_page_token:
        return Fault(kind=Kind.PAGE, text=shown)
    return Fault(kind=Kind.REFUSED, text=_refused(status, reasons, told, shown, what))


def _refused(status: int, reasons: set[str], told: str, shown: str, what: str) -> str:
    if status == 403 and reasons & _SCOPE:
        return f"the login lacks the scope gmail.readonly; tick its box at: {login_command(what)}"
    if status == 403 and reasons & _NOT_ENABLED:
        return "the Gmail API is not enabled in the Google Cloud project of client_file; enable it there"
    if status == 403 and "domainPolicy" in reasons:
        return "the administrator of this Google Workspace does not allow the app; ask them to"
    if reasons & {"failedPrecondition"} or "not enabled" in told.lower():
        return f"this Google account cannot be read through Gmail ({told}); log in with another: {login_command(what)}"
    if status == 404:
        return f"{shown}: no Gmail API at this address; correct endpoint in the configuration"
    if 300 <= status < 400:
        return f"{shown}: a redirect, which is not followed; correct endpoint in the configuration"
    return f"{shown}; look up the reason ({', '.join(sorted(reasons)) or 'none given'}) in Google's guide to errors"


def _error(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body[:_MAX_BODY])
    except (ValueError, RecursionError):
        return {}
    error = data.get("error") if isinstance(data, dict) else None
    return error if isinstance(error, dict) else {}


def _reasons(error: Mapping[str, Any]) -> set[str]:
    entries = [e for name in ("errors", "details") if isinstance(error.get(name), list) for e in error[name]]
    found = {e["reason"] for e in entries if isinstance(e, dict) and isinstance(e.get("reason"), str)}
    return {printable_line(reason, 60) for reason in list(found)[:10]}


def _retry_after(headers: Mapping[str, str]) -> float | None:
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - dt.datetime.now(dt.UTC)).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
