"""Processes that are killed from outside, and what is left of their work."""
