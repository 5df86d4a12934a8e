"""Imported by the fork server alone: everything that a process loads at its first mail is loaded here, once.

Belongs here: one parse of one mail. It starts no thread and opens no file that a child could share.
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes
from orders_pipeline_tests.crash import child as child
from orders_pipeline_tests.harness import ZONE, order_mail
from orders_pipeline_tests.watchdog import strategies as strategies

_AT = dt.datetime(2026, 5, 11, 12, tzinfo=dt.UTC)
parse_bytes(RawMessage("warm", order_mail("FM-1", _AT), _AT), ParseContext(zone=ZONE.key))
