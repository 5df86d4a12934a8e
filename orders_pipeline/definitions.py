"""The Dagster entry point: gathers ``defs/``, nothing else."""

import dagster as dg

from orders_pipeline.defs.gather import gather


@dg.definitions
def defs() -> dg.Definitions:
    """All definitions, for the configuration that the environment names."""
    return gather()
