"""A regular expression that is searched where its matches can begin, and nowhere else.

Belongs here: finding the same matches as the pattern does, through an automaton of the strings that they begin with
(literals). Not here: any pattern. Python's engine tries a long alternation at each character, 30 to 90 ns a time; the
automaton takes 2 ns a character, and the engine is asked at the few places that it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ahocorasick_rs import AhoCorasick, Implementation

from orders_pipeline.extract.literals import RUN, Tree, compiled, leading_literals, required_literals

_RUN = re.compile(RUN)
Search = Callable[[int], "re.Match[str] | None"]


class Finder:
    """A pattern with ``search`` and ``finditer`` as a compiled one has them, for texts that are searched whole.

    ``source`` is a regular expression none of whose matches is empty. It is compiled when it is first needed.
    """

    __slots__ = ("_made", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._made: tuple[re.Pattern[str], _Starts | None] | None = None

    def __repr__(self) -> str:
        return f"Finder({self.source!r})"

    @property
    def pattern(self) -> re.Pattern[str]:
        """As ``re.compile`` makes it, for what is not a search of a whole text."""
        return self._ready()[0]

    def search(self, text: str) -> re.Match[str] | None:
        """The first match in the text."""
        return self.searching(text)(0)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches from left to right, not overlapping."""
        search = self.searching(text)
        at = 0
        while match := search(at):
            yield match
            at = match.end()

    def searching(self, text: str) -> Search:
        """What gives the first match from an offset on; the offsets asked for must not go back."""
        pattern, starts = self._made or self._ready()
        places = starts.of(text) if starts else None
        if places is None:
            return lambda at: pattern.search(text, at)
        if not places:
            return _nothing
        match, ahead = pattern.match, iter(places)

        def search(at: int) -> re.Match[str] | None:
            for start in ahead:
                if start >= at and (found := match(text, start)):
                    return found
            return None

        return search

    def _ready(self) -> tuple[re.Pattern[str], _Starts | None]:
        if self._made is None:
            pattern, tree = compiled(self.source)
            self._made = pattern, _starts(tree)
        return self._made


@dataclass(frozen=True, slots=True)
class _Starts:
    """Where matches can begin.

    ``spans`` tell how far before each of the automaton's strings; they are empty where all strings stand at the
    beginning, and None where the strings only occur somewhere in a match. ``run`` tells how far before a long run of
    digits, if a match can begin so.
    """

    automaton: AhoCorasick | None
    spans: tuple[range, ...] | None = ()
    run: range | None = None

    def of(self, text: str) -> list[int] | None:
        """The places in order; None when they cannot be told."""
        hits: list[tuple[int, int, int]] = []
        if self.automaton:
            try:
                hits = self.automaton.find_matches_as_indexes(text, overlapping=self.spans is not None)
            except UnicodeEncodeError:  # half a character, which the automaton cannot read
                return None
        if self.spans is None:
            return None if hits else []
        if not self.spans and self.run is None:
            return sorted([hit[1] for hit in hits])
        if self.spans:
            places = {hit[1] - back for hit in hits for back in self.spans[hit[0]]}
        else:
            places = {hit[1] for hit in hits}
        if self.run is not None:
            places.update(match.start() - back for match in _RUN.finditer(text) for back in self.run)
        return sorted(place for place in places if place >= 0)


def _starts(tree: Tree) -> _Starts | None:
    if leads := leading_literals(tree):
        spans: dict[str, range] = {}
        for lead in leads:
            seen = spans.get(lead.text, range(lead.nearest, lead.farthest + 1))
            spans[lead.text] = range(min(seen.start, lead.nearest), max(seen.stop, lead.farthest + 1))
        run = spans.pop(RUN, None)
        shifted = any(span != range(1) for span in spans.values())
        return _Starts(_made(list(spans)), tuple(spans.values()) if shifted else (), run)
    if strings := required_literals(tree):
        return _Starts(_made(list(strings)), None)
    return None


def _made(strings: list[str]) -> AhoCorasick | None:
    return AhoCorasick(strings, implementation=Implementation.DFA) if strings else None


def _nothing(at: int) -> None:
    return None
