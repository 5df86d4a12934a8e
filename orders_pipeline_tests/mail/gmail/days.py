"""Days and mail of the Gmail tests."""

from __future__ import annotations

import datetime as dt

from orders_pipeline.days import day_window
from orders_pipeline.models import Window
from orders_pipeline_tests.harness import DAY, ZONE, noon, plain_mail
from orders_pipeline_tests.mail.gmail.stand_in import GmailStandIn


def window(day: dt.date = DAY) -> Window:
    """A local day."""
    return day_window(day, ZONE)


def fill(gmail: GmailStandIn, count: int, day: dt.date = DAY) -> list[str]:
    """So many short mails on a day, a second apart; their ids."""
    start = noon(day)
    return [
        gmail.add(plain_mail(f"Number {n}", start + dt.timedelta(seconds=n)), start + dt.timedelta(seconds=n))
        for n in range(count)
    ]
