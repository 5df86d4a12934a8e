"""The literal strings that the matches of a regular expression begin with, or hold.

Belongs here: reading them off the parsed pattern, so that they cannot drift from it. Not here: searching for them
(finder). Everything errs on the generous side: a string too many costs time, one too few would lose a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from re import _compiler as compiler  # pyright: ignore[reportAttributeAccessIssue]
from re import _constants as sre  # pyright: ignore[reportAttributeAccessIssue]
from re import _parser as parser  # pyright: ignore[reportAttributeAccessIssue]
from typing import Any, NamedTuple

LONGEST = 5  # characters: longer ones are hardly rarer, and make the automaton larger and slower to make
MOST = 4_000  # strings a pattern
MOST_BRANCHING = 300  # strings that one part of a pattern is multiplied out to
FARTHEST = 4  # characters of any kind before a string
RUN = r"\d{9,}"  # in place of a string: a run of digits, of patterns that begin where a word does
_SMALL_CLASS = 12  # characters of a class that are taken one by one

Tree = Any  # a parsed pattern: a sequence of operations, each with its argument


class Lead(NamedTuple):
    """A string that stands in a match from ``nearest`` to ``farthest`` characters behind its beginning."""

    text: str
    nearest: int = 0
    farthest: int = 0


# Each with whether what comes behind it is known to be what the rest of the pattern says; False wins over True.
_Leads = dict[Lead, bool]
_NOTHING = Lead("")
_WORD_START = repr(parser.parse(r"(?<![^\W_])"))
_DIGIT = repr(parser.parse(r"\d"))


def compiled(source: str) -> tuple[re.Pattern[str], Tree]:
    """A regular expression as ``re.compile`` makes it, and its tree: reading the source takes half the time."""
    tree = parser.parse(source)
    return compiler.compile(tree), tree


def leading_literals(tree: Tree) -> frozenset[Lead]:
    """Strings of which each match begins with one, or nearly; empty when there is no such set that tells anything.

    ``RUN`` among them is no string: the first digit of such a run stands that near.
    """
    if _ignores_case(tree):
        return frozenset()
    found = _leading(tree)
    # With ASCII digits alone, a run can begin behind digits of another script.
    at_word = repr(tree[:1]) == _WORD_START and not tree.state.flags & re.ASCII
    within = any(lead.text == RUN for lead in found) and not at_word
    return frozenset() if within or _worth(found) < 2 or len(found) > MOST else _shortest(found)


def required_literals(tree: Tree) -> frozenset[str]:
    """Strings of which each match holds one; empty when there is no such set that tells anything."""
    return frozenset() if _ignores_case(tree) else _required(tree) or frozenset()


def _ignores_case(tree: Tree) -> bool:
    return bool(tree.state.flags & re.IGNORECASE)


def _worth(leads: Iterable[Lead]) -> int:
    """The bytes of the shortest: the character of a script of thousands tells more than a Latin letter."""
    return min((len(lead.text.encode("utf-8", "replace")) for lead in leads), default=0)


def _shortest(leads: Iterable[Lead]) -> frozenset[Lead]:
    """Without those that begin with another at the same place."""
    kept: set[tuple[str, int, int]] = set()
    for text, near, far in sorted(leads, key=lambda lead: len(lead[0])):
        if not any((text[:n], near, far) in kept for n in range(1, len(text))):
            kept.add((text, near, far))
    return frozenset(Lead(*lead) for lead in kept)


def _leading(tree: Tree) -> _Leads:
    leads: _Leads = {_NOTHING: True}
    characters: list[str] = []
    for op, argument in [*_items(tree), (None, None)]:
        if op is sre.LITERAL:
            characters.append(chr(argument))
            continue
        if characters:  # all that stand side by side at once
            leads = _followed(leads, {Lead("".join(characters[:LONGEST])): len(characters) <= LONGEST})
            characters = []
        following = _of_item(op, argument) if op else None
        if following is not None:
            leads = _followed(leads, following)
        if not any(leads.values()):
            break
    return leads


def _items(tree: Tree) -> Tree:
    return getattr(tree, "data", tree)  # the list itself: five times as fast to go through


def _followed(leads: _Leads, following: _Leads) -> _Leads:
    """The strings with what comes next put behind those of which that is known."""
    going_on = [lead for lead, known in leads.items() if known]
    if not going_on:
        return leads
    if len(going_on) > 1 and len(going_on) * len(following) > MOST_BRANCHING:
        return dict.fromkeys(leads, False)
    joined: _Leads = {lead: False for lead, known in leads.items() if not known}
    for lead in going_on:
        for more, known in following.items():
            string, open_ = _joined(lead, more, known)
            joined[string] = open_ and joined.get(string, True)
    return joined


def _add(leads: _Leads, lead: Lead, known: bool) -> None:
    leads[lead] = known and leads.get(lead, True)


def _joined(lead: Lead, more: Lead, known: bool) -> tuple[Lead, bool]:
    if not lead.text:
        farthest = lead.farthest + more.farthest
        if farthest > FARTHEST:
            return _NOTHING, False
        nearest = 0 if more.text == RUN else lead.nearest + more.nearest  # the run can begin before
        return Lead(more.text, nearest, farthest), known and len(more.text) < LONGEST
    if more.text == RUN and _worth([lead]) < 2:  # "d" and 21 digits: the digits are rarer
        return Lead(RUN, 0, lead.farthest + len(lead.text) + more.farthest), False
    if more.farthest or more.text == RUN:  # something unknown between the two
        return lead, False
    text = lead.text + more.text
    return lead._replace(text=text[:LONGEST]), known and len(text) < LONGEST


def _of_item(op: Any, argument: Any) -> _Leads | None:
    """What one item of a pattern begins with; None for one without width."""
    if op is sre.IN:
        characters = _characters(argument)
        return {Lead(c): True for c in characters} if characters else {Lead("", 1, 1): True}
    if op in (sre.ANY, sre.NOT_LITERAL):
        return {Lead("", 1, 1): True}
    if op is sre.BRANCH:
        return _union(argument[1])
    if op is sre.SUBPATTERN:
        return {_NOTHING: False} if argument[1] or argument[2] else _leading(argument[3])
    if op is sre.ATOMIC_GROUP:
        return _leading(argument)
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        return _repeated(*argument)
    if op is sre.FAILURE or (op is sre.ASSERT_NOT and not argument[1]):  # "(?!)" never matches
        return {}
    if op in (sre.AT, sre.ASSERT, sre.ASSERT_NOT):
        return None
    return {_NOTHING: False}


def _repeated(least: int, most: int, inner: Tree) -> _Leads:
    if least >= 9 and repr(inner) == _DIGIT:
        return {Lead(RUN): False}
    once = _leading(inner)
    if once == {Lead("", 1, 1): True}:  # any characters: the match goes on behind them
        return {Lead("", least, int(most)): True} if most <= FARTHEST else {_NOTHING: False}
    if most != 1:  # behind the first round comes another, or what follows
        once = dict.fromkeys(once, False)
    if least == 0:
        _add(once, _NOTHING, True)
    return once


def _union(branches: Iterable[Tree]) -> _Leads:
    joined: _Leads = {}
    for branch in branches:
        for lead, known in _leading(branch).items():
            _add(joined, lead, known)
    return joined


def _characters(items: Sequence[tuple[Any, Any]]) -> list[str]:
    """The characters of a small class; empty for a large one, or one that tells what it does not hold."""
    found: list[str] = []
    for op, argument in items:
        if op is sre.LITERAL:
            found.append(chr(argument))
        elif op is sre.RANGE and argument[1] - argument[0] < _SMALL_CLASS:
            found.extend(map(chr, range(argument[0], argument[1] + 1)))
        else:
            return []
    return found if len(found) <= _SMALL_CLASS else []


def _required(tree: Tree) -> frozenset[str] | None:
    """The best of what each item must hold and of the strings that stand side by side."""
    best: frozenset[str] | None = None
    for i, (op, argument) in enumerate(tree):
        best = _better(best, _within(op, argument))
        if op is sre.LITERAL and i and tree[i - 1][0] is sre.LITERAL:  # the end of what was looked at whole
            continue
        beginning = _leading(tree[i:])
        if _worth(beginning) and not any(lead.text == RUN for lead in beginning):
            best = _better(best, frozenset(lead.text for lead in _shortest(beginning)))
    return best


def _within(op: Any, argument: Any) -> frozenset[str] | None:
    if op is sre.SUBPATTERN:
        return None if argument[1] or argument[2] else _required(argument[3])
    if op is sre.ATOMIC_GROUP:
        return _required(argument)
    if op is sre.BRANCH:
        each = [_required(branch) for branch in argument[1]]
        return frozenset().union(*(e for e in each if e)) if all(each) else None
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT) and argument[0] > 0:
        return _required(argument[2])
    return None


def _better(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The set whose shortest string is longer, or of two such the smaller one."""
    if not one or not other:
        return one or other
    return max(one, other, key=lambda strings: (min(map(len, strings)), -len(strings)))
