"""Mailboxes as heavy as real ones: the sample's mail, each message given the weight that shops and lists put into it.

Belongs here: what weighs (styles, tracking links, tiles, footers, attachments) and how much. What the mail says is the
sample generator's. The same arguments give the same bytes.
"""

from __future__ import annotations

import base64
import datetime as dt
import functools
import hashlib
import os
import random
import re
import tempfile
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from orders_pipeline.config import Config, parse_config
from orders_pipeline.sample.catalogue import OWNER_ADDRESS
from orders_pipeline.sample.generate import write_sample_mailbox

ZONE = "Europe/Berlin"
LAST_DAY = dt.date(2026, 5, 31)
_MEDIAN_BYTES = 40_000  # of a mail with HTML; with the plain ones between, the median of all is 30 kB
_SPREAD = 0.75  # of the logarithm of the size: one such mail in ten is over 100 kB
_MOST_BYTES = 400_000  # of HTML
_LARGE_EVERY, _LARGE_BYTES = 1_000, 5_000_000  # a scan or a brochure
_ATTACHED_EVERY = 40  # an invoice of some 60 kB
_WORDS = [
    "autumn", "craft", "kettle", "lantern", "maker", "notebook", "pocket", "river", "saddle", "timber", "velvet",
    "window", "garden", "linen", "copper", "walnut", "morning", "harbour", "meadow", "ribbon", "bicycle", "workshop",
    "season", "corner", "letter", "summer", "copybook", "station", "orchard", "blanket",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A Maildir and what is in it. ``config_data`` is a configuration over it, as ``parse_config`` takes it."""

    folder: Path
    first_day: dt.date
    last_day: dt.date
    days: int
    messages: int
    bytes: int

    @property
    def megabytes(self) -> float:
        """Of all mail, 10^6 bytes each."""
        return self.bytes / 1e6

    def config_data(self) -> dict[str, Any]:
        """The mailbox, its owner, its zone and its first day."""
        return {
            "zone": ZONE,
            "start_date": self.first_day,
            "mailbox": [{"name": "bench", "kind": "maildir", "path": str(self.folder)}],
            "owner": {"addresses": [OWNER_ADDRESS]},
        }

    def config(self, base: Path) -> Config:
        """The validated configuration; relative paths start at ``base``."""
        return parse_config(self.config_data(), base=base, source="bench", today=self.last_day + dt.timedelta(days=1))

    def write_config(self, path: Path) -> None:
        """The configuration as a TOML file."""
        path.write_text(
            f'zone = "{ZONE}"\nstart_date = {self.first_day}\n'
            f'[[mailbox]]\nname = "bench"\nkind = "maildir"\npath = "{self.folder}"\n'
            f'[owner]\naddresses = ["{OWNER_ADDRESS}"]\n',
            encoding="utf-8",
        )


def write_workload(
    folder: Path, *, days: int, per_day: int, last_day: dt.date = LAST_DAY, seed: int = 7, heavy: bool = True
) -> Workload:
    """Write a Maildir of ``days`` local days up to ``last_day``, some ``per_day`` mails each; ``folder`` is new.

    Without ``heavy`` the mails stay as light as the sample's (3 kB), for workloads of many days.
    """
    sample = write_sample_mailbox(folder, last_day=last_day, days=days, per_day=per_day, seed=seed, zone=ZONE)
    size = 0
    for mail in sample.mails:
        path = folder / mail.path
        raw = path.read_bytes()
        if heavy:
            times = path.stat()
            raw = weighted(raw, seed)
            path.write_bytes(raw)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        size += len(raw)
    return Workload(
        folder=folder, first_day=sample.days[0], last_day=last_day, days=days, messages=len(sample.mails), bytes=size
    )


def raw_messages(count: int, *, seed: int = 7) -> list[bytes]:
    """So many heavy messages, in order of arrival."""
    with tempfile.TemporaryDirectory(prefix="orders-bench-mail-") as name:
        days = max(10, -(-count // 40))
        sample = write_sample_mailbox(
            Path(name) / "mail", last_day=LAST_DAY, days=days, per_day=45, seed=seed, zone=ZONE
        )
        return [weighted((Path(name) / "mail" / mail.path).read_bytes(), seed) for mail in sample.mails[:count]]


def weighted(raw: bytes, seed: int) -> bytes:
    """One mail with the weight of a real one: the same words, more of everything around them.

    Plain mail stays as it is (people's letters are light), but for those that get an attachment.
    """
    rng = random.Random(f"{seed}-{hashlib.sha256(raw).hexdigest()}")
    message = message_from_bytes(raw)
    wanted = min(int(rng.lognormvariate(0, _SPREAD) * _MEDIAN_BYTES), _MOST_BYTES)
    for part in message.walk():
        if part.get_content_type() == "text/html":
            _add_weight(part, wanted, rng)
    draw = rng.randrange(_LARGE_EVERY)
    if draw == 0:
        message = _with_attachment(message, _LARGE_BYTES, rng)
    elif draw % _ATTACHED_EVERY == 1:
        message = _with_attachment(message, rng.randrange(20_000, 100_000), rng)
    return message.as_bytes()


def _add_weight(part: Message, wanted: int, rng: random.Random) -> None:
    data = part.get_payload(decode=True)
    assert isinstance(data, bytes)
    charset = part.get_content_charset() or "utf-8"
    text = data.decode(charset, "replace")
    text = text.replace("<td", f'<td {_CELL_STYLE} valign="top"').replace("<p>", f"<p {_TEXT_STYLE}>")
    text = text.replace("</style>", _styles(rng.randrange(40)) + "</style>", 1)
    blocks: list[str] = []
    size = len(text)
    while size < wanted * 0.8:  # the rest is what the transfer encoding adds
        block = _tile(rng) if rng.random() < 0.8 else _footer(rng)
        blocks.append(block)
        size += len(block)
    before, end, after = text.rpartition("</body>")
    text = before + "\n".join(blocks) + end + after
    transfer = (part["Content-Transfer-Encoding"] or "").lower()
    body = text.encode(charset, "xmlcharrefreplace")
    if transfer == "base64":
        part.set_payload(base64.encodebytes(body).decode("ascii"))
    elif transfer == "quoted-printable":
        part.set_payload(_quoted(body))
    else:
        part.set_payload(body.decode("ascii", "surrogateescape"))


_CELL_STYLE = (
    'style="padding:0 24px 12px;font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:22px;color:#2b2b2b;'
    'mso-line-height-rule:exactly;border-collapse:collapse"'
)
_TEXT_STYLE = 'style="margin:0 0 12px;font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:22px"'


@functools.cache
def _styles(variant: int) -> str:
    """Some kilobytes of style sheet, the same for all mail of a sender."""
    rng = random.Random(variant)
    rules = [
        f".{rng.choice(_WORDS)}-{n}{{padding:{rng.randrange(40)}px!important;max-width:{rng.randrange(90, 640)}px;"
        f"font-size:{rng.randrange(11, 24)}px!important;color:#{rng.randrange(1 << 24):06x}}}"
        for n in range(30)
    ]
    return "\n" + "\n".join(rules) + "\n@media only screen and (max-width:480px){" + "".join(rules[:12]) + "}\n"


def _tile(rng: random.Random) -> str:
    """A picture with a caption and a tracked link, as newsletters and the lower half of order mails have them."""
    key = f"{rng.getrandbits(512):0128x}"
    name = " ".join(rng.choices(_WORDS, k=3)).title()
    words = " ".join(rng.choices(_WORDS, k=rng.randrange(6, 24)))
    return (
        '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
        ' style="border-collapse:collapse;mso-table-lspace:0;mso-table-rspace:0"><tbody><tr>'
        f'<td align="left" {_CELL_STYLE}><a href="https://click.sample.example/ls/click?upn={key}" target="_blank"'
        ' style="text-decoration:none;color:#2d5b46"><img alt="" width="276" height="184"'
        f' src="https://img.sample.example/tile/{key[:24]}.jpg" style="display:block;border:0;max-width:100%"></a></td>'
        f'<td align="left" {_CELL_STYLE}><h3 {_TEXT_STYLE}>{name}</h3><p {_TEXT_STYLE}>{words}.</p>'
        f'<a href="https://click.sample.example/ls/click?upn={key[::-1]}" {_TEXT_STYLE}>Have a look</a></td>'
        "</tr></tbody></table>"
    )


def _footer(rng: random.Random) -> str:
    lines = "".join(
        f"<p {_TEXT_STYLE}>{' '.join(rng.choices(_WORDS, k=rng.randrange(12, 40))).capitalize()}.</p>" for _ in range(3)
    )
    return f'<div style="max-width:600px;margin:0 auto;color:#777777">{lines}</div>'


_UNSAFE = re.compile(rb"[^\t\x20-\x3c\x3e-\x7e\n]")


def _quoted(data: bytes) -> str:
    """Quoted-printable as mailers write it. Quicker than ``quopri`` for a year of mail; lines up to 76 characters."""
    coded = _UNSAFE.sub(lambda found: b"=%02X" % ord(found[0]), data).decode("ascii")
    out: list[str] = []
    for line in coded.split("\n"):
        while len(line) > 76:
            cut = 75
            if "=" in line[cut - 2 : cut]:
                cut = line.rindex("=", 0, cut)
            out.append(line[:cut] + "=")
            line = line[cut:]
        if line.endswith((" ", "\t")):
            line = line[:-1] + f"={ord(line[-1]):02X}"
        out.append(line)
    return "\n".join(out)


def _with_attachment(message: Message, size: int, rng: random.Random) -> Message:
    """The mail with a document that no compression makes smaller, as PDF and JPEG files are."""
    whole = Message()
    for name, value in message.items():
        if name.lower() not in {"content-type", "content-transfer-encoding", "mime-version"}:
            whole[name] = value
    whole["MIME-Version"] = "1.0"
    whole["Content-Type"] = f'multipart/mixed; boundary="{rng.getrandbits(96):024x}"'
    body = Message()
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        if name in message:
            body[name] = message[name]
    body.set_payload(message.get_payload())
    document = Message()
    document["Content-Type"] = 'application/pdf; name="document.pdf"'
    document["Content-Disposition"] = 'attachment; filename="document.pdf"'
    document["Content-Transfer-Encoding"] = "base64"
    document.set_payload(base64.encodebytes(rng.randbytes(size * 3 // 4)).decode("ascii"))
    whole.set_payload([body, document])
    return whole
