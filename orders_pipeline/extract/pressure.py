"""Words by which deceivers press, in several languages.

Belongs here: patterns over folded text. Not here: deciding what is deceit (deceit). ``STRONG`` words hardly occur in
honest mail about an order; ``WEAK`` ones do, and count only beside other signs.
"""

from __future__ import annotations

from orders_pipeline.extract.alternation import alternation
from orders_pipeline.extract.finder import Finder
from orders_pipeline.extract.text import fold

_STRONG = (
    r"(?:verify|validate) your (?:account|identity|information|details|address|e-?mail)",
    r"update your (?:account|billing|payment)[^.\n]{0,20} (?:information|details|method|now)",
    r"confirm your (?:account|identity|information|details|billing|payment|card)",
    r"account (?:has been |is |was |will be )?(?:suspended|limited|locked|on hold|restricted|closed|terminated)",
    r"unusual (?:activity|sign|login)|suspicious (?:activity|sign|login|order|payment)|unauthori[sz]ed (?:access"
    r"|login|transaction)",
    r"(?:pay|paying|payment of) [^.\n]{0,40}(?:customs|redelivery|shipping|delivery|import|release) ?(?:fee|duty"
    r"|charge|tax)",
    r"(?:unpaid|outstanding|pending) (?:customs|shipping|delivery|import)? ?(?:fee|duty|charge|tax)",
    r"(?:package|parcel|shipment|delivery|item) (?:is |has been |was )?(?:on hold|held|suspended|stopped at"
    r"|pending at|stuck)",
    r"(?:incomplete|incorrect|invalid|missing|wrong|insufficient) (?:delivery |shipping )?(?:address|house number)",
    r"you(?:'ve|’ve| have) (?:won|been (?:selected|chosen))|claim (?:your|the) (?:reward|prize|gift|package|parcel)",
    r"unclaimed (?:package|parcel|item)|(?:lucky )?winner|answer [^.\n]{0,20}questions|loyalty (?:reward"
    r"|program) [^.\n]{0,20}winner",
    r"zollgebuhr|(?:zahlen|begleichen|bezahlen) sie [^.\n]{0,50}(?:gebuhr|zoll|versandkosten)"
    r"|konto (?:zu )?(?:bestatigen|verifizieren|gesperrt"
    r"|wurde gesperrt|eingeschrankt)|(?:adresse|daten|identitat) (?:bestatigen|verifizieren|aktualisieren|uberprufen)",
    r"verdachtige[rs]? (?:bestellung|aktivitat|anmeldung|zahlung)|(?:bestellung|lieferung|paket) [^.\n]{0,30}gesperrt"
    r"|(?:karte|zahlungsdaten) (?:zu )?(?:bestatigen|aktualisieren)|sonst wird [^.\n]{0,30}(?:geloscht|gesperrt)",
    r"frais de (?:douane|dedouanement)|(?:payer|regler) [^.\n]{0,40}frais de|(?:confirmez|verifiez"
    r"|mettez a jour) vo(?:s|tre)"
    r"|colis (?:est )?(?:en attente|bloque|retenu|suspendu)",
    r"(?:pague|pagar|abone|abonar) [^.\n]{0,50}(?:aduana|tasa|gastos|arancel)|(?:verifique|confirme"
    r"|actualice) (?:su|sus) "
    r"|paquete (?:esta |ha sido )?(?:retenido|en espera|detenido)",
    r"taxa (?:de|da) (?:importacao|alfandega|liberacao|despacho)|(?:encomenda|pacote"
    r"|objeto) [^.\n]{0,20}(?:retid|tributad|taxad)"
    r"|(?:regularize|confirme|atualize) (?:seus|seu|sua|os seus) ",
    r"(?:pagare|paga) [^.\n]{0,50}(?:dogana|oneri|dazi)|pacco (?:e )?(?:in attesa|bloccato|sospeso)|(?:verifica"
    r"|conferma|aggiorna)"
    r" (?:i tuoi|il tuo|le tue|i suoi) ",
    r"(?:betaal|betalen) [^.\n]{0,40}(?:douane|invoer|verzend)kosten|(?:bevestig|controleer|verifieer) (?:uw"
    r"|je) (?:gegevens|adres"
    r"|account|identiteit)",
    r"(?:doplat|opłat|dopłat)[a-z]* (?:celn|za)|potwierdz (?:swoj|adres|dane|tozsamosc)",
    r"(?:attached|find|see|confirm) (?:is )?(?:our|the) (?:new |trial |attached )?(?:purchase order|p\.?o\.?(?![a-z])"
    r"|inquiry|rfq)|(?:send|give|quote) (?:us|me) (?:with )?(?:your |the )?(?:best|lowest|most competitive|proforma)",
    r"confirm your (?:shipping|mailing|delivery) address to (?:receive|claim|get)",
    r"viagra|cialis|levitra|replica (?:watches|handbags|rolex)",
    r"アカウント(?:の|が|を)?(?:確認|更新|停止|制限|ロック)|支払い方法(?:の|を)?(?:更新"
    r"|確認|変更)|異常な?(?:ログイン|アクセス|取引)"
    r"|不正(?:利用|アクセス|ログイン)|(?:配送料|手数料|関税)(?:の|を)?(?:お)?支払|住所(?:が|の)(?:不備|不明|誤り)",
)
_WEAK = (
    r"(?:re-?)?schedule (?:your |a |the )?(?:re-?)?delivery|within (?:12|24|48|72) hours|will be (?:returned"
    r"|destroyed|closed)",
    r"(?:open|see|view|download|find|check) (?:the )?attach|attached (?:file|document|invoice|label)"
    r"|print (?:the |out )?(?:label|attached)",
    r"call (?:us )?(?:immediately|now|toll)|(?:did not|didn['’]t) (?:authori[sz]e|place|make)|confirm your address",
    r"to cancel (?:this|your|the) (?:order|subscription|payment|transaction)|click (?:here|below|the link|on the link)",
    r"has not been paid|urgent|immediate(?:ly)? action|final notice|last (?:warning|notice|reminder)"
    r"|waiting for (?:delivery|you)",
    r"dringend|letzte mahnung|innerhalb von \d+ stunden|dernier (?:rappel|avis)|urgente|ultimo (?:aviso|avviso)"
    r"|dringende?",
    r"至急|緊急|重要なお知らせ|\d時間以内|ご確認いただけない場合",
)
STRONG = Finder(alternation([fold(p) for p in _STRONG])[0])
WEAK = Finder(alternation([fold(p) for p in _WEAK])[0])
