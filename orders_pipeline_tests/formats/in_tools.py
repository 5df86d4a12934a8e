"""Loads an exported folder with inspect-ai, pydantic-evals and deepeval, and scores a right and a wrong parser.

Belongs here: one function a tool; each returns the share of cases that passed. Run as ``in_tools.py FOLDER`` in an
environment that has the tools; prints a JSON object of tool -> [cases, share right, share wrong, version].
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from parsers import Parsers  # type: ignore[import-not-found]

Parser = Callable[[str], dict[str, Any]]


def inspect_ai(folder: Path, parse: Parser) -> tuple[int, float]:
    """A task over ``json_dataset`` with a solver that calls the parser."""
    from inspect_ai import Task, eval  # type: ignore[import-not-found]
    from inspect_ai.dataset import json_dataset  # type: ignore[import-not-found]
    from inspect_ai.scorer import Score, accuracy, scorer  # type: ignore[import-not-found]
    from inspect_ai.solver import solver  # type: ignore[import-not-found]

    @solver
    def run_parser() -> Any:
        async def solve(state: Any, generate: Any) -> Any:
            state.output.completion = json.dumps(parse(state.input_text))
            return state

        return solve

    @scorer(metrics=[accuracy()])
    def same_orders() -> Any:
        async def judge(state: Any, target: Any) -> Any:
            return Score(value=json.loads(state.output.completion) == json.loads(target.text))

        return judge

    data = json_dataset(str(folder / "formats/inspect/cases.jsonl"))
    task = Task(dataset=data, solver=run_parser(), scorer=same_orders())
    (log,) = eval(task, model="mockllm/model", display="none", log_dir=str(folder.parent / "logs"))
    assert log.status == "success", log.error
    return len(data), log.results.scores[0].metrics["accuracy"].value


def pydantic_evals(folder: Path, parse: Parser) -> tuple[int, float]:
    """The data set with the evaluator that it names."""
    from pydantic_evals import Dataset  # type: ignore[import-not-found]

    data = Dataset[str, dict[str, Any], dict[str, Any]].from_file(folder / "formats/pydantic-evals/cases.yaml")
    report = data.evaluate_sync(parse, progress=False)
    assert not report.failures, report.failures
    passed = [case.assertions["EqualsExpected"].value for case in report.cases]
    return len(data.cases), sum(passed) / len(passed)


def deepeval(folder: Path, parse: Parser) -> tuple[int, float]:
    """Goldens made into test cases, and a metric that compares JSON."""
    from deepeval.dataset import EvaluationDataset  # type: ignore[import-not-found]
    from deepeval.metrics import BaseMetric  # type: ignore[import-not-found]
    from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found]

    class SameOrders(BaseMetric):
        threshold = 1.0

        def measure(self, test_case: Any, *_: Any, **__: Any) -> float:
            said, right = json.loads(test_case.actual_output), json.loads(test_case.expected_output)
            self.score = float(said == right)
            self.success = said == right
            return self.score

        def is_successful(self) -> bool:
            return bool(self.success)

    data = EvaluationDataset()
    data.add_goldens_from_json_file(str(folder / "formats/deepeval/goldens.json"))
    scores = []
    for golden in data.goldens:
        assert not golden.multimodal, golden.name
        case = LLMTestCase(
            input=golden.input, actual_output=json.dumps(parse(golden.input)), expected_output=golden.expected_output
        )
        assert not case.multimodal, golden.name
        scores.append(SameOrders().measure(case))
    return len(data.goldens), sum(scores) / len(scores)


TOOLS = (("inspect-ai", inspect_ai), ("pydantic-evals", pydantic_evals), ("deepeval", deepeval))


def main() -> None:
    """Every tool, one after the other."""
    os.environ.setdefault("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    folder = Path(sys.argv[1]).resolve()
    parsers = Parsers(folder)
    out = {}
    for name, run in TOOLS:
        cases, right = run(folder, parsers.right)
        _, wrong = run(folder, parsers.wrong)
        out[name] = [cases, right, wrong, importlib.metadata.version(name)]
    print(json.dumps(out))


if __name__ == "__main__":
    main()
