"""The errors a user can meet. Each message is one line: what is wrong, with which thing, what to do.

Belongs here: exception classes that the command line turns into an exit status. Not here: handling.
"""


class OrdersPipelineError(Exception):
    """Anything that stops us and that a person can mend; the command line prints it and exits with 2."""


class ConfigError(OrdersPipelineError):
    """The configuration is wrong: an unknown key, a bad zone, a start date in the future."""


class StoreError(OrdersPipelineError):
    """The store cannot be used: a newer version, no permission, a network file system, damage."""


class StoreLocked(StoreError):
    """Another process holds the store longer than we wait; the message names it."""


class SavedNotShown(StoreError):
    """What a person decided is saved, and no table shows it yet: the next run takes it in."""


class StoreDamaged(StoreError):
    """The state file cannot be read; it can be made again from the archive."""


class StaleInput(StoreError):
    """A day's input changed between reading and committing: nothing was written, read again."""


class MailboxError(OrdersPipelineError):
    """A mailbox cannot be read now: missing, no permission, connection or login failed.

    It is never the fault of one message and it uses no try of a message up.
    """
