"""``python -m bench.one_asset``: the least run that Dagster has, one empty asset, in the instance of DAGSTER_HOME."""

from __future__ import annotations

import sys

import dagster as dg


def main() -> int:
    """Run it. Returns the exit status."""

    @dg.asset
    def nothing() -> None:
        """Nothing."""

    job = dg.define_asset_job("one")
    definitions = dg.Definitions(assets=[nothing], jobs=[job], executor=dg.in_process_executor)
    quiet = {"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    with dg.DagsterInstance.get() as instance:
        result = definitions.resolve_job_def("one").execute_in_process(instance=instance, run_config=quiet)
    return int(not result.success)


if __name__ == "__main__":
    sys.exit(main())
