"""A group of commands that are imported when they are called.

Belongs here: how a command is found and loaded. Which commands there are is the table in app.py. Not here: what a
command does.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command is, ``module:name`` of a function or a ``Typer``, and the line that the list shows of it."""

    target: str
    line: str

    def load(self, name: str) -> Any:
        """Import the command. It is called ``name``."""
        module, _, attribute = self.target.partition(":")
        found = getattr(importlib.import_module(module), attribute)
        if isinstance(found, typer.Typer):
            command = get_group(found)
            command.name = name
            return command
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        return get_command(alone)


class _Commands(Mapping[str, Any]):
    """The commands by name; each is imported when it is asked for, once."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        self._places = places
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._places[name].load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places


class LazyGroup(TyperGroup):
    """The group of the commands in ``places``. Its own help imports none of them."""

    places: Mapping[str, Place] = {}

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands: Any = _Commands(self.places)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names, in the order of the table."""
        return list(self.places)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list for the help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, place.line) for name, place in self.places.items()])
