"""Items in batches bounded by count and bytes: what a mailbox asks its server for at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")


def batches(
    items: Iterable[Item], size_of: Callable[[Item], int], *, max_bytes: int, max_count: int
) -> Iterator[list[Item]]:
    """The items in order, in batches; one that is larger than ``max_bytes`` goes alone."""
    batch: list[Item] = []
    total = 0
    for item in items:
        size = size_of(item)
        if batch and (len(batch) >= max_count or total + size > max_bytes):
            yield batch
            batch, total = [], 0
        batch.append(item)
        total += size
    if batch:
        yield batch
