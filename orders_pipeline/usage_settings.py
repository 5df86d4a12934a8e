"""The settings of logs of model usage that are mined for test cases.

Belongs here: what a ``[[usage]]`` section may say, and its limits. Not here: reading a log (store/usage_log.py), the
model that judges its rows (model_settings.py).
"""

from __future__ import annotations

import re
import zoneinfo
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from orders_pipeline.mailbox_settings import Day, Section, SomePath

LogFormat = Literal["csv", "parquet", "jsonl", "duckdb"]
_ENDINGS: dict[str, LogFormat] = {
    ".csv": "csv", ".tsv": "csv", ".parquet": "parquet", ".jsonl": "jsonl", ".ndjson": "jsonl", ".duckdb": "duckdb",
}  # fmt: skip
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!\\)")  # a scheme: never a file of this machine
_Column = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]


class UsageLogSettings(Section):
    """One log: a file, or a glob of files of one form, with a row a call. It is only ever read.

    ``id``, ``time``, ``input`` and ``output`` name its columns; a time without a zone is in ``time_zone`` (by default
    that of the partitions). ``rubric`` is a text file that says what a good output is. ``since`` is the first day that
    is judged. Without ``redact`` inputs and outputs are sent to the model as they are.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
    source: SomePath
    rubric: SomePath
    format: LogFormat | None = None
    table: _Column | None = None
    id: _Column = "id"
    time: _Column = "time"
    input: _Column = "input"
    output: _Column = "output"
    time_zone: str | None = None
    since: Day | None = None
    redact: bool = True

    @field_validator("source", "rubric")
    @classmethod
    def _lies_here(cls, path: Path) -> Path:
        if _REMOTE.match(str(path)) or str(path).startswith("//"):
            raise ValueError("is an address, not a file of this machine; copy the file here and name the copy")
        return path

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, zone: str | None) -> str | None:
        try:
            if zone is not None:
                zoneinfo.ZoneInfo(zone)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"unknown time zone {zone!r}; use an IANA name such as Europe/Berlin") from None
        return zone

    @model_validator(mode="after")
    def _is_readable(self) -> UsageLogSettings:
        if self.format is None and self.source.suffix.lower() not in _ENDINGS:
            raise ValueError('has a source of no known ending; say format = "csv", "parquet", "jsonl" or "duckdb"')
        if (self.kind == "duckdb") != (self.table is not None):
            raise ValueError("needs table for a .duckdb file, and for no other; name the table there, or remove it")
        return self

    @property
    def kind(self) -> LogFormat:
        """The format as told, or by the source's ending."""
        return self.format or _ENDINGS[self.source.suffix.lower()]
