"""Usage logs: reading them, judging their rows, and what is safe whatever crashes."""
