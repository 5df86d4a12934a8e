"""A log of model usage as a mailbox: its rows are the messages.

Belongs here: reading a foreign file through DuckDB, in a connection of its own that can read that file's folder and
nothing else, loads no extension and writes nothing. Not here: what is made of a row.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import duckdb

from orders_pipeline.encoding import printable_line
from orders_pipeline.errors import MailboxError
from orders_pipeline.models import Fetched, Listing, MessageRef, Window
from orders_pipeline.usage_settings import UsageLogSettings

_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "memory_limit": "1GB",
    "threads": 2,
}
_MOST_BYTES = 64 * 1024 * 1024  # of a line or an object
_READERS = {
    "csv": f"read_csv(?, all_varchar = true, header = true, union_by_name = true, max_line_size = {_MOST_BYTES},"
    " strict_mode = true)",
    "parquet": "read_parquet(?, union_by_name = true)",
    "jsonl": f"read_json(?, format = 'newline_delimited', columns = {{columns}}, maximum_object_size = {_MOST_BYTES})",
}
_NESTED = ("STRUCT", "MAP", "UNION", "LIST")
Encode = Callable[[str, str, str, str, str], bytes]  # log, id, time, input, output -> the bytes that are kept


class UsageLog:
    """Keeps the ``Mailbox`` protocol over one log; ``encode`` makes a row's bytes. Nothing is held open."""

    def __init__(self, settings: UsageLogSettings, zone: ZoneInfo, encode: Encode) -> None:
        self.name = settings.name
        self._settings, self._encode = settings, encode
        self._zone = settings.time_zone or zone.key

    def list(self, window: Window) -> Listing:
        """The rows of a window, and those whose time cannot be read. Raises ``MailboxError``: a log that is missing or
        half written is no log without rows."""
        began = dt.datetime.now(dt.UTC)
        with self._reading() as (con, source):
            self._check(con, source)
            rows = con.execute(
                f"SELECT location, min(happened) FROM ({source.rows})"  # noqa: S608
                " WHERE happened >= ?::TIMESTAMPTZ AND happened < ?::TIMESTAMPTZ GROUP BY location ORDER BY 2, 1",
                [*source.parameters, window.start.isoformat(), window.end.isoformat()],
            ).fetchall()
            odd = con.execute(
                f"SELECT DISTINCT location FROM ({source.rows}) WHERE happened IS NULL ORDER BY 1",  # noqa: S608
                source.parameters,
            ).fetchall()
        return Listing(
            mailbox=self.name,
            window=window,
            refs=tuple(MessageRef(mailbox=self.name, location=n, received_at=at) for n, at in rows),
            unplaced=tuple(MessageRef(mailbox=self.name, location=n, received_at=None) for (n,) in odd),
            age=dt.datetime.now(dt.UTC) - began,
        )

    def fetch(self, refs: Sequence[MessageRef]) -> Iterator[Fetched]:
        """The rows' bytes, one after the other; a row that is no longer there is gone."""
        owed = {ref.location: ref for ref in refs}
        if not owed:
            return
        with self._reading() as (con, source):
            found = con.execute(
                f"SELECT location, min(happened), first(id), first(input), first(output) FROM ({source.rows})"  # noqa: S608
                " WHERE location IN (SELECT unnest(?::VARCHAR[])) GROUP BY location ORDER BY 2, 1",
                [*source.parameters, list(owed)],
            )
            while row := found.fetchone():
                location, at, row_id, given, gave = row
                time = at.astimezone(dt.UTC).isoformat() if at else ""
                raw = self._encode(self.name, row_id, time, given, gave)
                yield Fetched(ref=owed.pop(location), raw=raw)
        for ref in owed.values():
            yield Fetched(ref=ref, gone=True)

    def close(self) -> None:
        """Nothing is open between calls."""

    @contextlib.contextmanager
    def _reading(self) -> Iterator[tuple[duckdb.DuckDBPyConnection, _Source]]:
        con = duckdb.connect(":memory:", config=_CONFIG)
        try:
            yield con, self._open(con)
        except duckdb.Error as error:
            line = printable_line(next(iter(str(error).splitlines()), type(error).__name__), 250)
            raise MailboxError(f"cannot read {self._settings.source}: {line}") from None
        finally:
            con.close()

    def _open(self, con: duckdb.DuckDBPyConnection) -> _Source:
        """Shut the connection off from everything but the log's folder, and name what is read there."""
        settings = self._settings
        path = Path(os.path.abspath(settings.source))
        fixed = path.parent
        while any(c in str(fixed) for c in "*?["):
            fixed = fixed.parent
        con.execute(f"SET TimeZone = {_text(self._zone)}")
        con.execute(f"SET allowed_directories = [{_text(str(fixed) + '/')}]")
        con.execute("SET enable_external_access = false")
        con.execute("SET lock_configuration = true")
        wanted = [settings.id, settings.time, settings.input, settings.output]
        if settings.kind == "duckdb":
            con.execute(f"ATTACH {_text(str(path))} AS log (READ_ONLY)")
            relation, parameters = f"log.{_name(settings.table or '')}", []
        else:
            columns = "{" + ", ".join(f"{_text(name)}: 'VARCHAR'" for name in dict.fromkeys(wanted)) + "}"
            relation, parameters = _READERS[settings.kind].replace("{columns}", columns), [str(path)]
        types = {r[0]: r[1] for r in con.execute(f"DESCRIBE SELECT * FROM {relation}", parameters).fetchall()}  # noqa: S608
        if lacking := [name for name in wanted if name not in types]:
            there = ", ".join(printable_line(name, 40) for name in list(types)[:12])
            raise MailboxError(f"{settings.source} has no column {lacking[0]}; it has {there}: correct [[usage]]")
        return _Source(relation, parameters, wanted, types)

    def _check(self, con: duckdb.DuckDBPyConnection, source: _Source) -> None:
        """A column that no row has is a wrong name, not a log of empty rows."""
        counts = con.execute(
            f"SELECT count(*), {', '.join(f'count({_name(n)})' for n in source.wanted)} FROM {source.relation}",  # noqa: S608
            source.parameters,
        ).fetchall()[0]
        for name, count in zip(source.wanted, counts[1:], strict=True):
            if counts[0] and not count:
                raise MailboxError(f"no row of {self._settings.source} has {name}: correct [[usage]]")


class _Source:
    """What is read: the relation with its parameters, and its rows as id, happened, input, output and location."""

    def __init__(self, relation: str, parameters: list[Any], wanted: Sequence[str], types: dict[str, str]) -> None:
        self.relation, self.parameters, self.wanted = relation, parameters, tuple(wanted)
        row_id, time, given, gave = wanted
        texts = {name: _as_text(name, types[name]) for name in wanted}
        self.rows = (
            "SELECT id, happened, input, output, concat(id, '/', substr(sha256(concat_ws(chr(1),"  # noqa: S608
            " coalesce(epoch_us(happened)::VARCHAR, ''), input, output)), 1, 16)) AS location"
            f" FROM (SELECT coalesce({texts[row_id]}, '') AS id, {_as_time(time, types[time])} AS happened,"
            f" coalesce({texts[given]}, '') AS input, coalesce({texts[gave]}, '') AS output FROM {relation})"
        )


def _as_text(name: str, kind: str) -> str:
    """A column as text; what is nested as JSON."""
    column = _name(name)
    nested = kind.endswith("]") or kind.startswith(_NESTED)
    return f"to_json({column})::VARCHAR" if nested else f"{column}::VARCHAR"


def _as_time(name: str, kind: str) -> str:
    """A column as an instant: a time with or without a zone, its text, or the seconds (to nanoseconds) since 1970."""
    column = _name(name)
    if kind.startswith(("TIMESTAMP", "DATE")):
        return f"{column}::TIMESTAMPTZ"
    number = f"TRY_CAST({column} AS DOUBLE)"
    since = (
        f"CASE WHEN isfinite({number}) AND abs({number}) < 1e11 THEN to_timestamp({number})"
        f" WHEN abs({number}) < 1e14 THEN to_timestamp({number} / 1e3)"
        f" WHEN abs({number}) < 1e17 THEN to_timestamp({number} / 1e6)"
        f" WHEN abs({number}) < 1e20 THEN to_timestamp({number} / 1e9) END"
    )
    return f"coalesce({since}, TRY_CAST({column} AS TIMESTAMPTZ))" if kind == "VARCHAR" else since


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
