"""What a person must mend is told in one line with the remedy, at once; what passes is waited for."""

from __future__ import annotations

import datetime as dt
from email.utils import format_datetime

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.faults import Kind, fault_of
from orders_pipeline.mail.gmail.source import GmailSource
from orders_pipeline_tests.loopback import Reply, as_json
from orders_pipeline_tests.mail.gmail.days import fill, window
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn, error

LINES = {
    "scope": (error(403, "insufficientPermissions"), "lacks the scope gmail.readonly"),
    "scope, new form": (error(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", new_form=True), "mailbox login post"),
    "API not enabled": (error(403, "accessNotConfigured"), "Gmail API is not enabled"),
    "API not enabled, new form": (error(403, "SERVICE_DISABLED", new_form=True), "enable it there"),
    "administrator": (error(403, "domainPolicy"), "administrator"),
    "no Gmail": (error(400, "failedPrecondition", "Mail service not enabled"), "cannot be read through Gmail"),
    "daily quota": (error(403, "dailyLimitExceeded"), "daily quota"),
    "unknown": (error(403, "somethingNew", "Be\x1b[2Jware\nof it"), r"HTTP 403 \(Be \[2Jware of it\).*somethingNew"),
    "bad request": (error(400, "badRequest"), "HTTP 400"),
    "not the API": (Reply(404, b"<html>"), "correct endpoint"),
    "redirect": (Reply(302, b"", {"Location": "http://127.0.0.1:9/"}), "a redirect, which is not followed"),
    "login": (error(401, "authError"), "Gmail does not accept the login; run: orders-pipeline mailbox login post"),
}


@pytest.mark.parametrize(("reply", "line"), LINES.values(), ids=LINES.keys())
@pytest.mark.parametrize("kind", ["list", "batch"])
def test_what_a_person_must_mend_is_one_line_with_the_remedy(
    gmail: GmailStandIn, source: GmailSource, waits: list[float], reply: Reply, line: str, kind: str
) -> None:
    """Waiting does not help, and an error number helps nobody."""
    fill(gmail, 3)
    gmail.fail(kind, reply, times=99)
    with pytest.raises(MailboxError, match=line) as caught:
        source.list(window())
    text = str(caught.value)
    assert text.startswith("mailbox post: ")
    assert text.isprintable()
    assert waits == []
    assert len(gmail.asked(kind)) <= 2


def test_an_access_token_that_ends_too_early_is_renewed_once(
    gmail: GmailStandIn, source: GmailSource, waits: list[float]
) -> None:
    """A login withdrawn and given anew, a clock that is wrong: the refresh token still holds."""
    ids = fill(gmail, 60)
    refs = source.list(window()).refs
    gmail.tokens.valid.clear()
    assert len(list(source.fetch(refs))) == len(ids)
    assert gmail.tokens.count == 2
    assert waits == []


def test_parts_of_a_batch_that_refuse_the_token_renew_it(gmail: GmailStandIn, source: GmailSource) -> None:
    """The status of the whole is 200 while each part says 401."""
    ids = fill(gmail, 10)
    refs = source.list(window()).refs
    gmail.fail(lambda r: r.parameters.get("format") == "raw", error(401, "authError"), times=20)
    assert len(list(source.fetch(refs))) == len(ids)
    assert gmail.tokens.count == 2


def test_a_login_that_is_never_accepted_is_no_storm_of_requests(gmail: GmailStandIn, source: GmailSource) -> None:
    """Renewed, refused, renewed, refused: that gets an account locked."""
    fill(gmail, 10)
    refs = source.list(window()).refs
    gmail.fail(lambda r: r.parameters.get("format") == "raw", error(401, "authError"), times=9999)
    gmail.requests.clear()
    with pytest.raises(MailboxError, match="mailbox login post"):
        list(source.fetch(refs))
    assert len(gmail.asked("batch")) <= 4
    assert len(gmail.asked("token")) == 1


def test_a_withdrawn_consent_is_told_in_one_line_and_heals_by_a_new_login(
    gmail: GmailStandIn, source: GmailSource
) -> None:
    """A project in testing loses its login each week: the line says what to do, and nothing is asked for again."""
    ids = fill(gmail, 3)
    known, gmail.tokens.refresh_token = gmail.tokens.refresh_token, "another"
    for _ in range(2):
        gmail.requests.clear()
        with pytest.raises(MailboxError, match=r"invalid_grant: .*; run: orders-pipeline mailbox login post$"):
            source.list(window())
        assert [r.kind for r in gmail.requests] == ["token"]
    gmail.tokens.refresh_token = known
    assert len(source.list(window()).refs) == len(ids)


@pytest.mark.parametrize(("value", "least", "most"), [("7", 7, 7), ("0", 0, 0), (None, 60, 91)])
def test_retry_after_is_read_in_seconds_and_as_a_date(value: str | None, least: float, most: float) -> None:
    """Both forms are allowed."""
    date = format_datetime(dt.datetime.now(dt.UTC) + dt.timedelta(seconds=90), usegmt=True)
    fault = fault_of(429, {"retry-after": value or date}, b"", what="mailbox post")
    assert fault.retry_after is not None
    assert least <= fault.retry_after <= most


@pytest.mark.parametrize("value", ["soon", "-5", "", "1e9", "9" * 400, "Mon, 99 Foo 2026 99:99:99 GMT", "٣"])
def test_a_retry_after_that_is_none_is_ignored(value: str) -> None:
    """A header that cannot be read must not stop the waiting."""
    fault = fault_of(503, {"retry-after": value}, b"", what="mailbox post")
    assert fault.kind is Kind.SERVER
    assert fault.retry_after is None


@pytest.mark.parametrize(
    "data", [None, [], "x", {"error": "x"}, {"error": {"errors": [1, {"reason": []}], "details": {}}}]
)
def test_an_error_body_of_any_shape_is_classified(data: object) -> None:
    """The body of an error is the least tested answer of every server."""
    assert fault_of(500, {}, as_json(data).body, what="mailbox post").kind is Kind.SERVER
    assert fault_of(403, {}, as_json(data).body, what="mailbox post").kind is Kind.REFUSED
