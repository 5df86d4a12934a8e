"""Italian labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?(?:n ?[°º]|n\.|nr\b\.?|num\b\.?|numero|#|id\b))"
_PARCEL = r"(?:pacco|ordine|spedizione|consegna|articolo|articoli|acquisto)"

TABLE = LabelTable(
    language="it",
    hints=(
        "ordine", "spedizione", "consegna", "pacco", "fattura", "ricevuta", "prenotazione", "spedito",
        "tracci", "rimborso", "totale", "acquisto", "consegnat", "transazione", "carrello", "reso", "importo",
        "biglietto", "corsa",
    ),
    order_number=(
        (10, rf"(?:tuo |il tuo )?ordine (?:[a-z.]{{2,14}} )?(?:n ?[°º]|n\.|nr\b\.?|num\b\.?|numero|#)"
             rf"|ordine{_NO}|(?:numero|n ?[°º]|n\.|codice|riferimento|id) (?:d(?:el|i|ell['’])? ?(?:tuo "
             rf"|vostro )?|d['’])?ordine"),
        (8, rf"(?:numero|codice|n ?[°º]|riferimento) (?:di |della |del )?(?:prenotazione|biglietto|viaggio)"
            rf"|prenotazione{_NO}"),
        (6, r"(?:numero|n ?[°º]) (?:di |della )?(?:ricevuta|conferma)"),
        (5, rf"(?:numero|n ?[°º]) (?:di |della )?fattura|fattura{_NO}"),
        (5, r"(?:numero|codice|id) (?:di |della )?(?:transazione|pagamento)"),
    ),
    order_word=((8, r"ordine"),
        (5, r"fattura"),
        (4, r"prenotazione")),
    tracking_number=(
        (10, r"(?:numero|codice|n ?[°º]|id) (?:di |della |del |d['’])?(?:tracciabilita|tracking|tracciamento"
             r"|spedizione|pacco|monitoraggio|lettera di vettura)|tracking(?: number)?|lettera di vettura"
             r"|spedizione (?:n ?[°º]|n\.|nr\b\.?|numero)"),
        (7, r"spedizione|pacco"),
    ),
    carrier=((9, r"corriere|vettore|spedito (?:con|tramite|da)|consegnato da|trasportatore"),
        (5, r"metodo di spedizione|modalita di (?:spedizione|consegna)|servizio")),
    total=(
        (10, r"(?:importo|totale) (?:del rimborso|rimborsato)|totale rimborso|totale (?:ordine|dell['’]ordine"
             r"|complessivo|generale|pagato|da pagare|iva inclusa|ivato|fattura"
             r"|addebitato|del tuo ordine)|importo (?:totale|pagato|addebitato|complessivo)|prezzo totale"
             r"|costo totale"),
        (9, r"totale"),
        (8, r"importo|pagato"),
        (7, r"pagamento di|importo di|la somma di"),
    ),
    subtotal=((9, r"totale (?:parziale|articoli|prodotti|merce|provvisorio)(?: degli articoli)?|subtotale"
                  r"|imponibile"),),
    shipping=((9, r"(?:costi|spese|costo) di (?:spedizione|consegna)|spedizione|consegna"),),
    tax=((9, r"(?:di cui )?iva(?: \(?\d{1,2} ?%\)?)?|imposte"),),
    discount=((9, r"sconto|buono(?: sconto)?|codice promozionale|promozione"),),
    delivery=(
        (10, r"(?:data di )?consegna (?:prevista|stimata)(?: per| il| entro)*|arrivo (?:previsto|stimato)"
             r"|data (?:di|prevista di|prevista per la) consegna|arrivera(?: il| entro)?|(?:sara"
             r"|verra) consegnat[oa](?: il| entro)?|in arrivo(?: il)?|previst[oa] (?:per|il)|consegna (?:il"
             r"|entro)"),
        (7, r"consegna"),
    ),
    merchant=((9, r"venditore|venduto da|mittente|negozio|esercente"),),
    decoys=(
        r"totale (?:iva esclusa|risparmiato|sconti|prima|parziale escluso)[^\n\t]{0,20}|hai risparmiato"
        r"|data (?:dell['’])?ordine|ordine (?:effettuato|del)|riepilogo ordine|dettagli (?:dell['’])?ordine"
        r"|indirizzo di (?:consegna|spedizione|fatturazione)|metodo di pagamento|stato (?:dell['’])?ordine"
        r"|data fattura|pagato con",
        r"(?:numero|n ?[°º]|codice) (?:di )?(?:cliente|telefono|carta|conto|articolo|prodotto)|partita iva"
        r"|p\.? ?iva|codice (?:fiscale|di ritiro|di verifica|postale|sconto)|password",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"annullat[oi] parzialmente|parzialmente annullat|annullamento parziale"),
        (S.CANCEL_REQUESTED, 3, r"richiesta di (?:annullamento|cancellazione)"),
        (S.CANCELLED, 3, r"(?:e|sono|stat[oa]) (?:stat[oaie] )?(?:annullat|cancellat)"
                         r"|annullamento (?:dell['’]ordine|del tuo|confermato)|ordine [^.\n]{0,40}annullato"
                         r"|conferma (?:di )?(?:annullamento|cancellazione)"),
        (S.REFUNDED, 3, r"rimborso (?:e stato|effettuato|emesso|del|di|confermato|elaborato)|(?:e|stat[oa]"
                        r"|abbiamo) rimborsat|il tuo rimborso|conferma (?:di |del )?rimborso"),
        (S.RETURN_STARTED, 3, r"(?:richiesta di|il tuo|conferma) reso|reso (?:ricevuto|confermato|accettato"
                              r"|avviato)|etichetta (?:di|per il) reso"),
        (S.DELAYED, 3, r"in ritardo|ritardo|posticipat|rimandat|(?:non (?:e|siamo) (?:stato possibile"
                       r"|riusciti a)) consegn|mancata consegna|tentativo di consegna|nuova data di consegna"),
        (S.READY_FOR_PICKUP, 3, r"pront[oa] (?:per (?:il|essere) ritir|al ritiro)|disponibile (?:per il ritiro"
                                r"|presso)|ti aspetta (?:presso|in|al)|puoi ritirar|ritira il tuo (?:pacco"
                                r"|ordine)|in giacenza"),
        (S.OUT_FOR_DELIVERY, 3, r"in consegna(?! (?:domani|il|entro|previst))|(?:consegn"
                                r"|arriv)[a-z]* (?:previst[oa] )?oggi|oggi (?:riceverai"
                                r"|consegn)|(?:sara|verra) consegnat[oa] oggi"
                                r"|affidato al corriere per la consegna"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:e|sono) (?:stat[oaie] )?(?:consegnat|arrivat)"
                         rf"|(?:e|sono) (?:stat[oaie] )(?:consegnat)|consegnat[oa](?: con successo)?[:!]"
                         rf"|consegna (?:effettuata|completata|avvenuta|riuscita)|abbiamo consegnato"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL})(?: [^.\n]{{1,60}})? (?:e|sono) (?:stat[oaie] )?(?:spedit|inviat|partit"
                       rf"|in viaggio|in transito|affidat)|(?:e|sono) (?:stat[oaie] )?spedit|conferma (?:di "
                       rf"|della )?spedizione|spedit[oa][:!]|abbiamo spedito|(?:e|sono) stat[oaie] (?:evas|affidat"
                       rf"|consegnat[oaie] al corriere)|in (?:viaggio|transito)|in arrivo"),
        (S.SHIPPED, 2, r"consegna e prevista (?:il|per|domani|tra)|arriva domani"),
        (S.SHIPPED, 1, r"(?:sara|verra|ti sara) [^.\n]{0,20}consegnat[oa] (?:domani|il|lunedi|martedi|mercoledi"
                       r"|giovedi|venerdi)"),
        (S.CONFIRMED, 2, r"conferma (?:d['’]|dell['’]|di |del tuo )?(?:ordine|prenotazione|acquisto|pagamento)"
                         r"|grazie per (?:il tuo|l['’]|aver|la tua|il vostro) ?(?:ordine|acquist|ordinato"
                         r"|prenotazione|prenotato)|(?:ordine|prenotazione|pagamento) [^.\n]{0,40}(?:confermat"
                         r"|ricevut|registrat)|abbiamo ricevuto il tuo (?:ordine|pagamento)|ordinato[:!]"
                         r"|hai inviato un pagamento"),
        (S.CONFIRMED, 1, r"(?:il )?tuo [^\n]{0,30}(?:ordine|acquisto)|la tua [^\n]{0,30}(?:fattura|ricevuta"
                         r"|prenotazione|corsa)|aver viaggiato|fattura|ricevuta"),
    ),
    whens=(r"quando", r"appena", r"se", r"dopo", r"prima", r"una volta"),
    conditions=(r"sara", r"saranno", r"verra", r"puo", r"non", r"come"),
    shops=(
        r"(?:pacco|ordine|spedizione)(?: n\.)?(?: [\w-]{8,30})?,? (?:da|di|del mittente|(?:inviat|spedit)[oa] da) "
        r"(?P<shop>[^\n\t.,:;!(]{2,50}?)(?:$"
        r"|[.,:;!(\n\t]| (?:e|sara|verra|ti|in|per|con|arriva|oggi|domani)\b)",
        r"pagamento di[^\n]{0,40}? a (?P<shop2>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t])",
    ),
    receipts=(r"ordine", r"fattura", r"ricevuta", r"prenotazione", r"acquisto", r"pagamento", r"spedizione",
              r"corsa", r"biglietto"),
    not_orders=(
        ("promotion", r"(?:sul|per il|sulla) (?:(?:tuo|tua|suo|sua) )?(?:prossim|prim)[oa] (?:ordine|acquisto"
                      r"|prenotazione)"),
        ("review_request", r"recension|valuta|opinione|sondaggio|com['’]e andat|feedback"),
        ("abandoned_cart", r"carrello|dimenticat|ti aspetta\b(?! (?:in|al|presso))|(?:completa|concludi"
                           r"|termina) (?:il tuo|"
                           r"l['’]) ?(?:ordine|acquisto)"),
        ("wish_list", r"lista (?:dei )?desideri|di nuovo disponibile|consigliati per"),
        ("marketing", r"\d{1,2} ?% di sconto|saldi|newsletter|offert[ae]|promo(?:zion[ei])?\b|fino al \d{1,2} ?%"
                      r"|solo oggi"),
        ("one_time_code", r"codice di (?:verifica|sicurezza|conferma|accesso)|reimposta|password"
                          r"|verifica (?:il tuo|la tua)|conferma (?:il tuo indirizzo|la tua e-?mail)"),
        ("account_notice", r"benvenut|il tuo account|privacy|pagamento rifiutato"),
        ("bank_notice", r"estratto conto|bonifico|saldo disponibile"),
    ),
)  # fmt: skip
