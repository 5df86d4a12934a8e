"""What a person gets wrong is one line on stderr and status 2: no traceback, nothing written."""

from __future__ import annotations

import datetime as dt
import socket

import pytest

from orders_pipeline_tests.cli.command import Answer, Command
from orders_pipeline_tests.defs.pipeline import held
from orders_pipeline_tests.harness import ZONE, Scene

TODAY = dt.datetime.now(ZONE).date()
ZONE_LINE, START_LINE = f'zone = "{ZONE.key}"', f"start_date = {TODAY - dt.timedelta(days=2)}"
MAILBOX = '[[mailbox]]\nname = "inbox"\nkind = "maildir"\npath = "inbox"'
CONFIGURATIONS = {
    "bad zone": ("\n".join(['zone = "Nowhere/City"', START_LINE, MAILBOX]), "unknown time zone 'Nowhere/City'"),
    "start in the future": (
        "\n".join([ZONE_LINE, f"start_date = {TODAY + dt.timedelta(days=1)}", MAILBOX]),
        "lies in the future",
    ),
    "unknown key": ("\n".join([ZONE_LINE, START_LINE, "start_dat = 1", MAILBOX]), "unknown key start_dat"),
    "unknown key in a section": ("\n".join([ZONE_LINE, START_LINE, MAILBOX, "[fetch]\nbach = 1"]), "fetch.bach"),
    "no mailbox": ("\n".join([ZONE_LINE, START_LINE]), "mailbox"),
    "two of one name": ("\n".join([ZONE_LINE, START_LINE, MAILBOX, MAILBOX]), "mailbox name used twice"),
    "no TOML": ("zone = [", "is not valid TOML"),
}
COMMANDS = (("status",), ("relist", str(TODAY)), ("rebuild",), ("cases", "accept", "ab"), ("ui",))


def is_one_line(answer: Answer, *said: str) -> None:
    assert answer.status == 2, answer
    assert answer.err.startswith("orders-pipeline: ")
    assert answer.err.count("\n") == 1
    assert answer.err.strip().isprintable()
    assert "Traceback" not in answer.err
    for part in said:
        assert part in answer.err


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("fault", CONFIGURATIONS)
def test_a_wrong_configuration(call: Command, scene: Scene, fault: str, command: tuple[str, ...]) -> None:
    """A typing error in the file is named with the key, before anything is created."""
    text, said = CONFIGURATIONS[fault]
    scene.config_path.write_text(text, encoding="utf-8")
    is_one_line(answer := call(*command), said, str(scene.config_path))
    assert answer.out == ""
    assert not scene.home.exists()


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_no_configuration(call: Command, scene: Scene, command: tuple[str, ...]) -> None:
    """A first command without a set-up says what to do, and leaves no folder behind."""
    scene.config_path.unlink()
    is_one_line(call(*command), "no configuration at", "make demo")
    assert not scene.home.exists()


def test_a_missing_mailbox(call: Command, done: Scene) -> None:
    """A disk that is not mounted is an error with the path, and the days that are done stay done."""
    before = done.days_done()
    (done.root / "inbox").rename(done.root / "away")
    is_one_line(answer := call("relist", str(done.start)), "mailbox inbox", "does not exist")
    assert answer.err.count("mailbox inbox") == 1
    assert done.days_done() == before


def test_a_mailbox_that_is_no_folder(call: Command, done: Scene) -> None:
    """The wrong kind of mailbox is said to be so."""
    (done.root / "inbox").rename(done.root / "away")
    (done.root / "inbox").write_text("From a mail", encoding="utf-8")
    is_one_line(call("relist", str(done.start)), "mailbox inbox", "is no folder")


@pytest.mark.parametrize(
    "days",
    ["yesterday", "2026-02-30", "2026-05-12..2026-05-11", "2026-05-11..", "..", "", "2026-05-11...2026-05-12",
     "0001-01-01..9999-12-31", "9999-12-31", "0001-01-01", f"{TODAY + dt.timedelta(days=1)}"],
)  # fmt: skip
@pytest.mark.parametrize("command", ["relist", "reparse"])
def test_days_that_are_none(call: Command, done: Scene, command: str, days: str) -> None:
    """A wrong day is refused: neither a traceback nor three million days of work, nor silence."""
    before = done.dump()
    is_one_line(answer := call(command, days))
    assert answer.out == ""
    assert done.dump() == before
    assert len(list((done.home / "locks").iterdir())) < 20


def test_a_store_of_a_newer_version(call: Command, done: Scene) -> None:
    """An older program must not touch what it does not understand."""
    with done.work().store.state.transaction() as con:
        con.execute("INSERT INTO schema_version VALUES (9999, now())")
    before = (done.home / "state.duckdb").read_bytes()
    is_one_line(call("status"), "newer orders-pipeline", "9999")
    assert (done.home / "state.duckdb").read_bytes() == before


def test_a_store_that_another_program_has_open(call: Command, done: Scene) -> None:
    """Somebody looks at the state file in the DuckDB command line: the message names that process."""
    done.settings = "[store]\nlock_timeout_seconds = 0.3\n"
    done.write_config()
    code = (
        f"import duckdb, sys; con = duckdb.connect({str(done.home / 'state.duckdb')!r})\n"
        "print('held', flush=True); sys.stdin.read()\n"
    )
    with held(code, done):
        is_one_line(call("status"), "is open in process", "read orders.duckdb instead")
        # What only reads opens the published copy, which nobody can block.
        assert call("orders").status == 0
        assert call("cases", "list").status == 0
    assert call("status").status == 0


def test_a_data_folder_that_is_a_file(call: Command, scene: Scene) -> None:
    """A wrong ORDERS_PIPELINE_HOME is named."""
    scene.home.write_text("x", encoding="utf-8")
    is_one_line(call("status"), str(scene.home))


@pytest.mark.parametrize(
    "command", [("orders",), ("alerts",), ("cases", "list"), ("cases", "show", "ab")], ids=" ".join
)
def test_nothing_to_list_yet(call: Command, scene: Scene, command: tuple[str, ...]) -> None:
    """Listing before the first day says what to do first, and creates nothing."""
    is_one_line(call(*command), "no store at")
    assert not scene.home.exists()


def test_a_case_that_is_none(call: Command, done: Scene) -> None:
    """A wrong id is refused in each command that takes one."""
    for command in ("show", "accept", "reject"):
        is_one_line(call("cases", command, "zz"), "no case 'zz'")
        assert call("cases", command, "").status == 2


def test_parse_of_what_is_not_there(call: Command, scene: Scene) -> None:
    """A wrong path or zone is told before any mail is read."""
    is_one_line(call("parse", "nothing.eml"), "nothing.eml does not exist")
    mail = scene.add_order()
    is_one_line(call("parse", str(mail), "--zone", "Nowhere/City"), "unknown time zone 'Nowhere/City'")


def test_the_demo_leaves_a_configuration_of_ones_own_alone(call: Command, scene: Scene) -> None:
    """Sample mail must never be mixed with real mail."""
    before = scene.config_path.read_bytes()
    is_one_line(call("demo"), "a configuration of your own")
    assert scene.config_path.read_bytes() == before
    assert not scene.home.exists()


@pytest.mark.parametrize(
    "arguments",
    [("nonsense",), ("orders", "--limit", "0"), ("cases", "list", "--state", "odd"), ("relist",)],
    ids=" ".join,
)
def test_wrong_use(call: Command, done: Scene, arguments: tuple[str, ...]) -> None:
    """Wrong options are wrong use: status 2 and a hint."""
    answer = call(*arguments)
    assert answer.status == 2
    assert "Traceback" not in answer.err
    assert answer.err


def test_a_port_that_is_taken(call: Command, done: Scene) -> None:
    """Dagster's daemon stays when its web server cannot listen: a UI that never answers, and an error amid the log."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        is_one_line(call("ui", "--port", str(other.getsockname()[1])), "cannot listen on 127.0.0.1", "--port")


def test_a_host_that_is_none(call: Command, done: Scene) -> None:
    """The same for an address that this machine does not have."""
    is_one_line(call("ui", "--host", "no.such.host.invalid"), "cannot listen on no.such.host.invalid", "--host")


@pytest.mark.parametrize("port", ["0", "99999"])
def test_a_port_that_is_none(call: Command, done: Scene, port: str) -> None:
    """A port out of range was cut to another one by the web server: the printed address led nowhere."""
    answer = call("ui", "--port", port)
    assert answer.status == 2
    assert "--port" in answer.err


def test_a_status_that_no_order_can_have(call: Command, done: Scene) -> None:
    """A misspelt status would look like a store without such orders."""
    answer = call("orders", "--status", "shiped")
    assert answer.status == 2
    assert "use one of confirmed, shipped" in answer.err
    assert call("orders", "--status", "assumed_delivered").status == 0
