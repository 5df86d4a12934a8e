"""The orders-pipeline command: one file a group of commands."""

from orders_pipeline.cli.app import main

__all__ = ["main"]
