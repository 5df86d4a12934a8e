"""Judging parses and deriving eval cases from the verdicts."""
