"""``python -m bench.profiles [scene ...]``: take the samples with py-spy and draw them into ``docs/profiles``.

Belongs here: the order of things and the profiler's command.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.asset_pages import browser_programs
from bench.environment import python_of
from bench.measuring import PROJECT, run
from bench.profiles.icicle import icicle
from bench.profiles.scenes import SCENES, Scene, environ
from bench.profiles.stacks import read_samples, tree

PROFILER = ("py-spy==0.4.3",)
PICTURES = PROJECT / "docs" / "profiles"


def main() -> int:
    """Write a picture a scene. Returns the exit status."""
    names = [scene.name for scene in SCENES]
    parser = argparse.ArgumentParser(prog="python -m bench.profiles", description="Draw where the time goes.")
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"one of {', '.join(names)}; all when none is named")
    parser.add_argument("--into", type=Path, default=PICTURES, help="the folder of the pictures (docs/profiles)")
    chosen = parser.parse_args()
    if unknown := [name for name in chosen.scenes if name not in names]:
        parser.error(f"no scene {', '.join(unknown)}: choose from {', '.join(names)}")
    chosen.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="orders-profile-") as base:
        for scene in SCENES:
            if chosen.scenes and scene.name not in chosen.scenes:
                continue
            if scene.program == "asset_page" and browser_programs() is None:
                print(f"{scene.name}: left out, no chromium with chromedriver on this machine", file=sys.stderr)
                continue
            _draw(scene, Path(base) / scene.prepare.__name__, chosen.into)
    return 0


def _draw(scene: Scene, folder: Path, into: Path) -> None:
    folder.mkdir(exist_ok=True)
    root = tree(read_samples(_samples(scene, folder)), scene.choose, scene.title)
    how = f"{scene.how}; {root.count:,} samples. Callers above, what they call below; as wide as its share."
    picture = into / f"{scene.name}.svg"
    picture.write_text(icicle(root, title=scene.title, how=how), encoding="utf-8")
    print(f"{picture.name}: {root.count} samples, {picture.stat().st_size / 1000:.0f} kB", flush=True)


def _samples(scene: Scene, folder: Path) -> str:
    """The stacks of all rounds, in py-spy's raw format."""
    py_spy = python_of("profiler", PROFILER).with_name("py-spy")
    out = folder / "samples.txt"
    flags = ["--nolineno", "--format", "raw", "--rate", str(scene.rate), "--output", out]
    flags += ["--idle"] * scene.waits + ["--subprocesses"] * scene.children
    command = [sys.executable, "-m", "bench.profiles.inside", scene.program, folder]
    texts: list[str] = []
    for _ in range(scene.rounds):
        scene.prepare(folder)
        run([py_spy, "record", *flags, "--", *command], environ=environ(folder))
        texts.append(out.read_text(encoding="utf-8"))
    return "".join(texts)


if __name__ == "__main__":
    sys.exit(main())
