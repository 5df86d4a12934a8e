"""Consent in the browser: what is asked for, what is checked, and what is saved."""

from __future__ import annotations

import json
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from orders_pipeline.errors import MailboxError
from orders_pipeline.mail.gmail.api import SCOPES
from orders_pipeline.mail.oauth import access_token
from orders_pipeline.mail.oauth_client import Client, read_client
from orders_pipeline.mail.oauth_login import _authorization, login
from orders_pipeline_tests.loopback import DROP, as_json
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn

WHAT = "mailbox post"
Answer = Callable[[dict[str, str]], dict[str, str]]


@pytest.fixture
def client_file(gmail: GmailStandIn, tmp_path: Path) -> Path:
    """What the provider's console gives for a desktop app."""
    fields = {
        "client_id": gmail.tokens.client_id,
        "client_secret": gmail.tokens.client_secret,
        "auth_uri": "https://auth.example/consent",
        "token_uri": f"{gmail.url}/token",
        "redirect_uris": ["http://localhost"],
    }
    return write_client(tmp_path / "client.json", {"installed": fields})


def write_client(path: Path, data: object) -> Path:
    """A client file with mode 600."""
    path.touch(0o600)
    path.write_text(data if isinstance(data, str) else json.dumps(data))
    return path


def consent(asked: dict[str, str]) -> dict[str, str]:
    """The person agrees."""
    return {"code": "code-5D", "state": asked["state"]}


class Browser:
    """Opens the consent page, and follows the redirect of a provider that answers as ``answer`` says."""

    def __init__(self, gmail: GmailStandIn, answer: Answer = consent, before: tuple[str, ...] = ()) -> None:
        self.gmail, self.given, self.before = gmail, answer, before
        self.asked: dict[str, str] = {}
        self.statuses: list[int] = []
        self._thread: threading.Thread | None = None

    def __call__(self, url: str) -> bool:
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        self.gmail.tokens.codes["code-5D"] = (self.asked["code_challenge"], self.asked["redirect_uri"])
        self._thread = threading.Thread(target=self._redirect)
        self._thread.start()
        return True

    def _redirect(self) -> None:
        for path in (*self.before, "?" + urlencode(self.given(self.asked))):
            try:
                with urllib.request.urlopen(self.asked["redirect_uri"] + path, timeout=10) as page:
                    self.statuses.append(page.status)
                    assert b"code-5D" not in page.read()
            except urllib.error.HTTPError as error:
                self.statuses.append(error.code)
            except urllib.error.URLError:
                return  # nobody listens any more

    def close(self) -> None:
        if self._thread is not None:
            self._thread.join(10)


def run(client_file: Path, token_file: Path, browser: Browser, **options: object) -> list[str]:
    """Log in; what was said."""
    said: list[str] = []
    try:
        login(
            client_file, token_file, SCOPES, say=said.append, what=WHAT, open_browser=browser,
            **{"timeout": 20.0, **options},  # pyright: ignore[reportArgumentType]
        )  # fmt: skip
    finally:
        browser.close()
    return said


def test_consent_is_saved_as_a_login_that_works(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """The whole way: the page's address, the redirect, the code for a token, the file, an access token from it."""
    token_file = tmp_path / "new" / "token.json"
    browser = Browser(gmail)
    said = run(client_file, token_file, browser)
    assert browser.asked["scope"] == SCOPES[0]
    assert browser.asked["response_type"] == "code"
    assert browser.asked["code_challenge_method"] == "S256"
    assert browser.asked["redirect_uri"].startswith("http://localhost:")
    assert browser.statuses == [200]
    assert token_file.stat().st_mode & 0o777 == 0o600
    assert access_token(token_file, what=WHAT).reveal() in gmail.tokens.valid
    gmail.tokens.valid.clear()
    saved = json.loads(token_file.read_text())
    token_file.write_text(json.dumps({**saved, "expiry": "2026-01-01T00:00:00Z"}))
    assert access_token(token_file, what=WHAT).reveal() in gmail.tokens.valid
    assert not any(secret in " ".join(said) for secret in (*gmail.tokens.valid, gmail.tokens.refresh_token, "code-5D"))


def test_other_requests_to_the_address_change_nothing(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """A favicon, a scanner, or a page that sends a code of its own making (another account's) must not end the wait."""
    forged = "?" + urlencode({"code": "code-of-a-stranger", "state": "guess"})
    browser = Browser(gmail, before=("favicon.ico", "?code=x", forged, "?" + "a=1&" * 200))
    run(client_file, tmp_path / "token.json", browser)
    assert browser.statuses == [404, 404, 404, 404, 200]
    assert [r.parameters["code"] for r in gmail.asked("token")] == ["code-5D"]


def test_without_a_browser_the_address_and_the_tunnel_are_told(
    gmail: GmailStandIn, client_file: Path, tmp_path: Path
) -> None:
    """Servers have none: the person opens the page elsewhere and comes back through ssh."""
    browser = Browser(gmail)
    said: list[str] = []

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("http"):
            browser(line)

    login(
        client_file, tmp_path / "token.json", SCOPES, say=say, what=WHAT, browser=False, timeout=20.0,
        open_browser=lambda url: pytest.fail("a browser was opened"),
    )  # fmt: skip
    browser.close()
    port = urlsplit(browser.asked["redirect_uri"]).port
    assert any(line.strip().startswith(f"ssh -N -L {port}:localhost:{port} ") for line in said)


def test_a_browser_that_fails_is_as_none(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """A machine without a display raises, or says that it opened nothing."""
    said: list[str] = []
    with pytest.raises(MailboxError, match="no consent came within 0 s"):
        login(
            client_file, tmp_path / "t.json", SCOPES, say=said.append, what=WHAT, timeout=0.05,
            open_browser=lambda url: 1 / 0 > 1,
        )  # fmt: skip
    assert any(line.startswith("  ssh ") for line in said)
    assert not (tmp_path / "t.json").exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems have a display")
def test_no_browser_of_the_terminal_is_started(
    client_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a server it would take the terminal over and show a page that needs scripts."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail("a browser was opened"))
    said: list[str] = []
    with pytest.raises(MailboxError, match="no consent came"):
        login(client_file, tmp_path / "t.json", SCOPES, say=said.append, what=WHAT, timeout=0.05)
    assert any(line.startswith("  ssh ") for line in said)


REFUSALS: dict[str, tuple[Answer, str]] = {
    "denied": (lambda a: {"error": "access_denied", "state": a["state"]}, r"consent was not given \(access_denied\)"),
    "wrong code": (lambda a: {"code": "other", "state": a["state"]}, "invalid_grant: Malformed auth code"),
}


@pytest.mark.parametrize(("answer", "line"), REFUSALS.values(), ids=REFUSALS.keys())
def test_consent_that_is_refused_is_one_line(
    gmail: GmailStandIn, client_file: Path, tmp_path: Path, answer: Answer, line: str
) -> None:
    """A person who presses Cancel sees no traceback, and the login of before stays."""
    (tmp_path / "token.json").write_text("the one of before")
    with pytest.raises(MailboxError, match=rf"mailbox post: .*{line}.* mailbox login post"):
        run(client_file, tmp_path / "token.json", Browser(gmail, answer))
    assert (tmp_path / "token.json").read_text() == "the one of before"


def test_a_login_without_a_refresh_token_is_refused(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """It would work for an hour, and fail in the night."""
    gmail.tokens.gives_refresh_token = False
    with pytest.raises(MailboxError, match="gave no refresh token"):
        run(client_file, tmp_path / "token.json", Browser(gmail))
    assert not (tmp_path / "token.json").exists()


def test_a_box_left_unticked_is_told_at_once(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """Google's page lets a person agree to nothing and still gives a token."""
    gmail.tokens.granted = "openid"
    with pytest.raises(MailboxError, match=r"consent left out .*readonly; tick"):
        run(client_file, tmp_path / "token.json", Browser(gmail))


@pytest.mark.parametrize("granted", [None, f"openid {SCOPES[0].upper()}", SCOPES[0]])
def test_scopes_named_otherwise_are_accepted(
    gmail: GmailStandIn, client_file: Path, tmp_path: Path, granted: str | None
) -> None:
    """Microsoft leaves offline_access out of its answer and changes letters; the usual library raises at that."""
    gmail.tokens.granted = granted
    run(client_file, tmp_path / "token.json", Browser(gmail))
    assert access_token(tmp_path / "token.json", what=WHAT).reveal() in gmail.tokens.valid


@pytest.mark.parametrize("reply", [DROP, as_json({}, 500), as_json({"error": "server_error"}, 400)])
def test_a_token_server_that_fails_leaves_no_login(
    gmail: GmailStandIn, client_file: Path, tmp_path: Path, reply: object
) -> None:
    """A code is good for one request: the person is asked to start anew."""
    gmail.fail("token", reply, times=9)  # pyright: ignore[reportArgumentType]
    with pytest.raises(MailboxError, match=r"^mailbox post: .*mailbox login post$"):
        run(client_file, tmp_path / "token.json", Browser(gmail))
    assert len(gmail.asked("token")) == 1


def test_a_port_that_is_taken_is_told(gmail: GmailStandIn, client_file: Path, tmp_path: Path) -> None:
    """The port that was forwarded may be in use."""
    with pytest.raises(MailboxError, match="cannot listen on port"):
        run(client_file, tmp_path / "token.json", Browser(gmail), port=urlsplit(gmail.url).port)


BAD_CLIENTS = {
    "no JSON": ("{", "is no OAuth client file"),
    "a list": ([], "is no OAuth client file"),
    "a number": (5, "is no OAuth client file"),
    "nothing": ({"installed": {}}, "is no OAuth client file"),
    "no object": ({"installed": "x"}, "is no OAuth client file"),
    "web": ({"web": {"client_id": "a"}}, "Desktop app"),
    "in the clear": (
        {"installed": {"client_id": "a", "auth_uri": "https://a.example/", "token_uri": "http://a.example/"}},
        "https",
    ),
    "page in the clear": (
        {"installed": {"client_id": "a", "auth_uri": "http://127.0.0.1/", "token_uri": "https://a.example/"}},
        "https",
    ),
}


@pytest.mark.parametrize(("data", "line"), BAD_CLIENTS.values(), ids=BAD_CLIENTS.keys())
def test_a_client_file_of_another_kind_says_what_it_must_be(tmp_path: Path, data: object, line: str) -> None:
    """The console gives four kinds of files with like names."""
    with pytest.raises(MailboxError, match=line):
        read_client(write_client(tmp_path / "c.json", data), what=WHAT)


def test_a_client_file_that_others_can_read_is_refused(client_file: Path) -> None:
    """It holds the client's secret."""
    client_file.chmod(0o644)
    with pytest.raises(MailboxError, match="chmod 600"):
        read_client(client_file, what=WHAT)


@pytest.mark.parametrize(
    ("auth_uri", "offline"),
    [
        ("https://accounts.google.com/o/oauth2/auth", True),
        ("https://login.microsoftonline.com/common/oauth2/v2.0/authorize", False),
        ("https://accounts.google.com.evil.example/auth", False),
    ],
)
def test_google_is_asked_for_a_lasting_login_in_its_own_words(auth_uri: str, offline: bool) -> None:
    """Google gives a refresh token at the first consent only, unless asked for consent again."""
    client = Client(client_id="a", client_secret=None, auth_uri=auth_uri, token_uri="https://t.example/")
    url, state, verifier = _authorization(client, ["s1", "s2"], "http://localhost:1/")
    asked = parse_qs(urlsplit(url).query)
    assert (asked.get("access_type"), asked.get("prompt")) == ((["offline"], ["consent"]) if offline else (None, None))
    assert asked["scope"] == ["s1 s2"]
    assert asked["state"] == [state]
    assert verifier not in url
    assert len(verifier) >= 43
