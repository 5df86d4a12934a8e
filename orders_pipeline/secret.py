"""Secrets: where they come from, and that they stay out of sight.

Belongs here: reading a password or a token from the environment or from a file that only its owner can read. Not here:
what it is for. ``Secret`` shows itself nowhere: its repr, str and format are stars.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from orders_pipeline.errors import ConfigError

_MAX_BYTES = 64 * 1024


class Secret:
    """A string that does not show itself. ``reveal()`` gives it, at the place that sends it."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The secret itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"

    def __format__(self, spec: str) -> str:
        return "***"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a secret is not pickled")


def secret_from_env(name: str, *, what: str, environ: Mapping[str, str] | None = None) -> Secret:
    """The secret in an environment variable. Raises ``ConfigError``, which says ``what`` needs it."""
    value = (os.environ if environ is None else environ).get(name)
    if not value:
        raise ConfigError(f"{what}: the environment variable {name} is not set; set it where Dagster is started")
    return Secret(value)


def secret_from_file(path: Path, *, what: str) -> Secret:
    """The secret in a file, without the line end. Raises ``ConfigError`` when others could read it."""
    text = private_text(path, what=what).rstrip("\r\n")
    if not text:
        raise ConfigError(f"{what}: {path} is empty; write the secret into it")
    return Secret(text)


def private_text(path: Path, *, what: str) -> str:
    """The text of a file that only its owner may read. Raises ``ConfigError`` when it is missing, wider, or no text."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        with os.fdopen(handle, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode & 0o777
            if mode & 0o077:
                raise ConfigError(f"{what}: others can read {path} (mode {mode:03o}); run: chmod 600 {path}")
            data = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"{what}: {path} does not exist; create it with mode 600") from None
    except OSError as error:
        raise ConfigError(f"{what}: cannot read {path}: {error.strerror}; check its owner and permissions") from None
    try:
        if len(data) <= _MAX_BYTES:
            return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    raise ConfigError(f"{what}: {path} holds no secret (no text, or too long); write the secret alone into it")
