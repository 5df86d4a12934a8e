"""The Dagster surface: the only folder that imports dagster. Thin: it asks the stages and tells Dagster of it."""
