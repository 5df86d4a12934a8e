"""Several patterns searched together, as if they were one.

Belongs here: going through a text with one finder a language, so that ten patterns do for the hundreds of sets of
languages that mails are written in. Not here: any pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from orders_pipeline.extract.finder import Finder

Found = tuple[int, re.Match[str]]


def leftmost(patterns: Sequence[Finder], text: str, rank: Callable[[int, re.Match[str]], object]) -> Iterator[Found]:
    """The matches from left to right, not overlapping, each with the index of its pattern.

    Where several patterns match at one place, the one of the lowest ``rank`` is taken, then the first.
    """
    if len(patterns) == 1:
        yield from ((0, match) for match in patterns[0].finditer(text))
        return
    searches = [pattern.searching(text) for pattern in patterns]
    ahead = [search(0) for search in searches]
    while any(ahead):
        start = min(match.start() for match in ahead if match)
        there = [(i, match) for i, match in enumerate(ahead) if match and match.start() == start]
        i, match = min(there, key=lambda found: rank(*found)) if len(there) > 1 else there[0]  # type: ignore[type-var]
        yield i, match
        end = max(match.end(), start + 1)
        for j, other in enumerate(ahead):  # each pattern goes on from where it was: no place is searched twice
            if other and other.start() < end:
                ahead[j] = searches[j](end)
