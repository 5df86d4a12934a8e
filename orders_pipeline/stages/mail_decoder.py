"""Mail decoded for a model, with the same limits of time and memory as parsing.

Belongs here: the decoding alone. A mail over 32 kB, and one whose parse failed, is decoded in the process that the
system ends (parser_process.py): whatever hung the parser must not hang the judge.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from orders_pipeline.config import Config, OwnerSettings, ParseSettings
from orders_pipeline.errors import OrdersPipelineError
from orders_pipeline.mail.mime import parse_email
from orders_pipeline.models import Email
from orders_pipeline.stages.parse_message import ParsedMessage, failed
from orders_pipeline.stages.parser_process import ParserProcess

MOST_BYTES = 2 * 1024 * 1024  # of a mail; a model is shown far less


class Undecodable(OrdersPipelineError):
    """A mail that cannot be decoded within its share of time and memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedMail(ParsedMessage):
    """A decoded mail on its way out of the other process."""

    email: Email


class MailDecoder:
    """Decodes mails one after another; the process starts with the first that needs it. Close it."""

    def __init__(self, config: Config) -> None:
        self._settings = (config.parse, config.zone, config.owner)
        self._process = ParserProcess(decode_bytes)

    def decode(self, raw: bytes, message_id: str, received_at: dt.datetime | None, *, apart: bool = False) -> Email:
        """The mail, of its first 2 MB. ``apart`` keeps a small one out of this process too. Raises ``Undecodable``."""
        found = self._process.parse(raw[:MOST_BYTES], message_id, received_at, *self._settings, apart=apart)
        if not isinstance(found, DecodedMail):
            raise Undecodable(f"the mail cannot be decoded: {found.outcome_row['reason']}")
        return found.email

    def close(self) -> None:
        """End the process."""
        self._process.close()


def decode_bytes(
    raw: bytes,
    message_id: str,
    received_at: dt.datetime | None,
    settings: ParseSettings,
    zone: str,
    owner: OwnerSettings,
) -> ParsedMessage:
    """Decode one message, with the signature of ``parse_bytes``; one that raises is a failed parse."""
    try:
        email = parse_email(raw, message_id=message_id, received_at=received_at)
    except Exception as error:
        bare = Email(message_id=message_id, received_at=received_at)
        return failed(bare, received_at, f"{type(error).__name__}: {error}")
    return DecodedMail(outcome_row={}, order_rows=(), email=email)
