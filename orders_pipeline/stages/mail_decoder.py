"""Mail decoded for a model, with the same limits of time and memory as parsing.

Belongs here: the decoding alone. A mail over 128 kB, and one whose parse failed, is decoded in the process that the
system ends (parser_process.py): whatever hung the parser must not hang the judge.
"""

from __future__ import annotations

import datetime as dt

from orders_pipeline.config import Config
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage, failed_message
from orders_pipeline.stages.parser_process import ParserProcess

MOST_BYTES = 2 * 1024 * 1024  # of a mail; a model is shown far less


class Undecodable(OrdersPipelineError):
    """A mail that cannot be decoded within its share of time and memory."""


class MailDecoder:
    """Decodes mails one after another; the process starts with the first that needs it. Close it."""

    def __init__(self, config: Config) -> None:
        self._context = ParseContext.of(config)
        self._process = ParserProcess(decode_bytes)

    def decode(self, raw: bytes, message_id: str, received_at: dt.datetime | None, *, apart: bool = False) -> Email:
        """The mail, of its first 2 MB. ``apart`` keeps a small one out of this process too. Raises ``Undecodable``."""
        message = RawMessage(message_id, raw[:MOST_BYTES], received_at)
        found = self._process.parse(message, self._context, apart=apart)
        if isinstance(found, ParsedMessage):
            raise Undecodable(f"the mail cannot be decoded: {found.outcome_row['reason']}")
        return found

    def close(self) -> None:
        """End the process."""
        self._process.close()


def decode_bytes(message: RawMessage, context: ParseContext) -> Email | ParsedMessage:
    """Decode one message; one that raises is a failed parse."""
    try:
        return parse_email(message.raw, message_id=message.message_id, received_at=message.received_at)
    except Exception as error:
        return failed_message(message, f"{type(error).__name__}: {error}")
