"""Samples of a profiler made readable: a tree of functions, without what lies between them.

Belongs here: which frames count, their names, what is too small to be shown. Not here: taking samples, drawing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

OWN = "orders_pipeline"
_FRAME = re.compile(r"(?P<name>.+) \((?P<file>[^()]+)\)$")
# They call what matters, and are called by it; a leaf of theirs stays.
_INNER = re.compile(r"<(?:listcomp|dictcomp|setcomp|genexpr|lambda)>$")
_GLUE = frozenset(
    {"runpy", "importlib", "contextlib", "functools", "threading", "concurrent", "asyncio", "typing_extensions"}
    | {"bench", "click", "typer", "anyio", "starlette", "uvicorn", "dataclasses", "selectors", "abc", "enum"}
)


@dataclass(frozen=True, slots=True)
class Frame:
    """One function: ``package`` groups and colours it (a part of the project, or a library), ``label`` is shown."""

    package: str
    label: str
    is_import: bool = False

    @property
    def is_own(self) -> bool:
        return self.package.startswith(OWN)


@dataclass(slots=True)
class Node:
    """A function as called from the one above it; ``count`` is its samples, with those of all that it calls."""

    frame: Frame
    count: int = 0
    below: dict[Frame, Node] = field(default_factory=dict)

    @property
    def own(self) -> int:
        """Samples in the function itself."""
        return self.count - sum(node.count for node in self.below.values())


def read_samples(text: str) -> Iterator[tuple[list[str], int]]:
    """The stacks of py-spy's raw format, the outermost function first, each with its number of samples."""
    for line in text.splitlines():
        stack, _, count = line.rpartition(" ")
        if count.isdigit():
            yield [f for f in stack.split(";") if not f.startswith(("process ", "thread "))], int(count)


def below(*marks: str) -> Callable[[Sequence[str]], list[str]]:
    """A choice of samples: those that pass through a frame that contains one of the marks, from there on."""

    def chosen(stack: Sequence[str]) -> list[str]:
        at = next((n for n, frame in enumerate(stack) if any(mark in frame for mark in marks)), len(stack))
        return list(stack[at:])

    return chosen


def of_main_thread(stack: Sequence[str]) -> list[str]:
    """A choice of samples: those of the main thread. The others wait nearly all the time."""
    return [] if stack and "_bootstrap (threading" in stack[0] else list(stack)


def frames_of(stack: Sequence[str]) -> list[Frame]:
    """The frames that say something. Neighbours of one library are one, named by the first."""
    found: list[Frame] = []
    parsed = [frame for text in stack if (frame := _frame(text))]
    for place, frame in enumerate(parsed):
        is_leaf = place == len(parsed) - 1
        if frame.package in _GLUE and not (is_leaf and frame.package != "importlib"):
            continue
        if found and _kind(found[-1]) == _kind(frame) and (not frame.is_own or _INNER.search(frame.label)):
            continue  # a comprehension is part of its function
        found.append(frame)
    return found


def tree(samples: Iterator[tuple[list[str], int]], choose: Callable[[Sequence[str]], list[str]], title: str) -> Node:
    """All chosen samples as one tree, whose root is ``title``."""
    root = Node(Frame("", title))
    for stack, count in samples:
        if not (chosen := choose(stack)):
            continue
        node = root
        node.count += count
        for frame in frames_of(chosen):
            node = node.below.setdefault(frame, Node(frame))
            node.count += count
    return root


def without_small(node: Node, least: float) -> Node:
    """The tree without what took fewer samples than ``least``: they count as its caller's own."""
    kept = {frame: without_small(child, least) for frame, child in node.below.items() if child.count >= least}
    return Node(node.frame, node.count, kept)


def own_times(node: Node) -> Counter[Frame]:
    """Samples in each function itself, wherever it was called from."""
    found: Counter[Frame] = Counter({node.frame: node.own})
    for child in node.below.values():
        found.update(own_times(child))
    return found


def depth(node: Node) -> int:
    """Levels of the tree, itself included."""
    return 1 + max((depth(child) for child in node.below.values()), default=0)


def _kind(frame: Frame) -> tuple[str, bool]:
    return frame.package, frame.is_import


def _frame(text: str) -> Frame | None:
    match = _FRAME.match(text)
    if match is None:
        return None
    name, file = match["name"], match["file"].replace("\\", "/")
    if file.startswith("<"):
        module = file.strip("<>").removeprefix("frozen ")
        return Frame(module.partition(".")[0], name)
    parts = re.sub(r"(/__init__)?\.pyx?$", "", file).split("/")
    # A path that the profiler could not shorten begins with a slash: nothing of it but the package may be shown.
    if "" in parts[:1]:
        parts = parts[-2:]
    package, dotted = parts[0], ".".join(parts)
    if package == OWN:
        part = ".".join(parts[:2])
        if name == "<module>":
            return Frame(part, f"import {'.'.join(parts[1:]) or OWN}", is_import=True)
        return Frame(part, f"{parts[-1]}: {name}")
    if name == "<module>":
        return Frame(package, f"import {package}", is_import=True)
    return Frame(package, f"{package}: {name}" if package != dotted else f"{dotted}: {name}")
