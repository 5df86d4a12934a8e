"""pydantic-evals: a YAML data set.

An expected output of null would never be compared, so it is always an object; keys that the format does not know are
refused there. The YAML is dumped by the safe dumper in ASCII: text stays text, whatever it looks like.
"""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from orders_pipeline.review.export.case import DATASET, ExportCase

NAME = "pydantic-evals"


def files(cases: Sequence[ExportCase]) -> dict[str, bytes]:
    """``Dataset[str, dict, dict].from_file("formats/pydantic-evals/cases.yaml")`` reads it."""
    data = {
        "name": DATASET,
        "cases": [
            {"name": c.case_id, "inputs": c.text, "metadata": c.metadata, "expected_output": c.expected} for c in cases
        ],
        "evaluators": ["EqualsExpected"],
    }
    text = yaml.dump(data, Dumper=_Dumper, allow_unicode=False, sort_keys=True, width=1_000_000)
    return {"cases.yaml": text.encode("ascii")}


class _Dumper(yaml.SafeDumper):
    """The safe dumper without anchors: a list that two cases share is written twice."""

    def ignore_aliases(self, data: object) -> bool:
        return True
