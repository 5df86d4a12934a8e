"""orders-pipeline: a mailbox in, a trustworthy order history and eval cases out, day by day."""

__version__ = "0.1.0"
