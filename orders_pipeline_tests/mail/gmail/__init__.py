"""Tests of Gmail as a mailbox, and of OAuth logins."""
