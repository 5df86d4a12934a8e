"""Requests that do not come from the page in the browser that was given the link are refused."""

from __future__ import annotations

import http.client
from collections.abc import Mapping

import pytest

from orders_pipeline.page.forms import MAX_BYTES
from orders_pipeline_tests.page.serving import Served

FORM = "application/x-www-form-urlencoded"


def ask(page: Served, method: str, path: str, headers: Mapping[str, str], body: str = "") -> tuple[int, str]:
    """A request with exactly these headers, the Host and the cookie among them."""
    connection = http.client.HTTPConnection("127.0.0.1", int(page.base.rsplit(":", 1)[1]), timeout=20)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    if method != "GET":
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body.encode() or None)
    answer = connection.getresponse()
    try:
        return answer.status, answer.read().decode()
    finally:
        connection.close()


def own_headers(page: Served) -> dict[str, str]:
    """What our own page's browser sends with a form."""
    return {
        "Host": page.base.removeprefix("http://"),
        "Origin": page.base,
        "Sec-Fetch-Site": "same-origin",
        "Cookie": f"{page.session.cookie_name}={page.session.cookie}",
        "Content-Type": FORM,
    }


@pytest.mark.parametrize(
    "change",
    [
        {"Host": "tracker.example"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "localhost.tracker.example:{port}"},
        {"Host": ""},
        {"Origin": "http://tracker.example"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost:{port}"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "null"},
        {"Origin": None},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Cookie": None},
        {"Cookie": "{name}="},
        {"Cookie": "{name}=x; other={cookie}"},
        {"Cookie": "\u00e9=\u00ff; ;=;"},
        {"token": ""},
        {"token": "0" * 64},
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/json"},
        {"Content-Type": None},
    ],
    ids=str,
)
def test_a_decision_from_elsewhere_is_refused(page: Served, change: Mapping[str, str | None]) -> None:
    """Any page that is open in the browser can send forms to 127.0.0.1."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide") | {"decision": "accepted"}
    fill = {"port": page.base.rsplit(":", 1)[1], "name": page.session.cookie_name, "cookie": page.session.cookie}
    headers = own_headers(page)
    for name, value in change.items():
        if name == "token":
            fields["token"] = value or ""
        elif value is None:
            del headers[name]
        else:
            headers[name] = value.format(**fill)
    body = "&".join(f"{name}={value}" for name, value in fields.items())
    status, _ = ask(page, "POST", f"/case/{case_id}/decide", headers, body)
    assert status in (400, 403, 415)
    assert page.acts(case_id) == []


def test_the_same_request_from_our_own_page_is_taken(page: Served) -> None:
    """Were it refused as well, the test above would prove nothing."""
    case_id = page.cases()[0]
    fields = page.fields(f"/case/{case_id}", f"/case/{case_id}/decide") | {"decision": "accepted"}
    body = "&".join(f"{name}={value}" for name, value in fields.items())
    assert ask(page, "POST", f"/case/{case_id}/decide", own_headers(page), body)[0] == 303
    assert page.acts(case_id) == ["accepted"]


@pytest.mark.parametrize("other", ['layout={"left": 1}', "recent[0]=a", "who=me@x.example", "\u00e9=1", "a(b)=1", "=x"])
def test_a_cookie_of_another_port_locks_nobody_out(page: Served, other: str) -> None:
    """Cookies know no ports: one that another program on this machine set took ours out of sight."""
    cookie = own_headers(page)["Cookie"]
    for sent in (f"{other}; {cookie}", f"{cookie}; {other}"):
        assert ask(page, "GET", "/queue", own_headers(page) | {"Cookie": sent})[0] == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(page: Served, method: str) -> None:
    """What nobody uses nobody watches."""
    assert ask(page, method, "/", own_headers(page))[0] == 403


@pytest.mark.parametrize("path", ["/", "/queue", "/static/page.css", "/case/{case}", "/case/{case}/mail", "/nothing"])
def test_without_the_cookie_nothing_is_shown(page: Served, path: str) -> None:
    """Every user of the machine can reach the port."""
    case_id = page.cases()[0]
    headers = own_headers(page) | {"Cookie": "a=b"}
    status, text = ask(page, "GET", path.format(case=case_id), headers)
    assert status == 403
    assert case_id not in text


def test_reading_under_another_name_is_refused(page: Served) -> None:
    """A site that lets its own name point to 127.0.0.1 has that name's origin, and could read the mails."""
    assert ask(page, "GET", "/queue", own_headers(page) | {"Host": "rebound.example"})[0] == 403


def test_a_form_without_end_is_refused(page: Served) -> None:
    """It would be held in memory whole."""
    case_id = page.cases()[0]
    body = "token=" + "a" * (MAX_BYTES + 1)
    assert ask(page, "POST", f"/case/{case_id}/decide", own_headers(page), body)[0] == 413
    many = "&".join(["a=1"] * 5000)
    assert ask(page, "POST", f"/case/{case_id}/decide", own_headers(page), many)[0] == 400


@pytest.mark.parametrize("path", ["/", "/queue", "/start", "/nothing", "/static/page.js"])
def test_every_answer_binds_the_browser(page: Served, path: str) -> None:
    """One answer without these headers is the way around them."""
    headers = page.get(path).headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers
