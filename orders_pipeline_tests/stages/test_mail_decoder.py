"""Mail decoded for a model within the parser's limits."""

from __future__ import annotations

import pytest

from orders_pipeline.models import Email
from orders_pipeline.stages.mail_decoder import MailDecoder, Undecodable, decode_bytes
from orders_pipeline.stages.parse_message import ParseContext, ParsedMessage, RawMessage
from orders_pipeline.stages.parser_process import ParserProcess
from orders_pipeline_tests.harness import DAY, Scene, noon, order_mail

RAW = order_mail("FM-70001", noon(DAY))


def spins(message: RawMessage, context: ParseContext) -> Email | ParsedMessage:
    """A mail that hangs whoever decodes it, when it says so."""
    while b"hang" in message.raw:
        pass
    return decode_bytes(message, context)


@pytest.mark.parametrize("apart", [False, True])
def test_a_mail_is_the_same_wherever_it_is_decoded(scene: Scene, apart: bool) -> None:
    """A judge that sees another text than the parser judges something else."""
    decoder = MailDecoder(scene.config())
    try:
        email = decoder.decode(RAW, "m1", noon(DAY), apart=apart)
        assert email.subject == "Your order FM-70001 is confirmed"
        assert "Order total: EUR 24.50" in email.text
    finally:
        decoder.close()


def test_a_mail_that_hangs_its_decoder_costs_itself_alone(scene: Scene) -> None:
    """What hung the parser, and is `failed` for it, must not hang the judge."""
    decoder = MailDecoder(scene.config())
    decoder._process = ParserProcess(spins)
    try:
        with pytest.raises(Undecodable, match="took more than"):
            decoder.decode(RAW + b"hang", "m1", noon(DAY), apart=True)
        assert decoder.decode(RAW, "m2", noon(DAY), apart=True).message_id == "m2"
    finally:
        decoder.close()
