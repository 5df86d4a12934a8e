"""``make soak``: the pipeline is killed at random, workers and whole trees, and its tables are compared at the end.

Belongs here: the command. It ends with status 1 when anything was lost, doubled, left half written, or paid for twice
beyond what was in flight at a kill, or when a dead run was not taken up within two minutes.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from orders_pipeline_tests.crash.kills import fast_folder
from orders_pipeline_tests.crash.tally import Tally
from orders_pipeline_tests.crash.tree_soak import kill_trees
from orders_pipeline_tests.crash.worker_soak import kill_workers


def main(arguments: list[str]) -> int:
    """Run the soak; 0 when all is well."""
    parser = argparse.ArgumentParser(
        prog="make soak", description="Kill the pipeline at random and compare its tables."
    )
    parser.add_argument("--kills", type=int, default=200, help="how many workers to kill (200)")
    parser.add_argument("--trees", type=int, default=24, help="how many whole trees to kill (24)")
    parser.add_argument("--seed", type=int, default=None, help="of the dice; printed, so that a run can be repeated")
    wanted = parser.parse_args(arguments)
    seed = wanted.seed if wanted.seed is not None else random.SystemRandom().randrange(10**6)
    began, guard = time.monotonic(), threading.Lock()

    def say(line: str) -> None:
        with guard:
            print(f"{time.monotonic() - began:6.0f} s  {line}", flush=True)

    say(f"{wanted.kills} kills of workers and {wanted.trees} of trees, seed {seed}")
    tally = Tally(say)
    with fast_folder() as folder, ThreadPoolExecutor(2) as pool:
        parts = [pool.submit(kill_workers, _made(folder / "workers"), wanted.kills, tally, random.Random(seed))]
        if wanted.trees:
            parts.append(pool.submit(kill_trees, _made(folder / "trees"), wanted.trees, tally, random.Random(seed + 1)))
        try:
            for part in as_completed(parts):
                if error := part.exception():  # at once: the other part may take long
                    say(f"stopped: {error}")
        except KeyboardInterrupt:
            tally.stop.set()
            say("no further kills; what was killed is finished and compared")
        for part in parts:
            part.result()
    print(tally.table())
    return 0 if tally.fine else 1


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
