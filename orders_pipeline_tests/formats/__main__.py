"""``make formats``: an export of hostile and personal mail, loaded and scored by the tools that its formats are for.

Belongs here: the environment (``.venv-formats``, made once), the export, and what came of it. The tools are heavy and
no dependency of the project. promptfoo comes through npm and is passed over when node is missing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path

from orders_pipeline.models import Decision
from orders_pipeline.review.export.folder import write_folder
from orders_pipeline.review.export.registry import FORMAT_NAMES, export_files
from orders_pipeline.stages.decide import decide
from orders_pipeline.stages.golden_export import export_golden
from orders_pipeline_tests.stages.golden_scene import accept, case_ids, case_with, golden_scene
from orders_pipeline_tests.support import PROJECT

ENVIRONMENT = PROJECT / ".venv-formats"
TOOLS = ("inspect-ai==0.3.285", "pydantic-evals==2.62.0", "deepeval==4.3.1")
PROMPTFOO = "promptfoo@0.121.20"
HERE = Path(__file__).parent


def main() -> int:
    """Exit status 0 when each tool finds every case right with the right parser and none with the wrong one."""
    python = _python()
    with tempfile.TemporaryDirectory() as temporary:
        folder = _export(Path(temporary))
        results = json.loads(_run([python, HERE / "in_tools.py", folder], Path(temporary)).splitlines()[-1])
        if promptfoo := _promptfoo():
            results["promptfoo"] = _score_promptfoo(promptfoo, python, folder, Path(temporary))
        else:
            print("promptfoo: passed over, npm is missing")
    for name, (cases, right, wrong, version) in results.items():
        print(f"{name} {version}: {cases} cases, the right parser scores {right:.2f}, the wrong one {wrong:.2f}")
    return 0 if all(r[1:3] == [1.0, 0.0] and r[0] == results["inspect-ai"][0] for r in results.values()) else 1


def _python() -> Path:
    python = ENVIRONMENT / "bin" / "python"
    mark = ENVIRONMENT / ".ready"
    wanted = "\n".join(TOOLS)
    if not mark.exists() or mark.read_text() != wanted:
        print(f"making {ENVIRONMENT.name}: {', '.join(TOOLS)}")
        if not python.exists():
            venv.EnvBuilder(with_pip=True, symlinks=True).create(ENVIRONMENT)
        _run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *TOOLS], ENVIRONMENT)
        mark.write_text(wanted)
    return python


def _promptfoo() -> Path | None:
    """The command; its packages take 1.4 GB."""
    npm = shutil.which("npm")
    if npm is None:
        return None
    command = ENVIRONMENT / "node_modules" / ".bin" / "promptfoo"
    if not command.exists():
        print(f"installing {PROMPTFOO}")
        _run([npm, "install", "--prefix", ENVIRONMENT, "--no-audit", "--no-fund", "--silent", PROMPTFOO], ENVIRONMENT)
    return command


def _export(root: Path) -> Path:
    scene = golden_scene(root / "scene")
    accept(scene, *case_ids(scene))
    # One that orders nothing: tools that pass over a null would never ask for it.
    nothing = {"outcome": "not_order", "orders": []}
    decide(scene.work(), case_with(scene, "BK-204173"), Decision.EDITED, expected=nothing)
    export = export_golden(scene.work())
    if export.held_back:
        raise SystemExit(f"held back: {export.held_back}")
    write_folder(root / "golden", export_files(export.cases, FORMAT_NAMES), export.settings)
    return root / "golden"


def _score_promptfoo(command: Path, python: Path, folder: Path, root: Path) -> list[object]:
    shares: dict[str, float] = {}
    cases = 0
    for which in ("right", "wrong"):
        out = root / f"{which}.json"
        config = folder / "formats" / "promptfoo" / "promptfooconfig.yaml"
        environ = {
            "PARSER": f"{python} {HERE / 'parsers.py'} {which}",
            "PROMPTFOO_CONFIG_DIR": str(root / "promptfoo"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
        }
        arguments = [command, "eval", "-c", config, "-o", out, "--no-cache", "--no-progress-bar", "--no-table"]
        # 100 is its exit status for tests that failed, which the wrong parser's do.
        _run(arguments, root, environ, fine=(0, 100))
        stats = json.loads(out.read_text(encoding="utf-8"))["results"]["stats"]
        if stats["errors"]:
            raise SystemExit(f"promptfoo: {stats}")
        cases = stats["successes"] + stats["failures"]
        shares[which] = stats["successes"] / cases
    return [cases, shares["right"], shares["wrong"], PROMPTFOO.partition("@")[2]]


def _run(
    command: Sequence[object], cwd: Path, environ: Mapping[str, str] | None = None, fine: Sequence[int] = (0,)
) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **(environ or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in fine:
        raise SystemExit(f"{command[0]} failed ({done.returncode}):\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
