"""A message as the extractors look at it: plain lines, links, who sent it and when.

Belongs here: what several extractors need and what is worth computing once. Not here: any decision about orders.
Everything is bounded, because a mail can be of any size: what lies beyond the limits is not looked at.
"""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import unquote

from orders_pipeline.extract.deadline import Deadline
from orders_pipeline.extract.html_bounds import MAX_HTML, bounded_html
from orders_pipeline.extract.label_index import Label, find_labels
from orders_pipeline.extract.label_tables import LabelTable
from orders_pipeline.extract.language import choose_tables, hints_in, language_of
from orders_pipeline.extract.regions import day_first
from orders_pipeline.extract.text import fold, one_line, plain
from orders_pipeline.html_tree import tree_of
from orders_pipeline.models import Email

MAX_BODY = 100_000  # the longest mail about an order among those measured has 17,000
MAX_LINE = 4_000
MAX_LINKS = 400
MAX_LINK = 2_000

_CELL_EDGE = re.compile(r" *\t[ \t]*")
_URL = re.compile(r"https?://[^\s<>\"'\]]{4,2000}", re.IGNORECASE)
# Found by its dot, without lowering megabytes.
_SCHEMA_ORG = re.compile(r"\.[oO][rR][gG](?<=[sS][cC][hH][eE][mM][aA]\....)")
_QUOTE = re.compile(r"^(?:> ?)+")


@dataclass(frozen=True)
class Body:
    """One rendering of the message: lines parted by newline, cells by tab; ``folded`` has the same offsets.

    ``source`` is html, text or subject, as in ``Evidence``.
    """

    source: str
    text: str

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    def line_at(self, offset: int) -> str:
        """The whole line around an offset."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : end if end >= 0 else len(self.text)]


@dataclass(frozen=True)
class View:
    """One message, ready to be read. ``when`` is its date in the configured zone, None when it has none."""

    email: Email
    when: dt.datetime | None
    subject: Body
    bodies: tuple[Body, ...]
    sender_domain: str
    deadline: Deadline = field(default_factory=Deadline, compare=False)

    @cached_property
    def today(self) -> dt.date | None:
        return self.when.date() if self.when else None

    @cached_property
    def markup(self) -> bool:
        """Whether the mail can hold schema.org markup."""
        return _SCHEMA_ORG.search((self.email.html or self.email.text)[:MAX_HTML]) is not None

    @cached_property
    def links(self) -> tuple[str, ...]:
        """Link targets (and image addresses are left out), unquoted once, in order, without repeats."""
        found = dict.fromkeys(_html_links(self.email.html) if self.email.html else ())
        for body in self.bodies:
            for match in _URL.finditer(body.text):
                found.setdefault(match.group())
                if len(found) >= MAX_LINKS:
                    break
        return tuple(plain(unquote(link[:MAX_LINK])).replace("\n", "") for link in list(found)[:MAX_LINKS])

    @cached_property
    def folded(self) -> str:
        """Subject and all bodies, folded: for cheap tests whether a word occurs."""
        return "\n".join([self.subject.folded, *(b.folded for b in self.bodies)])

    @cached_property
    def hints(self) -> frozenset[str]:
        """The hint words of all label tables that occur."""
        return hints_in(self.folded)

    @cached_property
    def headers(self) -> dict[str, str]:
        """The first value of each header, by lower-case name."""
        return {name.lower(): value for name, value in reversed(self.email.headers)}

    @cached_property
    def scored_tables(self) -> tuple[tuple[LabelTable, int], ...]:
        """The label tables of the mail's languages with the number of their words found."""
        return choose_tables(self.subject.folded, self.folded, self.hints)

    @cached_property
    def tables(self) -> tuple[LabelTable, ...]:
        """The label tables of the mail's languages."""
        return tuple(table for table, _ in self.scored_tables)

    @cached_property
    def labels(self) -> dict[str, tuple[Label, ...]]:
        """The labels found in the subject and each body, by source."""
        return {body.source: tuple(find_labels(self.tables, body.folded)) for body in (self.subject, *self.bodies)}

    @cached_property
    def heads(self) -> dict[str, dict[int, int]]:
        """Where labels begin and end, by source: what one fills is no value of another."""
        return {source: {x.start: x.end for x in labels} for source, labels in self.labels.items()}

    @cached_property
    def day_first(self) -> bool:
        """Whether 05/04 is the fifth of April."""
        language = self.tables[0].language if self.tables else None
        return day_first(self.sender_domain, language, [body.text for body in self.bodies])

    @cached_property
    def language(self) -> str | None:
        """ISO 639-1 code, or None when there is too little text."""
        sample = " ".join([self.subject.text, *(b.text[:600] for b in self.bodies[:1])])
        return language_of(self.folded, sample, self.scored_tables)


def build_view(email: Email, zone: str) -> View:
    """Build the view of one message. Raises only for a zone that does not exist."""
    tz = zoneinfo.ZoneInfo(zone)
    when = email.sent_at or email.received_at
    bodies = [
        Body(source, text)
        for source, text in (("html", body_lines(email.html_text)), ("text", body_lines(email.text)))
        if text
    ]
    return View(
        email=email,
        when=_local(when, tz),
        subject=Body("subject", one_line(email.subject, 500)),
        bodies=tuple(bodies),
        sender_domain=email.sender.domain,
    )


def body_lines(text: str) -> str:
    """Lines stripped and without empties, cells parted by single tabs, bounded in number and length."""
    text = plain(text[:MAX_BODY])[:MAX_BODY]  # one character can become eighteen plain ones
    lines = [line for line in map(str.strip, text.split("\n")) if line]
    if len(text) > MAX_LINE or ">" in text:
        lines = [(_QUOTE.sub("", line) if line[0] == ">" else line)[:MAX_LINE].strip() for line in lines]
        lines = [line for line in lines if line]
    joined = "\n".join(lines)
    while "  " in joined:
        joined = joined.replace("  ", " ")
    return _CELL_EDGE.sub("\t", joined) if "\t" in joined else joined


def _local(when: dt.datetime | None, tz: zoneinfo.ZoneInfo) -> dt.datetime | None:
    if when is None:
        return None
    try:
        return when.astimezone(tz)
    except (OverflowError, ValueError):
        return None


def _html_links(html: str) -> list[str]:
    try:
        tree = tree_of(bounded_html(html))
        targets = (node.attrs.get("href") for node in tree.css("a[href], area[href]"))
        return [t for _, t in zip(range(MAX_LINKS), (t for t in targets if t), strict=False)]
    except (ValueError, RuntimeError):
        return []
