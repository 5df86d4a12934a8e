"""Many alternatives as one regular expression that is fast to search.

Belongs here: rewriting patterns into a tree by their first characters, which finds the same as trying one after the
other. Not here: any pattern. Python's engine tries each alternative of a flat list at each place; a tree looks at a
character once (for the label tables 20 times as fast). All groups of the patterns must be non-capturing.
"""

from __future__ import annotations

from collections.abc import Sequence

DEPTH = 1  # characters looked at before the alternatives left are tried one by one: deeper was no faster
_OPAQUE = None


def alternation(parts: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """One pattern for all ``parts``, the first that fits wins, and the index of the part that each group stands for.

    The group that matched (``match.lastindex``, from 1) is empty and stands where its part ends.
    """
    owners: list[int] = []
    entries = [(piece, i) for i, part in enumerate(parts) for piece in split_alternatives(part)]
    return _tree(entries, DEPTH, owners) if entries else r"(?!)", tuple(owners)


def split_alternatives(pattern: str) -> list[str]:
    """Split a pattern at its outermost bars."""
    parts, depth, start = [], 0, 0
    for i, char in _syntax(pattern):
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            parts.append(pattern[start:i])
            start = i + 1
    return [*parts, pattern[start:]]


def _tree(entries: list[tuple[str, int]], depth: int, owners: list[int]) -> str:
    """Entries with one first character share a branch; what has none to look at keeps its place between them."""
    branches: list[str] = []
    run: dict[str, list[tuple[str, int]]] = {}

    def close() -> None:
        branches.extend(char + _tree(rests, depth - 1, owners) for char, rests in run.items())
        run.clear()

    for pattern, owner in entries:
        for piece in _unfolded(pattern) if depth else [pattern]:
            literal = _literal(piece) if depth else _OPAQUE
            if literal is None:
                close()
                owners.append(owner)
                branches.append(piece + "()")
            else:
                run.setdefault(literal, []).append((piece[len(literal) :], owner))
    close()
    return branches[0] if len(branches) == 1 else f"(?:{'|'.join(branches)})"


def _unfolded(pattern: str) -> list[str]:
    """The same pattern as alternatives that begin with a literal where that can be: "(?:a|b)?c" as "ac", "bc", "c"."""
    if pattern.startswith("(?:"):
        end = _group_end(pattern)
        rest = pattern[end:]
        inner = split_alternatives(pattern[3 : end - 1])
    else:
        end = len(_literal(pattern, quantified=True) or "")
        rest = pattern[end:]
        inner = [pattern[:end]] if end and rest[:1] == "?" else []
    if not inner or rest[:1] in ("*", "+", "{") or (rest[:1] == "?" and rest[1:2] in ("?", "+", "*")):
        return [pattern]
    optional = rest[:1] == "?"
    rest = rest[1:] if optional else rest
    return [p for piece in [*(i + rest for i in inner), *([rest] if optional else [])] for p in _unfolded(piece)]


def _literal(pattern: str, *, quantified: bool = False) -> str | None:
    """The literal character (escaped, if need be) that a pattern begins with; None when it begins otherwise."""
    if not pattern:
        return None
    escaped = pattern[0] == "\\" and len(pattern) > 1
    length = 2 if escaped else 1
    plain = not pattern[1].isalnum() if escaped else pattern[0] not in "\\()[]{}.*+?|^$"
    if not plain or (not quantified and pattern[length : length + 1] in ("?", "*", "+", "{")):
        return None
    return pattern[:length]


def _group_end(pattern: str) -> int:
    """The offset behind the group that a pattern begins with."""
    depth = 0
    for i, char in _syntax(pattern):
        depth += (char == "(") - (char == ")")
        if char == ")" and depth == 0:
            return i + 1
    raise ValueError(f"unbalanced group in {pattern!r}")


def _syntax(pattern: str) -> list[tuple[int, str]]:
    """The brackets and bars of a pattern that are neither escaped nor in a class."""
    found: list[tuple[int, str]] = []
    escaped = in_class = False
    opened = 0  # where the class began: a bracket that closes right there is one of its characters
    for i, char in enumerate(pattern):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif in_class:
            in_class = char != "]" or pattern[opened + 1 : i] in ("", "^")
        elif char == "[":
            in_class, opened = True, i
        elif char in "()|":
            found.append((i, char))
    return found
