"""Judging the rows of a log of model usage by a rubric."""
