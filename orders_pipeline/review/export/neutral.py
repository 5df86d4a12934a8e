"""The cases themselves: redacted mails, expected results, and cases.jsonl, from which everything else derives.

Belongs here: those files and reading them back. Not here: the formats of other tools, and the folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.review.export.case import ID, ExportCase, json_lines, json_text

CASES = "cases.jsonl"
TOP_FILES = (CASES, "README.md", ".gitattributes")
_README = """\
# Order mails and what is right of them

Written by `orders-pipeline cases export`; do not edit here, the next export is made from the store. Personal data was
replaced by values of the same shape, and each mail was parsed again to see that it is still read in the same way.

- `cases.jsonl`: the truth, one case a line: id, mail, expected orders, where it comes from.
- `mails/`, `expected/`: the same as single files. What a mail does not tell has no key.
- `formats/`: the same cases for evaluation tools.
- `golden.json`: the settings to parse with, and the digests of all files.

`orders-pipeline score FOLDER` runs the parser over it; `--against REPORT` names what broke since an earlier report.
"""


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """Path -> content: mails/<id>.eml, expected/<id>.json and cases.jsonl."""
    out: dict[str, bytes] = {}
    for case in cases:
        out[mail_path(case.case_id)] = case.mail
        out[f"expected/{case.case_id}.json"] = f"{json_text(case.expected, indent=1)}\n".encode("ascii")
    out[CASES] = json_lines(
        {"id": c.case_id, "file": mail_path(c.case_id), "expected": c.expected, "provenance": c.metadata} for c in cases
    )
    out["README.md"] = _README.encode("ascii")
    out[".gitattributes"] = b"*.eml -text\n"  # a changed line end is another mail
    return out


def mail_path(case_id: str) -> str:
    """Where a case's mail lies in the folder."""
    return f"mails/{case_id}.eml"


def read(text: str, mails: Mapping[str, bytes], source: str) -> list[ExportCase]:
    """The cases of a cases.jsonl; ``mails`` maps paths to contents.

    Raises ``OrdersPipelineError`` that names ``source`` and the line.
    """
    return [_read(line, mails, f"{source}, line {n}") for n, line in enumerate(text.splitlines(), 1) if line.strip()]


def _read(line: str, mails: Mapping[str, bytes], where: str) -> ExportCase:
    try:
        data: dict[str, Any] = json.loads(line)
        case_id, orders = data["id"], data["expected"]["orders"]
        if not ID.fullmatch(case_id) or not all(isinstance(order, dict) for order in orders):
            raise ValueError
        provenance = {k: v for k, v in data["provenance"].items() if k != "mail_sha256"}
        case = ExportCase(case_id=case_id, mail=mails[mail_path(case_id)], orders=orders, provenance=provenance)
        if case.metadata["mail_sha256"] != data["provenance"]["mail_sha256"]:
            raise OrdersPipelineError(f"{where}: {mail_path(case_id)} is not the mail of this case: export once more")
        return case
    except KeyError as error:
        raise OrdersPipelineError(f"{where}: {error} is missing: export once more") from None
    except (ValueError, TypeError, AttributeError):
        raise OrdersPipelineError(f"{where} is no exported case: export once more") from None
