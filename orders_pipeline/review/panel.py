"""Which judges owe which parses a verdict.

Belongs here: that one decision. A parse owes a verdict of each judge that was configured when it was first judged; a
judge that was configured later is asked only on purpose (``rejudge``), so that no change of a setting buys verdicts on
years of mail. Not here: judging.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from orders_pipeline.models import Reviewable, Verdict

Key = tuple[str, str]  # message, parse


def owed(
    items: Iterable[Reviewable],
    verdicts: Iterable[Verdict],
    panels: Mapping[Key, frozenset[str]],
    judges: Sequence[str],
) -> dict[str, list[Reviewable]]:
    """For each judge, by name, the items that it still owes a verdict, in the order given.

    ``panels`` are the judges that were asked when a parse was first judged; one that is not there is judged by all.
    """
    given = {(v.message_id, v.parse_digest, v.judge) for v in verdicts}
    out: dict[str, list[Reviewable]] = {name: [] for name in judges}
    for item in items:
        key = (item.message_id, item.parse_digest)
        for name in judges:
            if name in panels.get(key, judges) and (*key, name) not in given:
                out[name].append(item)
    return out


def panel_text(judges: Sequence[str]) -> str:
    """The judges as a verdict's file keeps them."""
    return ",".join(sorted(judges))
