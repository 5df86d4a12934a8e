"""Two parsers for the tools to score: one that is always right, one that never is.

Belongs here: both, and the command that a tool runs (``parsers.py right MAIL``). Only the standard library: this runs
in the environment of the tools, where the project is not installed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SOMETHING = {"orders": [{"merchant": "Nobody", "order_number": "0"}]}


class Parsers:
    """Both, over an exported folder."""

    def __init__(self, folder: Path) -> None:
        lines = (folder / "cases.jsonl").read_text(encoding="ascii").splitlines()
        cases = [json.loads(line) for line in lines]
        self.expected = {(folder / c["file"]).read_bytes().decode("utf-8"): c["expected"] for c in cases}

    def right(self, mail: str) -> dict[str, Any]:
        """What is expected."""
        return self.expected[mail]

    def wrong(self, mail: str) -> dict[str, Any]:
        """No order of a mail that has some, and one of a mail that has none."""
        return {"orders": []} if self.expected[mail]["orders"] else SOMETHING


if __name__ == "__main__":
    which, path = sys.argv[1], Path(sys.argv[2])
    answer = getattr(Parsers(path.parent.parent), which)(path.read_bytes().decode("utf-8"))
    print(json.dumps({"file": str(path), "outcome": "parsed", **answer}))
