"""Disjoint sets: which things are one, when some pairs are known to be.

Belongs here: the union-find structure. Not here: why two things are one (grouping.py).
"""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T", str, tuple[str, str])


class Disjoint(Generic[T]):
    """Sets that only grow together. A set's ``find`` is its smallest member: the order of unions does not matter."""

    def __init__(self) -> None:
        self._parent: dict[T, T] = {}

    def find(self, member: T) -> T:
        """The smallest member of the set; a member not seen before is a set of its own."""
        root = member
        while (above := self._parent.setdefault(root, root)) != root:
            root = above
        while (above := self._parent[member]) != root:
            self._parent[member], member = root, above
        return root

    def union(self, one: T, other: T) -> None:
        """Make the sets of both one."""
        low, high = sorted((self.find(one), self.find(other)))
        self._parent[high] = low
