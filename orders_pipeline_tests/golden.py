"""Golden pairs: a mail of ours (x.eml) and what the parser says of it (x.json).

``python -m orders_pipeline_tests.golden`` writes every .json again; the difference is then read by a person before it
is committed. Belongs here: reading and writing the pairs. Not here: comparing them (extract/test_golden.py).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from orders_pipeline.config import OwnerSettings, ParseSettings
from orders_pipeline.encoding import result_to_dict
from orders_pipeline.extract.parser import parse_message
from orders_pipeline.mail.mime import parse_email

FIXTURES = Path(__file__).resolve().parent / "fixtures"
OWNER = OwnerSettings(addresses=("robin.vale@home.example", "robin@work.example"))  # whose mail the forwards are


def mails() -> Iterator[Path]:
    """The mails of all pairs, in order."""
    yield from sorted(path for path in FIXTURES.glob("*/*.eml"))


def golden_path(mail: Path) -> Path:
    """Where what is said of a mail is kept."""
    return mail.with_suffix(".json")


def said_of(mail: Path) -> str:
    """What the parser says of a mail, as the file holds it."""
    email = parse_email(mail.read_bytes(), message_id="0" * 64)
    result = parse_message(email, ParseSettings(), zone="Europe/Berlin", owner=OWNER)
    return json.dumps(result_to_dict(result), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Write every pair's second half again."""
    for mail in mails():
        golden_path(mail).write_text(said_of(mail), encoding="utf-8")
        print(golden_path(mail).relative_to(FIXTURES.parent))


if __name__ == "__main__":
    main()
