"""Two real failures, replayed: the frozen cursor and the lying watermark, each beside what the pipeline does."""
