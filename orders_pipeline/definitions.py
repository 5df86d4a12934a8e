"""The Dagster entry point: gathers ``defs/``, nothing else."""

import gc

import dagster as dg

from orders_pipeline.defs.gather import gather

# What is imported stays: looking at all of it in each full collection was a tenth of the time of a short run.
gc.freeze()


@dg.definitions
def defs() -> dg.Definitions:
    """All definitions, for the configuration that the environment names."""
    return gather()
