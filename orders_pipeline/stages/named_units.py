"""Which unit a person means.

Belongs here: a name on the command line against the units that there are. Not here: what becomes of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.store.open_units import Unit

_PREFIX = re.compile(r"[0-9a-f]{4,64}")


class UnknownUnit(OrdersPipelineError):
    """Nothing of that name can be retried or waived, or more than one thing can."""


def named(name: str, units: Iterable[Unit], *, what: str) -> Unit:
    """The unit with this name: a message id or its start, or where a message lies, as ``status`` shows it.

    ``what`` says for people what was looked for. Raises ``UnknownUnit``.
    """
    units = list(units)
    exact = [u for u in units if name in (u.unit, f"{u.mailbox}: {u.unit}", f"{u.mailbox}:{u.unit}")]
    wanted = name.lower()
    found = exact or [u for u in units if _PREFIX.fullmatch(wanted) and u.unit.startswith(wanted)]
    if not found:
        raise UnknownUnit(f"nothing {what} is named {printable_line(name)!r}: `orders-pipeline status` shows the names")
    if len(found) > 1:
        some = ", ".join(sorted(f"{u.mailbox}: {u.unit}" if u.mailbox else u.unit[:16] for u in found)[:3])
        raise UnknownUnit(f"{printable_line(name)!r} fits {len(found)} things {what} ({some}): give more of the name")
    return found[0]
