"""What the common programs and providers call the folders of spam and trash.

Belongs here: the names, in small letters. They count only where a server marks no folder as such (RFC 6154).
"""

from __future__ import annotations


def _names(text: str) -> frozenset[str]:
    return frozenset(" ".join(name.split()).casefold() for name in text.split("|"))


JUNK_NAMES = _names(
    """
    junk | spam | junk e-mail | junk email | junk mail | bulk mail | spamverdacht | unerwünscht | courrier
    indésirable | indésirables | pourriel | correo no deseado | no deseado | posta indesiderata | lixo eletrônico
    | lixo electrónico | ongewenste e-mail | ongewenst | skräppost | søppelpost | uønsket e-mail | uønsket post |
    roskaposti | niechciane | wiadomości-śmieci | nevyžádaná pošta | levélszemét | нежелательная почта | спам |
    迷惑メール | 垃圾邮件 | 垃圾郵件 | 스팸 | 스팸메일
    """
)
TRASH_NAMES = _names(
    """
    trash | deleted items | deleted messages | deleted | bin | papierkorb | gelöscht | gelöschte elemente |
    gelöschte objekte | corbeille | éléments supprimés | messages supprimés | papelera | elementos eliminados |
    cestino | posta eliminata | lixeira | itens excluídos | itens eliminados | prullenbak | verwijderde items |
    papperskorgen | borttagna objekt | papirkurv | slettet post | slettede elementer | roskakori | poistetut |
    kosz | elementy usunięte | koš | odstraněná pošta | lomtár | törölt elemek | корзина | удаленные | удалённые |
    ゴミ箱 | 已删除 | 已删除邮件 | 垃圾桶 | 휴지통
    """
)
