"""Three ways to take new mail night after night, each the whole job of one process.

Belongs here: what runs in the child until it ends or is killed. All three read the same Maildir through the same slow
line, parse with the real parser and ask the same slow judge; they differ in when they say how far they have come.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from pathlib import Path

from orders_pipeline.config import Config, home, load_config
from orders_pipeline.days import day_window
from orders_pipeline.encoding import result_from_dict
from orders_pipeline.mail.identity import message_id_of
from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.models import MessageRef, Reviewable, Window
from orders_pipeline.stages import review, work
from orders_pipeline.stages.day import run_day
from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes
from orders_pipeline.stages.work import Work
from orders_pipeline.store.store import open_store
from orders_pipeline_tests.crash.child import begin, missing

CURSOR, RESULTS = "cursor.txt", "results.jsonl"


def cursor_at_the_end(folder: str, environ: dict[str, str]) -> None:
    """Everything since the cursor, then the results, then the cursor: what is killed leaves nothing behind."""
    begin(folder, environ)
    config, box = _mailbox()
    refs = _since_cursor(Path(folder), config, box)
    results = [_result(config, ref, raw) for ref, raw in _fetched(box, refs)]
    with (Path(folder) / RESULTS).open("a", encoding="utf-8") as out:
        out.writelines(results)
    _stamp(Path(folder), refs)


def cursor_before_the_work(folder: str, environ: dict[str, str]) -> None:
    """The cursor first, then the work, each result saved at once: what a kill cuts off nobody asks for again."""
    begin(folder, environ)
    config, box = _mailbox()
    refs = _since_cursor(Path(folder), config, box)
    _stamp(Path(folder), refs)
    with (Path(folder) / RESULTS).open("a", encoding="utf-8") as out:
        for ref, raw in _fetched(box, refs):
            out.write(_result(config, ref, raw))
            out.flush()


def save_then_mark(folder: str, environ: dict[str, str]) -> None:
    """The pipeline: the days that are not done, oldest first, over the real store."""
    begin(folder, environ)
    config = load_config()
    job = Work(store=open_store(home(), config), config=config)
    upto = dt.date.fromisoformat((Path(folder) / "tonight.txt").read_text(encoding="ascii"))
    for day in missing(job):
        if day <= upto:
            run_day(job, day)


def results_of(folder: Path) -> set[str]:
    """The locations that have a result in the files of a strategy with a cursor."""
    path = folder / RESULTS
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {json.loads(line)["location"] for line in lines if line.endswith("}")}


def _mailbox() -> tuple[Config, Mailbox]:
    config = load_config()
    return config, work.open_mailbox(config.mailbox[0])


def _since_cursor(folder: Path, config: Config, box: Mailbox) -> list[MessageRef]:
    path = folder / CURSOR
    since = dt.datetime.fromisoformat(path.read_text(encoding="ascii")) if path.exists() else None
    first = day_window(config.start_date, config.tz).start
    listing = box.list(Window(start=since or first, end=dt.datetime.now(dt.UTC)))
    refs = [r for r in listing.refs if r.received_at and (since is None or r.received_at > since)]
    return sorted(refs, key=lambda r: (r.received_at, r.location))


def _stamp(folder: Path, refs: list[MessageRef]) -> None:
    newest = max((r.received_at for r in refs if r.received_at), default=None)
    if newest:
        (folder / CURSOR).write_text(newest.isoformat(), encoding="ascii")


def _fetched(box: Mailbox, refs: list[MessageRef]) -> Iterator[tuple[MessageRef, bytes]]:
    for item in box.fetch(refs):
        if item.raw is not None:
            yield item.ref, item.raw


def _result(config: Config, ref: MessageRef, raw: bytes) -> str:
    """Parse and judge one mail; the result as a line."""
    assert ref.received_at is not None
    message_id = message_id_of(raw)
    row = parse_bytes(RawMessage(message_id, raw, ref.received_at), ParseContext.of(config)).outcome_row
    item = Reviewable(
        day=ref.received_at.astimezone(config.tz).date(),
        message_id=message_id,
        parse_digest=row["parse_digest"],
        canonical_digest=row["canonical_digest"],
        template_digest=row["template_digest"],
        sender_domain=row["sender_domain"],
        received_at=ref.received_at,
        sent_at=row["sent_at"],
        result=result_from_dict(message_id, json.loads(row["result"])),
    )
    job = Work(store=None, config=config)  # type: ignore[arg-type]  # the judge of this configuration needs no store
    answers = list(review.make_judge(job).judge([item]))
    return json.dumps({"location": ref.location, "message_id": message_id, "answers": len(answers)}) + "\n"
