"""What is kept: the archive, the DuckDB state, the published copy, and the locks around them."""
