"""One row of a usage log as the archive keeps it.

Belongs here: the bytes of a row, and back. They are what makes two rows the same. Not here: reading a log.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from orders_pipeline.encoding import canonical_json, digest_of


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRow:
    """One call of a model: what went in, what came out. ``id`` is the log's own; ``time`` is ISO 8601 or empty."""

    log: str
    id: str
    time: str
    input: str
    output: str

    def encode(self) -> bytes:
        """The row as the archive keeps it: JSON on one line."""
        data = {"log": self.log, "id": self.id, "time": self.time, "input": self.input, "output": self.output}
        return canonical_json(data).encode("utf-8", "replace")

    @property
    def canonical_digest(self) -> str:
        """The same input and output in one log, whatever id and time: one test case."""
        return digest_of([self.log, " ".join(self.input.split()), " ".join(self.output.split())])


def decode_row(raw: bytes) -> UsageRow:
    """The inverse of ``encode``. Raises ``ValueError`` for bytes that are no row."""
    data = json.loads(raw)
    if not isinstance(data, dict) or not all(isinstance(data.get(name), str) for name in UsageRow.__slots__):
        raise ValueError("these bytes are no row of a usage log")
    return UsageRow(**{name: data[name] for name in UsageRow.__slots__})
