"""One day through one stage: the domain packages and the store, composed. Knows no Dagster."""
