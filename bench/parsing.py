"""Parsing on one core, beside decoding the same mail and taking the text of its DOM.

Belongs here: the rate as a whole and what each part of it takes. Not here: several processes (cores), days (year).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from statistics import median

from bench.figures import Figure, Scale, Section, Sense, Table
from bench.floor import text_alone
from bench.measuring import PROJECT, in_turn
from bench.workloads import raw_messages
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.identity import canonical_digest, message_id_of, template_digest
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.stages.parse_message import ParseContext, RawMessage, parse_bytes, rows_of

_CORPUS = PROJECT.parent / "shared" / "corpus" / "dev" / "labels.jsonl"  # real mail, measured where it lies
_CONTEXT = ParseContext()


def measure(scale: Scale) -> Section:
    """See the package: a figure and a table for each set of mail."""
    rounds = scale.pick(3, 7)
    sets = {"mail as heavy as real": raw_messages(scale.pick(200, 1000))}
    if corpus := _corpus():
        sets["real mail"] = corpus[:: scale.pick(4, 1)]
    figures, tables = [], []
    for name, raws in sets.items():
        figures.append(_against_the_floor(name, raws, rounds))
        tables.append(_by_part(name, raws, rounds))
    return Section(
        title="Parsing, one core",
        how=(
            "Bytes to orders: decoding and extraction, all rules, no model, in processor time, best of"
            f" {rounds} rounds in turn, after one that is not counted. Beside it the standard library decodes the"
            " parts of the same mail and selectolax takes the text of their HTML, with nothing made of it: a floor"
            " under every parser in Python."
            + ("" if corpus else " The labelled mail beside the project is not there: it is left out.")
        ),
        figures=figures,
        tables=tables,
    )


def _against_the_floor(name: str, raws: Sequence[bytes], rounds: int) -> Figure:
    messages = [(raw, message_id_of(raw)) for raw in raws]  # known from the archive
    ours, theirs = _least(
        rounds,
        lambda: [_parsed(raw, message_id) for raw, message_id in messages],
        lambda: [text_alone(raw) for raw in raws],
    )
    return Figure(
        what=f"parsing, {name}",
        against="decoding and DOM text alone",
        ours=f"{len(raws) / ours:,.0f} messages/s",
        theirs=f"{len(raws) / theirs:,.0f} messages/s",
        ratio=theirs / ours,
        sense=Sense.AT_LEAST,
        reach=0.5,
    )


def _by_part(name: str, raws: Sequence[bytes], rounds: int) -> Table:
    messages = [RawMessage(message_id_of(raw), raw) for raw in raws]
    mails = [parse_email(message.raw, message_id=message.message_id) for message in messages]
    results = [(mail, parse_message(mail, _CONTEXT.settings)) for mail in mails]
    parts: dict[str, Callable[[], object]] = {
        "the floor: decoding and DOM text alone": lambda: [text_alone(raw) for raw in raws],
        "`message_id_of`, when mail is fetched": lambda: [message_id_of(raw) for raw in raws],
        "`parse_email`": lambda: [parse_email(m.raw, message_id=m.message_id) for m in messages],
        "`parse_message`": lambda: [parse_message(mail, _CONTEXT.settings) for mail in mails],
        "canonical and template digest": lambda: [(canonical_digest(m), template_digest(m)) for m in mails],
        "rows, with the digests": lambda: [rows_of(mail, result, None) for mail, result in results],
        "all, bytes to rows (`parse_bytes`)": lambda: [parse_bytes(message, _CONTEXT) for message in messages],
    }
    seconds = _least(rounds, *parts.values())
    size = f"{sum(map(len, raws)) / 1e6:.1f} MB, median {median(map(len, raws)) / 1e3:.1f} kB"
    return Table(
        title=f"By part: {len(raws):,} messages, {name}, {size}",
        columns=("part", "ms a message", "messages/s"),
        rows=[
            (what, f"{taken / len(raws) * 1e3:.3f}", f"{len(raws) / taken:,.0f}")
            for what, taken in zip(parts, seconds, strict=True)
        ],
        note="`parse_message` alone parses the HTML that `parse_email` left it a tree of when it follows at once.",
    )


def _parsed(raw: bytes, message_id: str) -> object:
    return parse_message(parse_email(raw, message_id=message_id), _CONTEXT.settings)


def _least(rounds: int, *works: Callable[[], object]) -> tuple[float, ...]:
    for work in works:
        work()
    return in_turn(*works, times=rounds, clock=time.process_time)


def _corpus() -> list[bytes]:
    """The labelled messages that lie beside the project, or none."""
    if not _CORPUS.exists():
        return []
    names = [json.loads(line)["file"] for line in _CORPUS.read_text("utf-8").splitlines()]
    raws = [(_CORPUS.parent / name).read_bytes() for name in names]
    return [raw.partition(b"\n")[2] if raw.startswith(b"From ") else raw for raw in raws]
