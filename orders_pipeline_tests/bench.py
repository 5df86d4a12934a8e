"""How fast the parts are on this machine, over the sample mailbox: ``make bench``.

Belongs here: timings of whole parts on real input, printed for a person. Not here: limits that fail a test.
"""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from orders_pipeline.config import Config, parse_config
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.identity import canonical_digest, message_id_of, template_digest
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.sample.catalogue import OWNER_ADDRESS
from orders_pipeline.sample.generate import write_sample_mailbox
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.support import PROJECT
from orders_pipeline_tests.timing import best

ZONE = "Europe/Berlin"
LAST_DAY = dt.date(2026, 5, 31)
DAYS, PER_DAY = 14, 40
CORPUS = PROJECT.parent / "shared" / "corpus" / "dev" / "labels.jsonl"  # real mail, measured where it lies


def main() -> int:
    """Print one line a part. Returns the exit status."""
    with tempfile.TemporaryDirectory(prefix="orders-bench-") as name:
        folder = Path(name)
        sample = write_sample_mailbox(folder / "mail", last_day=LAST_DAY, days=DAYS, per_day=PER_DAY, zone=ZONE)
        paths = sorted(p for p in (folder / "mail").rglob("*") if p.is_file() and p.parent.name in {"cur", "new"})
        config = _config(folder)
        print(f"{len(paths)} sample messages in {DAYS} days; each figure is the best of three")
        _message_by_message([p.read_bytes() for p in paths], config)
        _day_by_day(folder, config, sample.days)
    command = str(Path(sys.executable).with_name("orders-pipeline"))
    _show("orders-pipeline --version", best(lambda: _start(command, "--version")))
    _show("import dagster", best(lambda: _start(sys.executable, "-c", "import dagster")))
    return 0


def _message_by_message(raws: Sequence[bytes], config: Config) -> None:
    mails = [parse_email(raw, message_id=message_id_of(raw)) for raw in raws]
    seconds = {
        "email.message_from_bytes (stdlib, to compare)": best(lambda: [message_from_bytes(raw) for raw in raws]),
        "message_id_of": best(lambda: [message_id_of(raw) for raw in raws]),
        "parse_email": best(lambda: [parse_email(raw) for raw in raws]),
        "canonical and template digest": best(lambda: [(canonical_digest(m), template_digest(m)) for m in mails]),
        "parse_message": best(
            lambda: [parse_message(m, config.parse, zone=config.zone, owner=config.owner) for m in mails]
        ),
    }
    for what, taken in seconds.items():
        _show(what, taken, len(raws), "messages")
    _rate("parse_email and parse_message, of the rate of parse_email", raws, config)
    if CORPUS.exists():
        names = [json.loads(line)["file"] for line in CORPUS.read_text("utf-8").splitlines()]
        corpus = [_without_from_line((CORPUS.parent / name).read_bytes()) for name in names]
        _rate(f"the same, {len(corpus)} messages of the corpus", corpus, config)


def _rate(what: str, raws: Sequence[bytes], config: Config) -> None:
    """The rate of decoding and reading, as a part of the rate of decoding alone: both in turn, in processor time."""
    own, floor = 0.0, 0.0
    for _ in range(3):
        started = time.process_time()
        for raw in raws:
            text_alone(raw)
        alone = time.process_time()
        mails = [parse_email(raw) for raw in raws]
        decoded = time.process_time()
        for mail in mails:
            parse_message(mail, config.parse, zone=config.zone, owner=config.owner)
        taken = time.process_time() - alone
        own, floor = max(own, (decoded - alone) / taken), max(floor, (alone - started) / taken)
    print(f"{what:60}{own:9.2f}")
    print(f"{'  of the rate of stdlib and selectolax, text alone':60}{floor:9.2f}", flush=True)


def text_alone(raw: bytes) -> int:
    """The floor: the parts decoded by the standard library, the text of their DOM, and nothing made of it."""
    length = 0
    for part in message_from_bytes(raw).walk():
        if part.get_content_maintype() == "text":
            data = part.get_payload(decode=True)
            text = data.decode("utf-8", "replace") if isinstance(data, bytes) else ""
            if part.get_content_subtype() == "html" and (body := LexborHTMLParser(text).body):
                text = body.text(separator="\n")
            length += len(text)
    return length


def _without_from_line(raw: bytes) -> bytes:
    return raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw


def _day_by_day(folder: Path, config: Config, days: Sequence[dt.date]) -> None:
    """All stages of every day into a new store, then the same days again, which are done."""
    work = Work(store=open_store(folder / "data", config), config=config)
    try:
        for what in ("days through all stages", "the same days again"):
            started = time.perf_counter()
            problems = [line for day in days if (line := run_day(work, day).problem)]
            _show(what, time.perf_counter() - started, len(days), "days")
            for line in problems:
                print(f"  {line}")
    finally:
        work.close()


def _config(folder: Path) -> Config:
    data = {
        "zone": ZONE,
        "start_date": LAST_DAY - dt.timedelta(days=DAYS - 1),
        "mailbox": [{"name": "sample", "kind": "maildir", "path": str(folder / "mail")}],
        "owner": {"addresses": [OWNER_ADDRESS]},
    }
    return parse_config(data, base=folder, source="bench", today=LAST_DAY + dt.timedelta(days=1))


def _start(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def _show(what: str, seconds: float, count: int = 0, unit: str = "") -> None:
    per_second = count / seconds
    rate = f"{per_second:12,.{0 if per_second >= 100 else 1}f} {unit}/s" if count else ""
    print(f"{what:48}{seconds:9.3f} s {rate}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
