"""A token that a server repeats in its refusal, in the form in which it was sent."""

from __future__ import annotations

import base64
from pathlib import Path

from imapclient.exceptions import LoginError

from orders_pipeline.mail.imap import login
from orders_pipeline.mailbox_settings import ImapMailbox
from orders_pipeline.secret import Secret


def test_a_server_that_repeats_the_token_as_it_was_sent_does_not_get_it_shown(
    tmp_path: Path,
) -> None:
    """Base64 hides nothing: whoever reads the log could log in with it."""
    box = ImapMailbox(
        kind="imap", name="work", host="mail.example", username="robin@alder.example", token_file=tmp_path / "token"
    )
    token = "a-token-that-is-sent"
    sent = base64.b64encode(f"user={box.username}\x01auth=Bearer {token}\x01\x01".encode()).decode()
    for said in (f"[AUTHENTICATIONFAILED] bad argument {sent}", f"bad argument {token}"):
        refusal = login._refusal(LoginError(said), box, Secret(token))
        assert sent[:40] not in str(refusal)
        assert token not in str(refusal)
    assert "come later" in str(login._refusal(LoginError("come later"), box, Secret(token)))
