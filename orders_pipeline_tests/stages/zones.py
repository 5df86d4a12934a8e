"""Days of a configured zone through all stages, in a process whose own clock stands elsewhere.

Belongs here: what tests start with ``python -m`` under another TZ, and the mail that tempts a reader of local times.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from pathlib import Path

from orders_pipeline.config import home, load_config
from orders_pipeline.stages.current import refresh_current
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.publish import publish
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.harness import order_mail, plain_mail

NOW = dt.datetime(2026, 11, 3, 12, tzinfo=dt.UTC)


def write_config(root: Path, zone: str, start: dt.date, kind: str = "eml") -> Path:
    """A configuration of one mailbox at ``root/mail``; returns that folder."""
    (root / "mail").mkdir(parents=True, exist_ok=True)
    box = f'[[mailbox]]\nname = "mail"\nkind = "{kind}"\npath = "mail"\n'
    (root / "orders_pipeline.toml").write_text(f'zone = "{zone}"\nstart_date = {start}\n\n{box}', encoding="utf-8")
    return root / "mail"


def open_work(root: Path, now: dt.datetime | None = None) -> Work:
    """The work over the configuration at ``root``, at an instant if one is given."""
    config = load_config(root / "orders_pipeline.toml")
    work = Work(store=open_store(root / "home", config), config=config)
    if now:
        work.now = lambda: now
    return work


def write_tempting_mail(folder: Path, middle: dt.datetime) -> None:
    """Mail around a midnight whose day a machine's own zone could change: by Received headers of far offsets, by a
    date without a zone, by a From_ line, and by the file's time alone."""
    for hours in range(-30, 31, 4):
        at = (middle + dt.timedelta(hours=hours, minutes=30)).astimezone(dt.timezone(dt.timedelta(hours=hours % 13)))
        (folder / f"received{hours:+03d}.eml").write_bytes(order_mail(f"FM-8{hours + 100:04d}", at))
    plain = plain_mail("x", middle).partition(b"\r\n\r\n")[2]
    for number, hour in enumerate((0, 1, 2, 3, 22, 23)):
        naive = (middle + dt.timedelta(hours=hour)).replace(tzinfo=None)
        head = (
            f"From: Ilse <ilse@wren.example>\r\nSubject: naive {number}\r\nDate: {naive:%a, %d %b %Y %H:%M:%S}\r\n\r\n"
        )
        (folder / f"naive{number}.eml").write_bytes(head.encode() + plain)
        line = f"From ilse@wren.example {naive:%a %b %d %H:%M:%S %Y}\nSubject: line {number}\n\n"
        (folder / f"line{number}.eml").write_bytes(line.encode() + plain)
        path = folder / f"file{number}.eml"
        path.write_bytes(f"Subject: file {number}\r\n\r\n".encode() + plain)
        moment = (middle + dt.timedelta(hours=hour)).timestamp()
        os.utime(path, (moment, moment))


def main(days: list[str]) -> None:
    config = load_config()
    work = Work(store=open_store(home(), config), config=config, now=lambda: NOW)
    for day in days:
        report = run_day(work, dt.date.fromisoformat(day))
        assert report.problem is None, report.problem
    refresh_current(work)
    publish(work.store)
    print("done")


if __name__ == "__main__":
    main(sys.argv[1:])
