"""``mailbox login`` and ``mailbox check`` with an account, as a person types them."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from orders_pipeline_tests.harness import Scene, plain_mail
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn

CLI = ("-m", "orders_pipeline.cli")


@pytest.fixture
def scene(gmail: GmailStandIn, tmp_path: Path) -> Scene:
    """A configuration with the account ``post``, an IMAP mailbox with OAuth2, and a Maildir ``inbox``."""
    settings = (
        '[[mailbox]]\nname = "post"\nkind = "gmail"\nclient_file = "client.json"\ntoken_file = "token.json"\n'
        f'endpoint = "{gmail.url}"\n'
        '[[mailbox]]\nname = "work"\nkind = "imap"\nhost = "mail.example"\nusername = "robin"\n'
        'token_file = "work.json"\nclient_file = "client.json"\nscopes = ["mail.read", "offline_access"]\n'
        '[[mailbox]]\nname = "bare"\nkind = "imap"\nhost = "mail.example"\nusername = "robin"\ntoken_file = "b.json"\n'
    )
    scene = Scene(tmp_path, settings=settings)
    client = {
        "client_id": gmail.tokens.client_id,
        "client_secret": gmail.tokens.client_secret,
        "auth_uri": "https://auth.example/consent",
        "token_uri": f"{gmail.url}/token",
    }
    file = tmp_path / "client.json"
    file.touch(0o600)
    file.write_text(json.dumps({"installed": client}))
    return scene


@pytest.fixture
def process(scene: Scene) -> Iterator[list[subprocess.Popen[str]]]:
    """The commands that were started; they end with the test."""
    started: list[subprocess.Popen[str]] = []
    yield started
    for one in started:
        if one.poll() is None:
            one.kill()
        one.communicate(timeout=10)


def log_in(scene: Scene, gmail: GmailStandIn, name: str, process: list[subprocess.Popen[str]]) -> dict[str, str]:
    """Run the command and consent; what the page was asked for."""
    command = subprocess.Popen(
        [sys.executable, *CLI, "mailbox", "login", name, "--no-browser", "--timeout", "60"],
        cwd=scene.root,
        env=scene.process_environ(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    process.append(command)
    assert command.stdout is not None
    url = next(line.strip() for line in command.stdout if line.startswith("https://auth.example/"))
    asked = {key: values[0] for key, values in parse_qs(urlsplit(url).query).items()}
    gmail.tokens.codes["code-5D"] = (asked["code_challenge"], asked["redirect_uri"])
    answer = urlencode({"code": "code-5D", "state": asked["state"]})
    with urllib.request.urlopen(f"{asked['redirect_uri']}?{answer}", timeout=10) as page:
        assert page.status == 200
    rest = command.stdout.read()
    assert command.wait(30) == 0, rest
    assert f"orders-pipeline mailbox check {name}" in rest
    assert gmail.tokens.refresh_token not in rest
    return asked


def test_a_login_and_a_check_in_processes_of_their_own(
    gmail: GmailStandIn, scene: Scene, process: list[subprocess.Popen[str]]
) -> None:
    """The way of everybody's first evening: consent, then see that mail is found; nothing is stored."""
    now = dt.datetime.now(dt.UTC) - dt.timedelta(hours=1)
    for n in range(5):
        gmail.add(plain_mail(f"Number {n}", now), now)
    before = scene.run(*CLI, "mailbox", "check", "post")
    assert before.returncode == 1
    assert "run: orders-pipeline mailbox login post" in before.stdout
    asked = log_in(scene, gmail, "post", process)
    assert asked["scope"] == "https://www.googleapis.com/auth/gmail.readonly"
    assert (scene.root / "token.json").stat().st_mode & 0o777 == 0o600
    after = scene.run(*CLI, "mailbox", "check", "post", "--json")
    assert after.returncode == 0, after.stderr
    (row,) = json.loads(after.stdout)
    assert row["messages"] == 5
    assert not scene.home.exists()
    assert gmail.gets() == []


def test_an_imap_mailbox_logs_in_with_its_own_scopes(
    gmail: GmailStandIn, scene: Scene, process: list[subprocess.Popen[str]]
) -> None:
    """Microsoft 365 takes nothing but OAuth2; its scopes are in the configuration."""
    gmail.tokens.granted = "mail.read"
    assert log_in(scene, gmail, "work", process)["scope"] == "mail.read offline_access"
    assert (scene.root / "work.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("none", "no mailbox 'none' in the configuration; there are: inbox, post, work, bare"),
        ("inbox", "mailbox inbox needs no login of this kind"),
        ("bare", "mailbox bare has no client_file"),
    ],
)
def test_a_mailbox_that_has_no_such_login_says_so(scene: Scene, name: str, line: str) -> None:
    """A slip of the pen is one line and status 2."""
    done = scene.run(*CLI, "mailbox", "login", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr


def test_the_command_line_loads_no_library_of_google(scene: Scene) -> None:
    """They take half a second: each command would pay for it, with a Maildir too."""
    code = (
        "import sys; from orders_pipeline.cli.app import app; from orders_pipeline.mail.sources import open_mailbox\n"
        "from orders_pipeline.config import load_config\n"
        "[open_mailbox(m) for m in load_config().mailbox if m.kind in ('maildir', 'gmail')]\n"
        "sys.exit(', '.join({'googleapiclient', 'google.auth', 'oauthlib', 'httplib2'} & set(sys.modules)) or 0)"
    )
    done = scene.run("-c", code)
    assert done.returncode == 0, done.stderr
