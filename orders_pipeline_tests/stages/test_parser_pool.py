"""Several processes give the answers of one, in its order; what is in a message costs that message alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

import pytest

from orders_pipeline.stages import parser_pool
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, parse_bytes
from orders_pipeline.stages.parser_pool import ParserPool
from orders_pipeline.stages.parser_process import SMALL_BYTES
from orders_pipeline_tests.harness import DAY, noon, order_mail, plain_mail
from orders_pipeline_tests.stages.hostile import PLAIN
from orders_pipeline_tests.stages.misbehaving import misbehaves

CONTEXT = ParseContext()
LARGE = PLAIN + b"\r\n" * SMALL_BYTES
KILLED, SLOW, HUNGRY = "killed the parser", "took more than 2 s", "took more than 200 MB"


@pytest.fixture
def pool(shared: ParserPool[ParsedMessage], monkeypatch: pytest.MonkeyPatch) -> ParserPool[ParsedMessage]:
    monkeypatch.setattr(parser_pool, "PAYS_BYTES", 0)
    return shared


@pytest.fixture(scope="module")
def shared() -> Iterator[ParserPool[ParsedMessage]]:
    with ParserPool(misbehaves, 2) as pool:
        yield pool


def mixed(ids: Collection[str]) -> list[RawMessage]:
    """Orders, letters and large mail in turn, under these ids."""
    raws = [order_mail(f"FM-{n}", noon(DAY)) if n % 3 else plain_mail(f"Hello {n}", noon(DAY)) for n in range(len(ids))]
    raws = [raw + b"\r\n" * 150_000 if n % 5 == 0 else raw for n, raw in enumerate(raws)]
    return [RawMessage(name, raw, noon(DAY)) for name, raw in zip(ids, raws, strict=True)]


def reasons(answers: Collection[ParsedMessage]) -> dict[str, str]:
    """The reason of each failed message."""
    rows = [answer.outcome_row for answer in answers]
    return {row["message_id"]: row["reason"] for row in rows if row["outcome"] == "failed"}


def test_the_answers_are_those_of_one_process_in_its_order(pool: ParserPool[ParsedMessage]) -> None:
    """First, in the middle, two at once, at the end: whoever dies costs itself, and nobody's answer is another's."""
    ids = ["dies 1", *map(str, range(8)), "hangs 1", "hangs 2", "8", "memory 1", "dies 2", "dies 3", "9", "hangs 3"]
    messages = mixed(ids)
    answers = list(pool.parse_all(messages, CONTEXT))
    assert [answer.outcome_row["message_id"] for answer in answers] == ids
    assert len({id(worker) for worker in pool._workers}) == 2
    words = {"dies": KILLED, "hangs": SLOW, "memory": HUNGRY}
    assert reasons(answers) == {i: words[i.split()[0]] for i in ids if " " in i}
    fine = [
        (message, answer) for message, answer in zip(messages, answers, strict=True) if " " not in message.message_id
    ]
    assert [answer for _, answer in fine] == [parse_bytes(message, CONTEXT) for message, _ in fine]


def test_processes_are_kept_for_what_comes_next(pool: ParserPool[ParsedMessage]) -> None:
    """A run of thirty days would start sixty processes; another context must reach those that are kept."""
    first = list(pool.parse_all(mixed("abc"), CONTEXT))
    kept = list(pool._workers)
    other = ParseContext(zone="Asia/Tokyo")
    assert list(pool.parse_all(mixed("abc"), other)) == [parse_bytes(m, other) for m in mixed("abc")]
    assert first == [parse_bytes(m, CONTEXT) for m in mixed("abc")]
    assert pool._workers == kept
    assert pool.parse(RawMessage("large", LARGE), CONTEXT).outcome_row["outcome"] == "parsed"
    assert pool._workers == kept


def test_an_innocent_message_whose_process_was_ended_is_read_again(
    pool: ParserPool[ParsedMessage], tmp_path: Path
) -> None:
    """A system short of memory ends the largest process: whatever mail is in it at that moment is not at fault."""
    ids = ["a", f"once {tmp_path / '1'}", "b", f"once {tmp_path / '2'}", "c"]
    assert reasons(list(pool.parse_all(mixed(ids), CONTEXT))) == {}
    assert reasons([pool.parse(RawMessage(f"once {tmp_path / '3'}", LARGE), CONTEXT)]) == {}


def test_what_is_taken_ahead_is_bounded(
    pool: ParserPool[ParsedMessage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One slow message must not let a whole mailbox into memory behind it."""
    monkeypatch.setattr(parser_pool, "_AHEAD_MESSAGES", 20)
    taken: list[str] = []

    def source() -> Iterator[RawMessage]:
        for message in mixed([f"waits {tmp_path / 'go'}", *map(str, range(60))]):
            taken.append(message.message_id)
            yield message

    answers = pool.parse_all(source(), CONTEXT)
    timer = threading.Timer(1.0, (tmp_path / "go").touch)
    timer.start()
    next(answers)
    assert 10 < len(taken) <= 20
    assert len(list(answers)) == 60


def test_the_mail_in_work_is_bounded_by_bytes(pool: ParserPool[ParsedMessage], monkeypatch: pytest.MonkeyPatch) -> None:
    """Mails of 5 MB times the processes times the queue are more memory than a small machine has."""
    monkeypatch.setattr(parser_pool, "_AHEAD_BYTES", 2_500_000)
    size = 1_000_000
    messages = [RawMessage(str(n), LARGE + b"x" * (size - len(LARGE))) for n in range(12)]
    messages.insert(6, RawMessage("huge", LARGE + b"x" * 4 * size))
    most: list[Collection[str]] = []
    assert len(list(pool.parse_all(messages, CONTEXT, enter=most.append))) == 13
    assert max(map(len, most)) == 2
    assert [ids for ids in most if "huge" in ids] == [["huge"]]


def test_a_suspect_is_read_alone_and_all_in_work_are_named_before(pool: ParserPool[ParsedMessage]) -> None:
    """What the record does not name when the whole tree dies is not found by the next run."""
    ids = [str(n) for n in range(12)]
    named: list[Collection[str]] = []
    answers = list(pool.parse_all(mixed(ids), CONTEXT, apart={"0", "7"}, enter=named.append))
    assert [answer.outcome_row["message_id"] for answer in answers] == ids
    assert [n for n in named if "0" in n or "7" in n] == [["0"], ["7"]]
    assert {i for n in named for i in n} == set(ids)
    assert any(len(n) > 1 for n in named)


def test_answers_that_nobody_waits_for_are_not_taken_for_others(pool: ParserPool[ParsedMessage]) -> None:
    """A run that was interrupted and goes on would give the one mail's orders to another."""
    answers = pool.parse_all(mixed([str(n) for n in range(30)]), CONTEXT)
    next(answers)
    answers.close()
    assert list(pool.parse_all(mixed("abc"), CONTEXT)) == [parse_bytes(m, CONTEXT) for m in mixed("abc")]


@pytest.mark.parametrize(
    ("processes", "expected", "started"), [(2, 0, False), (2, parser_pool.PAYS_BYTES, True), (1, 10**12, False)]
)
def test_little_mail_starts_no_process(processes: int, expected: int, started: bool) -> None:
    """A quiet day would take twice as long."""
    with ParserPool(parse_bytes, processes) as pool:
        small = [RawMessage(str(n), order_mail(f"FM-{n}", noon(DAY))) for n in range(4)]
        assert len(list(pool.parse_all(small, CONTEXT, expected_bytes=expected))) == 4
        assert bool(pool._workers) is started


def test_many_quiet_days_come_to_much_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    """A year of days of which none is large would be read by one core."""
    monkeypatch.setattr(parser_pool, "PAYS_BYTES", 5_000)
    with ParserPool(parse_bytes, 2) as pool:
        started = []
        for number in range(12):
            message = RawMessage(str(number), order_mail(f"FM-{number}", noon(DAY)))
            list(pool.parse_all([message], CONTEXT, expected_bytes=len(message.raw)))
            started.append(len(pool._workers))
    assert started[0] == 0
    assert started[-1] == 2


@pytest.mark.parametrize("how", [int, len])
def test_a_source_or_a_reader_that_raises_leaves_no_answer_behind(
    pool: ParserPool[ParsedMessage], how: Callable[..., object]
) -> None:
    """An archive file that cannot be read fails the day; the processes must serve the next one."""

    def source() -> Iterator[RawMessage]:
        yield from mixed([str(n) for n in range(5)])
        how("x" if how is int else 1)

    with pytest.raises((ValueError, TypeError)):
        list(pool.parse_all(source(), CONTEXT))
    assert list(pool.parse_all(mixed("abc"), CONTEXT)) == [parse_bytes(m, CONTEXT) for m in mixed("abc")]
