"""How mail programs announce a forwarded message and label its headers, by language.

Belongs here: the words alone.
"""

from __future__ import annotations

# The text of the announcing line without dashes, asterisks and colon, lower case.
MARKERS = frozenset(
    (
        "forwarded message", "original message", "begin forwarded message", "forwarded mail", "forwarded email",
        "original appointment", "forwarded letter",
        "weitergeleitete nachricht", "ursprüngliche nachricht", "originalnachricht", "original-nachricht",
        "anfang der weitergeleiteten nachricht", "anfang der weitergeleiteten e-mail", "weitergeleitete e-mail",
        "message transféré", "message transfere", "message transmis", "message d'origine", "message d’origine",
        "message original", "début du message réexpédié", "début du message transféré", "courriel original",
        "mensaje reenviado", "mensaje original", "inicio del mensaje reenviado",
        "messaggio inoltrato", "messaggio originale", "inizio messaggio inoltrato", "messaggio rispedito",
        "doorgestuurd bericht", "oorspronkelijk bericht", "begin doorgestuurd bericht", "origineel bericht",
        "mensagem encaminhada", "mensagem original", "início da mensagem encaminhada",
        "przekazana wiadomość", "wiadomość oryginalna", "oryginalna wiadomość",
        "vidarebefordrat meddelande", "ursprungligt meddelande", "videresendt meddelelse", "oprindelig meddelelse",
        "転送メッセージ", "転送されたメッセージ", "元のメッセージ", "転送メール",
    )
)  # fmt: skip

_LABELS = {
    "from": "from|von|de|da|van|od|från|fra|lähettäjä|expéditeur|mittente|remitente|afzender"
    "|差出人|送信元|发件人|寄件者|보낸사람",
    "date": "date|sent|datum|gesendet|gesendet am|envoyé|envoyé le|fecha|enviado|enviado el|enviado em|enviada em|data"
    "|inviato|data invio|verzonden|skickat|sendt|dato|wysłano|wysłane|data wysłania|päivämäärä|lähetetty|odesláno"
    "|日付|送信日時|日時|发送时间|日期|날짜",
    "subject": "subject|betreff|objet|sujet|asunto|oggetto|onderwerp|assunto|temat|ämne|emne|aihe|předmět"
    "|件名|主题|主旨|제목",
    "to": "to|an|à|para|a|aan|do|till|til|komu|vastaanottaja|destinataire|destinatario|宛先|收件人|받는사람",
    "cc": "cc|kopie|kopie an|copie|copia|dw|kopia|kopi|reply-to|antwort an|répondre à|bcc|importance|priority"
    "|wichtigkeit|resent-from|attachments|anlagen",
}

LABELS = {label: field for field, labels in _LABELS.items() for label in labels.split("|")}
