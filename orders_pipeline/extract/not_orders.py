"""Kinds of mail that are never an order, whatever words they hold.

Belongs here: bounces, automatic replies, discussion lists, mail that a filter has called spam. Not here: deceit
(deceit), weighing order words (classify).
"""

from __future__ import annotations

import re

from orders_pipeline.extract.brands import NOTIFIERS, brand_of
from orders_pipeline.extract.carriers import carrier_of_domain
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.text import fold
from orders_pipeline.extract.view import View

_BOUNCE_SENDER = re.compile(r"^(?:mailer-?daemon|postmaster|mail-?delivery|bounce[sd]?)(?:[-+=.]|$)")
_BOUNCE_SUBJECT = Finder(
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
_AUTO = Finder(
    r"out of (?:the )?office|automatic reply|auto(?:matic)?-?reply|abwesenheit|autoreply|vacation|automatische antwort"
    r"|reponse automatique|respuesta automatica|risposta automatica|resposta automatica|automatisch antwoord"
    r"|automatyczna odpowiedz|autosvar|automatiskt svar|absence du bureau|fuera de la oficina|fuori ufficio"
    r"|afwezigheid"
)
_NOTICE_SENDER = re.compile(r"notif|info|messag|comment|mention|jira|confluence|update|do-not-reply|invitation")
EDGE = 1_500  # and at its end stand the words of help desks
HEAD = 600  # characters of a body: a bounce says so at once
# A mail server's own words: parcels are no messages.
_GAP = r"(?:[^.\n]|\.(?! )){0,100}"  # within a sentence; an address has dots
_UNDELIVERED = Finder(
    r"(?<![^\W_])(?:"
    rf"(?:your|original|following) (?:e-?mail )?message{_GAP}(?:not (?:be )?(?:delivered|reach)"
    r"|undeliver|rejected|blocked|bounced|did ?n[o'’]t reach|quarantined|returned)"
    rf"|(?:this|the) (?:e-?mail )?message (?:you sent{_GAP} )?(?:could|cannot|can ?not|was|has|did|will)"
    r" (?:been |not )?(?:not |be |been )?(?:delivered|reach|rejected|blocked|returned|quarantined|bounced)"
    r"|(?:problem|error|unable|failed|trouble) (?:in |to )?(?:deliver(?:ing)?|send(?:ing)?) (?:your|the|this) "
    r"(?:e-?mail|message)|did not reach the following recipient|message (?:will be|has been) (?:retried|returned)"
    r"|e-?mail abuse report|abuse complaint|feedback report for an? e-?mail"
    rf"|(?:ihre|die|folgende) (?:e-?mail-?)?nachricht{_GAP}nicht (?:zugestellt|ubermittelt|gesendet)"
    rf"|votre message{_GAP}(?:ne peut|n['’]a pas|n['’]a pu|pas pu|impossible)"
    rf"|(?:su|tu) mensaje{_GAP}no (?:ha podido|se ha|se pudo|pudo|fue)"
    r"|no se (?:ha podido|pudo) entregar (?:su|el) (?:mensaje|correo)"
    rf"|il (?:suo |tuo )?messaggio{_GAP}non (?:e stato|ha potuto|puo)"
    rf"|(?:sua|a sua) mensagem{_GAP}nao (?:foi|pode|podera)"
    rf"|twoja wiadomosc{_GAP}nie (?:mogła|została|moze)"
    rf"|(?:uw|je) bericht{_GAP}niet (?:afgeleverd|bezorgd)|ditt meddelande{_GAP}inte levereras)"
    r"|メッセージ[^。]{0,40}(?:送信|配信)(?:でき|されま)"
)
# How mail servers number their refusals: "550 5.1.1", "(#5.2.2)".
_REFUSED = Finder(r"(?<!\d)[45]\d\d[ -]#?[45]\.\d\.\d{1,3}(?!\d)|\(#[45]\.\d\.\d{1,3}\)")
# What help desks and trackers write around the words that they pass on.
_REPLY_HERE = Finder(
    r"(?:reply|respond|write|type) [^\n]{0,20}above this line|(?:antworten|antwort) [^\n]{0,30}(?:uber|oberhalb) dieser"
    r"|(?:reponse|repondre|repondez)[^\n]{0,30}au-dessus de cette ligne|antwoord [^\n]{0,20}boven deze (?:lijn|regel)"
    r"|(?:respuesta|responda|resposta|rispondi|risposta)[^\n]{0,30}(?:encima de|acima d|sopra) ?(?:esta|questa|quest)"
    r"|odpowied[^\n]{0,20}(?:powyzej|nad) te[jn]|reply to this (?:e-?mail|message) directly or view it on"
)
_TRACKERS = (
    "x-github-reason", "x-gitlab-project", "x-gitlab-project-id", "x-jira-fingerprint", "x-bugzilla-reason",
    "x-redmine-host", "x-trac-version", "x-rt-ticket", "x-phabricator-sent-this-message", "x-launchpad-bug",
    "x-launchpad-message-rationale", "x-gerrit-messagetype",
)  # fmt: skip


def certain_not_order(view: View) -> str | None:
    """A short reason when the kind of mail alone rules an order out.

    bounce, read_receipt, auto_reply, discussion_list, support_ticket or spam.
    """
    email = view.email
    kind = view.headers.get("content-type", "").lower()
    local = fold(email.sender.address.partition("@")[0])
    if "multipart/report" in kind:
        return "read_receipt" if "disposition-notification" in kind else "bounce"
    if _BOUNCE_SENDER.search(local) or any(a.content_type == "message/delivery-status" for a in email.attachments):
        return "bounce"
    carrier = carrier_of_domain(view.sender_domain)  # whose "delivery failed" speaks of parcels
    if view.headers.get("x-failed-recipients") or (not carrier and _BOUNCE_SUBJECT.search(view.subject.folded)):
        return "bounce"
    if not carrier and any(_returned(body.folded) for body in view.bodies):
        return "bounce"
    if view.headers.get("x-spam-flag", "").strip().lower() == "yes":
        return "spam"
    if _AUTO.search(view.subject.folded) or view.headers.get("auto-submitted", "").lower().startswith("auto-replied"):
        return "auto_reply"
    if _is_discussion(view) or any(_SPEAKS.match(body.folded) for body in view.bodies):
        return "discussion_list"
    notifies = brand_of(view.sender_domain) in NOTIFIERS and _NOTICE_SENDER.match(local)  # not their billing
    if notifies or any(view.headers.get(name) for name in _TRACKERS):
        return "discussion_list"
    if any(_REPLY_HERE.search(b.folded[:EDGE]) or _REPLY_HERE.search(b.folded[-EDGE:]) for b in view.bodies):
        return "support_ticket"
    return None


def _returned(folded: str) -> bool:
    """Whether a body begins by telling that a message of the reader's own came back, or is complained of."""
    return bool(_UNDELIVERED.search(folded[:HEAD]) or _REFUSED.search(folded[: 4 * HEAD]))


def _is_discussion(view: View) -> bool:
    listed = ("list-post", "mailing-list", "x-mailing-list", "x-mailman-version", "x-beenthere")
    return any(view.headers.get(name) for name in listed) or view.headers.get("precedence", "").lower() == "list"
