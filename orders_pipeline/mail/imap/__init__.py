"""Mail on an IMAP server, read-only. ``source.ImapSource`` is the mailbox; the other files each hold one part of it."""
