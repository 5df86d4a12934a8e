"""Sender-specific rules, one file a sender family, gathered in one explicit tuple."""
