"""Numbered schema changes, ``NNNN_name.sql``, each applied once in one transaction."""
