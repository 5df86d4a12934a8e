"""The form of the letters that extraction is tested with.

Belongs here: the type. Each letter is (name, From, subject, date, lines, expected); lines hold tabs where a table has
cells, expected names fields of the order as JSON and, for lists, ``items`` (a count), ``order_numbers``, ``totals``.
Not here: letters.
"""

from __future__ import annotations

from typing import Any

Letter = tuple[str, str, str, str, str, dict[str, Any]]
