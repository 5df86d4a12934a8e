"""A mailbox and a judge that take time and write down what they were asked for: each line is one unit paid for.

Belongs here: wrappers around the real Maildir and the real judge, put in place within one process by ``install``.
The line is written when the unit comes, before anybody has saved it, and survives the process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from orders_pipeline.mail.mailbox import Mailbox
from orders_pipeline.models import Fetched, Listing, MessageRef, Reviewable, Verdict, Window
from orders_pipeline.review.judge import Judge, JudgeFault
from orders_pipeline.stages import review, work

FETCHED, JUDGED = "fetched", "judged"
LOG, FETCH_SECONDS, JUDGE_SECONDS, JUDGE_BATCH = "PAID_LOG", "PAID_FETCH_SECONDS", "PAID_JUDGE_SECONDS", "PAID_BATCH"


@dataclass(frozen=True, slots=True)
class PaidUnit:
    """One line: a message fetched, or a parse judged, by a process."""

    kind: str
    pid: int
    unit: str


class PayingMailbox:
    """A mailbox over a slow line, with every fetch on record."""

    def __init__(self, box: Mailbox, log: Path, seconds: float) -> None:
        self.name, self._box, self._log, self._seconds = box.name, box, log, seconds

    def list(self, window: Window) -> Listing:
        time.sleep(self._seconds)
        return self._box.list(window)

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        for item in self._box.fetch(refs):
            time.sleep(self._seconds)
            note(self._log, FETCHED, f"{item.ref.mailbox}/{item.ref.location}")
            yield item

    def close(self) -> None:
        self._box.close()


class PayingJudge:
    """A judge that thinks, with every verdict on record; it saves after ``batch_size`` of them."""

    def __init__(self, judge: Judge, log: Path, seconds: float, batch_size: int) -> None:
        self._judge, self._log, self._seconds = judge, log, seconds
        self.name, self.version, self.batch_size = judge.name, judge.version, batch_size
        self.asks_model = judge.asks_model

    def judge(self, items: Sequence[Reviewable]) -> Iterator[Verdict | JudgeFault]:
        for answer in self._judge.judge(items):
            time.sleep(self._seconds)
            note(self._log, JUDGED, f"{answer.message_id}/{answer.parse_digest}")
            yield answer


def install() -> None:
    """Put both in place of what the configuration names, when the environment names a log; in this process alone."""
    log = os.environ.get(LOG)
    if not log or isinstance(work.open_mailbox, _Opener):
        return
    work.open_mailbox = _Opener(work.open_mailbox, Path(log), float(os.environ.get(FETCH_SECONDS, "0")))
    make, seconds, batch = (
        review.make_judge,
        float(os.environ.get(JUDGE_SECONDS, "0")),
        int(os.environ.get(JUDGE_BATCH, "1")),
    )
    review.make_judge = lambda job: PayingJudge(make(job), Path(log), seconds, batch)


@dataclass(frozen=True, slots=True)
class _Opener:
    opens: Callable[..., Mailbox]
    log: Path
    seconds: float

    def __call__(self, *settings: object) -> Mailbox:
        return PayingMailbox(self.opens(*settings), self.log, self.seconds)


def note(log: Path, kind: str, unit: str) -> None:
    """Add one line, whole or not at all: an append of this size is atomic."""
    handle = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, f"{kind} {os.getpid()} {unit}\n".encode())
    finally:
        os.close(handle)


def paid(log: Path) -> list[PaidUnit]:
    """Every unit paid for, in order."""
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [PaidUnit(kind, int(pid), unit) for kind, pid, unit in (line.split(" ", 2) for line in lines)]
