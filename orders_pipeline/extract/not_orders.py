"""Kinds of mail that are never an order, whatever words they hold.

Belongs here: bounces, automatic replies, discussion lists, mail that a filter has called spam. Not here: deceit
(deceit), weighing order words (classify).
"""

from __future__ import annotations

import re

from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

_BOUNCE_SENDER = re.compile(r"^(?:mailer-?daemon|postmaster|mail-?delivery|bounce[sd]?)(?:[-+=.]|$)")
_BOUNCE_SUBJECT = re.compile(
    r"undeliver|delivery (?:status notification|failure|has failed|report)|failure notice"
    r"|mail delivery (?:failed|subsystem|error|system)|returned (?:mail|to sender)|return(?:ed)? message"
    r"|non-?delivery"
    r"|delivery notification: delivery has failed|unzustellbar|mail could not be delivered|message (?:could not"
    r"|not) (?:be )?deliver|warning: message|delayed mail|nachricht nicht zustellbar|non remis|mail system error"
)
# Somebody's words, as forums and trackers pass them on: "Alex wrote: ...", "View it on ...".
_SPEAKS = re.compile(
    r"[^\n]{2,80} (?:wrote|schrieb|schreef|napisał|napisała|skrev|a ecrit|escribio|ha scritto|escreveu|commented"
    r"|replied|posted)(?: on this [a-z]{3,12})?[:.]"
)
_AUTO = re.compile(r"out of (?:the )?office|automatic reply|auto(?:matic)?-?reply|abwesenheit|autoreply|vacation")


def certain_not_order(view: View) -> str | None:
    """A short reason when the kind of mail alone rules an order out: bounce, auto_reply, discussion_list, spam."""
    email = view.email
    kind = view.headers.get("content-type", "").lower()
    local = fold(email.sender.address.partition("@")[0])
    if "multipart/report" in kind and "disposition-notification" not in kind:
        return "bounce"
    if _BOUNCE_SENDER.search(local) or any(a.content_type == "message/delivery-status" for a in email.attachments):
        return "bounce"
    carrier = carrier_of_domain(view.sender_domain)  # whose "delivery failed" speaks of parcels
    if view.headers.get("x-failed-recipients") or (not carrier and _BOUNCE_SUBJECT.search(view.subject.folded)):
        return "bounce"
    if view.headers.get("x-spam-flag", "").strip().lower() == "yes":
        return "spam"
    if _AUTO.search(view.subject.folded) or view.headers.get("auto-submitted", "").lower().startswith("auto-replied"):
        return "auto_reply"
    if _is_discussion(view) or any(_SPEAKS.match(body.folded) for body in view.bodies):
        return "discussion_list"
    return None


def _is_discussion(view: View) -> bool:
    listed = ("list-post", "mailing-list", "x-mailing-list", "x-mailman-version", "x-beenthere")
    return any(view.headers.get(name) for name in listed) or view.headers.get("precedence", "").lower() == "list"
