"""UIDs as the sets that commands name, none too long for a command line, and in batches bounded by bytes.

Belongs here: the arithmetic. Not here: asking.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

MAX_SET = 4000  # bytes; servers take lines of 8,000 and more


def uid_set(uids: Iterable[int]) -> bytes:
    """One set: ``1:5,7``."""
    return b",".join(_ranges(sorted(set(uids))))


def uid_sets(uids: Iterable[int]) -> Iterator[bytes]:
    """Sets of at most ``MAX_SET`` bytes."""
    some: list[bytes] = []
    length = 0
    for text in _ranges(sorted(set(uids))):
        if some and length + len(text) > MAX_SET:
            yield b",".join(some)
            some, length = [], 0
        some.append(text)
        length += len(text) + 1
    if some:
        yield b",".join(some)


def _ranges(uids: Sequence[int]) -> Iterator[bytes]:
    first = last = None
    for uid in uids:
        if last is not None and uid == last + 1:
            last = uid
            continue
        if first is not None and last is not None:
            yield _range(first, last)
        first = last = uid
    if first is not None and last is not None:
        yield _range(first, last)


def _range(first: int, last: int) -> bytes:
    return b"%d" % first if first == last else b"%d:%d" % (first, last)
