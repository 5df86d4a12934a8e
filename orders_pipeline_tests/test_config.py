"""A wrong configuration is told in one line that names the thing and the remedy."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from orders_pipeline.config import CONFIG_NAME, Config, config_path, home, load_config
from orders_pipeline.errors import ConfigError
from orders_pipeline.mailbox_settings import path_fields

TODAY = dt.date(2026, 11, 30)
BASE = 'zone = "Europe/Berlin"\nstart_date = 2026-01-01\n'
BOX = '[[mailbox]]\nname = "home"\nkind = "maildir"\npath = "mail"\n'


@pytest.fixture
def write(tmp_path: Path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "etc" / CONFIG_NAME
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def fault_of(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path, today=TODAY)
    line = str(caught.value)
    assert "\n" not in line
    assert line.isprintable()
    assert str(path) in line
    return line.replace(str(path), "").lstrip(": ")


# name of the case -> (text, what is wrong, the remedy)
FAULTS = {
    "zone unknown": (BASE.replace("Berlin", "Berln") + BOX, "zone", "IANA name"),
    "zone empty": (BASE.replace("Europe/Berlin", "") + BOX, "zone", "IANA name"),
    "zone is a path": (BASE.replace("Europe/Berlin", "../../etc/hosts") + BOX, "zone", "IANA name"),
    "zone is a folder of zones": (BASE.replace("Europe/Berlin", "Europe") + BOX, "zone", "IANA name"),
    "zone missing": ("start_date = 2026-01-01\n" + BOX, "zone is missing", "orders_pipeline.example.toml"),
    "start in the future": (BASE.replace("2026", "2027") + BOX, "start_date 2027-01-01", "use a day up to 2026-11-30"),
    "start before mail": (BASE.replace("2026", "0026") + BOX, "start_date 0026-01-01", "use a day from then on"),
    "start a number": (BASE.replace("2026-01-01", "86400") + BOX, "start_date", "write it as 2026-05-11"),
    "start a digit string": (BASE.replace("2026-01-01", '"86400"') + BOX, "start_date", "write it as 2026-05-11"),
    "start no day": (BASE.replace("2026-01-01", '"someday"') + BOX, "start_date", "write it as 2026-05-11"),
    "unknown key": ("zon = 1\n" + BASE + BOX, "unknown key zon", "check its spelling"),
    "unknown key in a mailbox": (BASE + BOX + 'paths = "x"\n', "paths", "check its spelling"),
    "key with escapes": ('"a\\u001b[31m\\nb" = 1\n' + BASE + BOX, "unknown key a", "check its spelling"),
    "no mailbox": (BASE, "no mailbox", "[[mailbox]]"),
    "empty mailbox list": ("mailbox = []\n" + BASE, "no mailbox", "[[mailbox]]"),
    "one bracket": (BASE + BOX.replace("[[mailbox]]", "[mailbox]"), "no mailbox", "two brackets"),
    "name used twice": (BASE + BOX + BOX, "mailbox name used twice: home", "a name of its own"),
    "name with a slash": (BASE + BOX.replace('"home"', '"../x"'), "mailbox.0.maildir.name", "letters, digits"),
    "kind unknown": (BASE + BOX.replace("maildir", "fax"), "mailbox.0.kind", "maildir, mbox, eml"),
    "kind missing": (BASE + BOX.replace('kind = "maildir"\n', ""), "mailbox.0.kind", "maildir, mbox, eml"),
    "path missing": (BASE + BOX.replace('path = "mail"\n', ""), "path is missing", "orders_pipeline.example.toml"),
    "path empty": (BASE + BOX.replace('"mail"', '" "'), "mailbox.0.maildir.path", "write where it lies"),
    "path with NUL": (BASE + BOX.replace('"mail"', '"a\\u0000"'), "mailbox.0.maildir.path", "write where"),
    "path of nobody": (BASE + BOX.replace('"mail"', '"~no-such-user/x"'), "mailbox home", "write the whole path"),
    "limit below": (BASE + BOX + "[sensor]\nmax_days_per_run = 0\n", "sensor.max_days_per_run", "greater than"),
    "limit above": (BASE + BOX + "[alerts]\ncancelled_days = 99999999999\n", "alerts.cancelled_days", "less than"),
    "wait without end": (BASE + BOX + f"[sensor]\nretry_limit_seconds = {10**15}\n", "sensor.retry", "less than"),
    "no number": (BASE + BOX + "[store]\nlock_timeout_seconds = nan\n", "store.lock_timeout_seconds", "greater than"),
    "bad TOML": ("zone = \n", "not valid TOML", "correct it there"),
    "nested without end": ("a = " + "[" * 5000, "not valid TOML", "correct it there"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "what", "remedy"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_one_line_with_its_remedy(write, text: str, what: str, remedy: str) -> None:
    """A stack trace, or a line that does not say what to do, ends most people's evening with a tool."""
    line = fault_of(write(text))
    assert what in line
    assert remedy in line
    assert line.count(";") <= 1, "one fault was told as several"


def test_every_fault_is_told_at_once(write) -> None:
    """One fault a start means as many starts as faults."""
    line = fault_of(write("zon = 1\n" + BASE.replace("Berlin", "Berln") + BOX.replace("maildir", "fax")))
    assert all(part in line for part in ("unknown key zon", "Berln", "mailbox.0.kind"))


def test_a_file_that_is_missing_unreadable_or_no_text_is_named(write, tmp_path: Path) -> None:
    """The first start has no configuration: what to do must be said there."""
    assert "orders_pipeline.example.toml" in fault_of(tmp_path / "none.toml")
    assert "check its permissions" in fault_of(tmp_path)
    assert "not valid TOML" in fault_of(write(b"\xff\xfe"))


def test_relative_paths_are_resolved_against_the_file_even_when_it_is_named_relatively(
    write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dagster's processes start in other folders: a path relative to the current one would be another mailbox."""
    path = write(BASE + BOX + BOX.replace("home", "abs").replace('"mail"', f'"{tmp_path}/other"'))
    monkeypatch.chdir(tmp_path)
    for given in (path, path.relative_to(tmp_path)):
        boxes = load_config(given, today=TODAY).mailbox
        assert [path_fields(b)["path"] for b in boxes] == [path.parent / "mail", tmp_path / "other"]


def test_a_home_path_is_expanded(write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder named ~ would be made and read as an empty mailbox."""
    monkeypatch.setenv("HOME", "/somewhere")
    (box,) = load_config(write(BASE + BOX.replace('"mail"', '"~/Mail"')), today=TODAY).mailbox
    assert path_fields(box) == {"path": Path("/somewhere/Mail")}


def test_a_byte_order_mark_is_read_over(write) -> None:
    """Some editors write one, and no one sees it."""
    assert load_config(write(b"\xef\xbb\xbf" + (BASE + BOX).encode()), today=TODAY).zone == "Europe/Berlin"


def test_a_start_date_of_today_in_the_configured_zone_is_no_future(write) -> None:
    """At 23:30 in London it is tomorrow in Auckland already."""
    today = dt.datetime.now(Config.model_validate({"zone": "Pacific/Kiritimati", **_rest()}).tz).date()
    path = write(f'zone = "Pacific/Kiritimati"\nstart_date = {today}\n' + BOX)
    assert load_config(path).start_date == today
    path = write(f'zone = "Pacific/Kiritimati"\nstart_date = {today + dt.timedelta(days=1)}\n' + BOX)
    assert "lies in the future" in fault_of_now(path)


def _rest() -> dict[str, object]:
    return {"start_date": "2026-01-01", "mailbox": [{"name": "a", "kind": "eml", "path": "x"}]}


def fault_of_now(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    return str(caught.value)


def test_a_mailbox_owes_no_day_before_its_since(write) -> None:
    """A mailbox that was added later would keep all old days open."""
    config = load_config(write(BASE + BOX + BOX.replace("home", "late") + "since = 2026-03-01\n"), today=TODAY)
    assert config.owing(dt.date(2026, 2, 28)) == {"home"}
    assert config.owing(dt.date(2026, 3, 1)) == {"home", "late"}


def test_the_environment_names_configuration_and_data_folder(tmp_path: Path) -> None:
    """A data folder that follows the current folder would be another one for every process."""
    assert home({"ORDERS_PIPELINE_HOME": str(tmp_path / "d")}) == tmp_path / "d"
    assert home({}) == Path.cwd() / ".orders"
    assert config_path({"ORDERS_PIPELINE_CONFIG": "x.toml"}) == Path.cwd() / "x.toml"
    assert config_path({"ORDERS_PIPELINE_HOME": str(tmp_path / "d")}) == tmp_path / "d" / CONFIG_NAME
    (Path.cwd() / CONFIG_NAME).write_text("")
    assert config_path({"ORDERS_PIPELINE_HOME": str(tmp_path / "d")}) == Path.cwd() / CONFIG_NAME


@pytest.mark.parametrize("name", ["ORDERS_PIPELINE_HOME", "ORDERS_PIPELINE_CONFIG"])
def test_a_variable_with_the_home_of_nobody_is_named(name: str) -> None:
    """A RuntimeError of the path library names neither the variable nor the remedy."""
    with pytest.raises(ConfigError, match=f"{name}.*write the whole path"):
        config_path({name: "~no-such-user/x"})


def test_how_many_processes_read_mail_is_part_of_no_digest(write) -> None:
    """Scores would be out of date because a machine has more cores."""
    one, four = (load_config(write(f"{BASE}[parse]\nprocesses = {n}\n{BOX}"), today=TODAY).parse for n in (1, 4))
    assert (one.processes, four.processes) == (1, 4)
    assert one.model_dump_json() == four.model_dump_json()
