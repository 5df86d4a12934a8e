"""Kinds of mail that are never an order, whatever words they hold.

Belongs here: bounces, automatic replies, discussion lists, and deceit that imitates shops and parcel services.
Not here: weighing order words (classify).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from orders_pipeline.extract.brands import MAIL_HOSTS, borrowed_brand, brand_of
from orders_pipeline.extract.extractor import Reading
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
_AUTO = re.compile(r"out of (?:the )?office|automatic reply|auto(?:matic)?-?reply|abwesenheit|autoreply|vacation")
_PRESSURE = re.compile(
    r"(?:verify|confirm|update|validate) your (?:account|identity|information|details|billing|payment|address"
    r"|e-?mail)|account (?:has been |is |was )?(?:suspended|limited|locked|on hold)|unusual (?:activity|sign)"
    r"|(?:pay|paying) (?:the |a )?(?:small |outstanding )?(?:customs|shipping|delivery|redelivery"
    r"|import)? ?(?:fee|duty|charge)"
    r"|customs (?:fee|duty|charge)|schedule (?:your )?(?:re-?)?delivery|re-?schedule|within (?:24|48|72) hours"
    r"|will be (?:returned|destroyed|closed|suspended|terminated)|incomplete address|address (?:is "
    r"|was )?(?:incorrect|incomplete|invalid|missing)|(?:open|see|view|download|find) (?:the )?attach"
    r"|attached (?:file|document|invoice|label)|print (?:the |out )?(?:label|attached)"
    r"|call (?:us )?(?:immediately|now|at|on|toll)|did not (?:authorize|place|make)|didn['’]t (?:authorize|place"
    r"|make)|to cancel (?:this|your|the) (?:order|subscription|payment|transaction)|zollgebuhr"
    r"|adresse (?:bestatigen|unvollstandig)|konto (?:bestatigen|verifizieren|gesperrt)|frais de douane"
    r"|(?:confirmez|verifiez) vo(?:s|tre)"
)
# Invoices for things never bought, with a telephone number to call: the brands that they borrow in the text.
_CALLBACK = re.compile(
    r"(?<![^\W_])(?:norton|mcafee|geek squad|lifelock|windows defender|microsoft defender|bitcoin|btc|crypto"
    r"|best buy|paypal)(?![^\W_])"
)
_PHONE = re.compile(r"\+?1?[ .-]?\(?8\d\d\)?[ .-]{0,3}\d{3}[ .-]{1,3}\d{4}|toll[- ]free")


def certain_not_order(view: View) -> str | None:
    """A short reason when the kind of mail alone rules an order out: bounce, auto_reply, discussion_list."""
    email = view.email
    kind = (email.header("Content-Type") or "").lower()
    local = fold(email.sender.address.partition("@")[0])
    if "multipart/report" in kind and "disposition-notification" not in kind:
        return "bounce"
    if _BOUNCE_SENDER.search(local) or any(a.content_type == "message/delivery-status" for a in email.attachments):
        return "bounce"
    if email.header("X-Failed-Recipients") or _BOUNCE_SUBJECT.search(view.subject.folded):
        return "bounce"
    if _AUTO.search(view.subject.folded) or (email.header("Auto-Submitted") or "").lower().startswith("auto-replied"):
        return "auto_reply"
    if _is_discussion(view):
        return "discussion_list"
    return None


def _is_discussion(view: View) -> bool:
    email = view.email
    if (
        email.header("List-Post")
        or email.header("Mailing-List")
        or email.header("X-Mailing-List")
        or email.header("X-Mailman-Version")
    ):
        return True
    return (email.header("Precedence") or "").lower() == "list" or bool(email.header("X-BeenThere"))


def deceit(view: View, readings: Sequence[Reading]) -> str | None:
    """``imitation`` when the mail borrows a brand that neither its sender nor its links belong to, and presses."""
    own = brand_of(view.sender_domain)
    borrowed = borrowed_brand(view.email.sender.name, view.sender_domain)
    pressing = bool(_PRESSURE.search(view.folded[:30_000]))
    if borrowed and not _links_to(view, borrowed):
        if pressing or own in MAIL_HOSTS:
            return "imitation"
        return "imitation" if view.links else None
    if pressing and own in MAIL_HOSTS:
        return "imitation"
    return "imitation" if _callback_scam(view, own) else None


def _callback_scam(view: View, own: str) -> bool:
    text = view.folded[:10_000]
    named = {m.group().replace(" ", "") for m in _CALLBACK.finditer(text)}
    if not named or any(brand in own or own in brand for brand in named if own):
        return False
    return bool(_PHONE.search(text)) and bool(
        re.search(r"cancel|charge|refund|renew|subscription|support team|help ?(?:desk|line)", text)
    )


def _links_to(view: View, domains: tuple[str, ...]) -> bool:
    hosts = {brand_of(urlsplit(link).hostname or "") for link in view.links[:100] if link.startswith("http")}
    return bool(hosts & set(domains))
