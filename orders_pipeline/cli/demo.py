"""``demo``: the whole pipeline over the sample mailbox, through real Dagster runs, in one go."""

from __future__ import annotations

import datetime as dt
import os
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import typer

from orders_pipeline.cli.days_bar import DaysBar
from orders_pipeline.cli.output import console, money, print_table, say
from orders_pipeline.config import Config, config_path, home, load_config
from orders_pipeline.days import closed_days, ranges
from orders_pipeline.errors import ConfigError
from orders_pipeline.sample.config import sample_config_toml
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline.stages.current import is_behind
from orders_pipeline.stages.status import Status, read_status
from orders_pipeline.stages.work import Work
from orders_pipeline.store import facts
from orders_pipeline.store.frames import rows
from orders_pipeline.store.publish import publish
from orders_pipeline.store.reader import published
from orders_pipeline.store.store import open_store

_ZONE = "Europe/Berlin"
_DAYS = 14
_MAILBOX = "sample-mail"


def demo() -> None:
    """Run the whole pipeline over a sample mailbox, through real Dagster runs, and print what it found.

    Example: orders-pipeline demo
    """
    root = home()
    config = _sample_config(root)
    store = open_store(root, config)
    work = Work(store=store, config=config)
    say(f"data folder  {root}")
    ok = _run(work)
    # A run that was killed after its last commit has left the copy for readers behind.
    publish(store)
    report = _tick(work)
    _print(root, report)
    if not ok or report.needs_you:
        raise typer.Exit(1)


def _sample_config(root: Path) -> Config:
    """The demo's own configuration, with its sample mailbox; written on the first call."""
    path = config_path()
    if path != root / path.name:
        raise ConfigError(
            f"the demo would mix sample mail with yours: {path} is a configuration of your own."
            " Run it with ORDERS_PIPELINE_HOME=/tmp/orders-demo from another folder"
        )
    if not path.exists():
        yesterday = dt.datetime.now(ZoneInfo(_ZONE)).date() - dt.timedelta(days=1)
        root.mkdir(mode=0o700, parents=True, exist_ok=True)
        summary = write_sample_mailbox(root / _MAILBOX, last_day=yesterday, days=_DAYS, zone=_ZONE)
        say(f"sample mailbox  {summary.messages} messages of {_DAYS} days up to {yesterday}")
        temporary = path.with_suffix(".tmp")
        temporary.write_text(sample_config_toml(Path(_MAILBOX), _ZONE, summary.days[0]), encoding="utf-8")
        temporary.replace(path)
    os.environ["ORDERS_PIPELINE_CONFIG"] = str(path)
    config = load_config(path)
    if [m.name for m in config.mailbox] != ["sample"]:
        raise ConfigError(
            f"{path} names a mailbox of your own: the demo runs over its sample alone."
            " Run it with ORDERS_PIPELINE_HOME=/tmp/orders-demo, or use `make ui` for your mail"
        )
    return config


def _run(work: Work) -> bool:
    """Run what is missing; whether all went well. A day that is done and that Dagster does not show counts as missing:
    a run that finds nothing to do logs its events."""
    store, config = work.store, work.config
    with console.status("starting Dagster"):
        from orders_pipeline.defs import launch
        from orders_pipeline.defs.tick import done_days, shown_days

        instance = launch.prepare_instance(store.folder)
    if dead := launch.fail_dead_runs(instance, store.folder):
        say(f"{dead} run{'s' if dead > 1 else ''} of before died in the middle: going on from what was saved")
    with store.state.reading() as con:
        fine = done_days(config, facts.read_ledger(con)) & shown_days(instance)
    missing = [d for d in closed_days(config.start_date, work.now(), config.tz) if d not in fine]
    ok = True
    for first, last in ranges(missing, config.sensor.max_days_per_run):
        count = (last - first).days + 1
        with DaysBar(f"days {first} to {last}", launch.days_shown(instance), count):
            ok &= launch.run_days(instance, first, last)
    if is_behind(work):
        with console.status("orders, alerts and the case queue"):
            ok &= launch.run_current(instance)
    elif not missing:
        say("nothing to do: every day is done, and nothing is fetched, parsed or judged twice")
    return ok


def _tick(work: Work) -> Status:
    """A tick of the sensor by Dagster's own machinery, so that its cursor stands where the ledger proves it; the status
    after it."""
    from orders_pipeline.defs import launch
    from orders_pipeline.defs.cursor import sensor_cursor

    with console.status("the sensor's tick"):
        for last in (False, True):
            launch.tick_sensor(launch.prepare_instance(work.store.folder))
            report = read_status(work, sensor_cursor=sensor_cursor(work.store.folder))
            if report.sensor_cursor == report.cursor or last:
                break
            # A tick that was killed counts as one, and Dagster keeps 30 s between two.
            time.sleep(31)
    return report


def _print(root: Path, report: Status) -> None:
    with published(root) as con:
        orders = con.execute("SELECT count(*) FROM orders").fetchall()[0][0]
        by_status = con.execute("SELECT status, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC, 1").fetchall()
        alerts = rows(con, "SELECT since, kind, detail FROM order_alerts ORDER BY since DESC, alert_id")
        cases = con.execute("SELECT count(*) FROM eval_cases WHERE state = 'proposed'").fetchall()[0][0]
        unplaced = con.execute("SELECT count(*) FROM messages WHERE day IS NULL").fetchall()[0][0]
        latest = rows(
            con,
            "SELECT merchant, order_number, status, total, currency FROM orders ORDER BY last_event_at DESC LIMIT 8",
        )
    outcomes = ", ".join(f"{count} {name}" for name, count in report.messages.items())
    say()
    say(f"days       {report.days_done} of {report.days_expected} done, cursor at {report.cursor}")
    say(f"messages   {outcomes}" + (f", {unplaced} without a usable date (kept, unplaced)" if unplaced else ""))
    say(f"orders     {orders}: " + ", ".join(f"{count} {status or 'unknown'}" for status, count in by_status))
    say(f"cases      {cases} proposed for the test set")
    say(f"alerts     {len(alerts)}")
    print_table(["since", "what", "order"], [[a["since"], a["kind"], a["detail"]] for a in alerts])
    say()
    say("the latest orders")
    print_table(
        ["shop", "order", "status", "total"],
        [[o["merchant"], o["order_number"], o["status"], money(o["total"], o["currency"])] for o in latest],
        right=["total"],
    )
    say()
    say(f"DuckDB file  {root / 'orders.duckdb'}")
    say("next         make ui                                the Dagster UI, with schedule and sensor running")
    say("             .venv/bin/orders-pipeline review        what looks wrong, beside its mail: one key a decision")
    say("             .venv/bin/orders-pipeline orders        what was bought, and where it is")
    say(f"             .venv/bin/python -c \"import duckdb; print(duckdb.connect('{root / 'orders.duckdb'}',")
    say("                 read_only=True).sql('SELECT merchant, count(*) FROM orders GROUP BY 1 ORDER BY 2 DESC'))\"")
