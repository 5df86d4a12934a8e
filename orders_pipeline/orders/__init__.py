"""Merging the parses of many mails into orders, and saying which orders need a person."""
