"""Reading mail: the Mailbox protocol, one file a source, and bytes to Email."""
