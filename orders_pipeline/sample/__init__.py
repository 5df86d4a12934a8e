"""The generator of the sample mailbox."""
