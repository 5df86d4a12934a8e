"""Scoring what was read against what is known to be right."""
