"""English labels and phrases."""

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?#| ?(?:numbers?|num\b|nr\b|no\b|id\b|code|ref(?:erence)?\b)(?: (?:number|no|code|id)\b)?)"
_PARCEL = r"(?:packages?|parcels?|shipments?|deliver(?:y|ies)|items?|orders?|purchase)"
_HAS = (
    r"(?:(?:has|have) (?:now |just |been )?(?:successfully )?(?:been )?|(?:is|are|was|were) (?:now "
    r"|just )?(?:successfully )?(?:being )?)"
)
_DIGITALLY = r"(?:to|in|on|by|via) (?:your )?(?:kindle|inbox|e-?mail|device|library|account|phone|app|computer)"
_NUMBERED = r"order #?[a-z]{0,4}-?[0-9][\w-]{2,24}"
_HAD = _HAS.replace("(?:being )?", "")  # "is being delivered" tells of what has not happened

TABLE = LabelTable(
    language="en",
    hints=(
        "order", "package", "parcel", "shipment", "delivery", "receipt", "invoice", "booking", "total",
        "tracking", "delivered", "purchase", "payment", "reservation", "confirmation", "refund", "return",
        "cancel", "shipped", "arriving", "pickup", "picked up", "shipping", "ride", "trip", "fare", "transaction",
        "deliver", "consignment", "courier",
    ),
    order_number=(
        (10, rf"(?:sales |web |online |purchase |your |customer )?order(?: confirmation)?{_NO}"),
        (10, rf"order confirmation{_NO}"),
        (9, rf"purchase{_NO}"),
        (8, rf"(?:booking|reservation|itinerary|trip|rental(?: agreement)?|pickup order){_NO}"),
        (7, rf"confirmation{_NO}"),
        (7, r"record locator|pnr|booking reference|reservation|(?:for|and receipt for) confirmation"),
        (6, rf"receipt{_NO}|confirmation(?= ?:)"),
        (5, rf"(?:invoice|bill|statement){_NO}"),
        (5, rf"transaction{_NO}"),
        (5, rf"payment{_NO}"),
        (3, r"reference(?: number| no| id| code|#)?|document(?: number| no| id|#)?"),
    ),
    order_word=((8, r"orders?"),
        (5, r"invoice"),
        (5, r"receipt"),
        (4, r"booking")),
    tracking_number=(
        (10, rf"tracking{_NO}|tracking\(s\)|tracking information"),
        (9, rf"(?:your )?(?:shipment|parcel|package|consignment|waybill|air waybill|awb){_NO}"
            rf"|track(?:ing)? (?:your )?(?:order|parcel|package)? ?with"),
        (7, r"tracking|track(?: it| your package| your order| package)? (?:at|using|with)"),
        (5, r"(?:your )?(?:package|parcel|shipment)"),
    ),
    carrier=(
        (9, r"carrier|courier|shipping carrier|delivery partner|shipped with|shipped via|ship via"
            r"|shipping company|delivered by|delivery company|shipped by"),
        (5, r"(?:shipping|delivery) (?:method|service)|service"),
    ),
    total=(
        (10, r"(?:total )?(?:amount )?refunded|(?:total )?refund (?:amount|total)"
             r"|total (?:estimated )?refund(?: amount)?"
             r"|(?:order |invoice |your )?grand total|order total|total for (?:this|your) order"
             r"|total order(?: amount| value)?|total (?:amount )?paid|amount paid"
             r"|total (?:amount )?charged|(?:total )?payment (?:total|amount)|total amount|total cost"
             r"|total price|total \((?:usd|eur|gbp|incl[^)\n]{0,20})\)"
             r"|invoice total|total inc(?:l|luding)?\.? (?:vat|tax|gst)|trip total|booking total|purchase total"
             r"|total to pay|you paid|total payment|total fare|amount charged|ticket amount"
             r"|total ticket(?: price| cost)?"
             r"|total airfare|total \(all passengers\)|total for (?:all|\d) passengers?"),
        (9, r"total"),
        (7, r"(?:(?:credit |debit )?card |paid with |charged to )?(?:visa|mastercard|master card"
            r"|american express|amex|discover|paypal(?: balance| account)?|apple pay|google pay"
            r"|venmo(?: account)?)"),
        (8, r"paid|charged|you(?:'ve|’ve| have)? paid|amount due|total due|balance due|amount(?: billed)?"
            r"|order amount|order value|payment|donation amount|card charged"),
        (7, r"(?:we(?:'ve|’ve| have)?|you(?:'ve|’ve| have)? been|has been|been|were) charged(?: a total of)?"
            r"|(?:a )?payment of|amounting to|(?:the )?amount of|donated|in the amount of"),
    ),
    subtotal=((9, r"(?:item |items |order |cart |merchandise "
                  r"|product )?sub-? ?total(?: of items)?(?: \([^)\n]{0,20}\))?|items? total|merchandise total"),),
    shipping=((9, r"shipping(?: ?(?:&|and) ?handling)?(?: ?(?:cost|fee|charge|total|costs|fees|charges))?"
                  r"|postage(?: ?(?:&|and) ?(?:packing|packaging))?|delivery(?: (?:cost|fee|charge|charges))?"
                  r"|p&p|freight"),),
    tax=((9, r"(?:estimated |sales |total |est\.? )?tax(?:es)?(?: collected| total)?|(?:includes |including "
             r"|incl\.? )?vat"
             r"(?: ?\([^)\n]{0,12}\)| (?:at )?\d{1,2}(?:\.\d)? ?%)?"
             r"|gst(?:/hst)?|hst|(?:import|customs) (?:charges|duties|fees)"),),
    discount=((9, r"(?:promo(?:tion)?(?:al)?|order|member|coupon|voucher)?\.? ?(?:discounts?|savings"
                  r"|promotion applied)|coupon|voucher|gift card(?: amount)?|promotion|promo code"),),
    delivery=(
        (10, r"(?:new |revised |updated )?(?:estimated|expected|scheduled|guaranteed|promised"
             r"|anticipated) (?:delivery|arrival)(?: (?:date|day|window|time|is|by|on))*|now expected(?: by"
             r"| on)?"
             r"|est\.? delivery|delivery estimate|delivery (?:date|day)|arrival date|estimated to arrive"
             r"|arriving(?: on| by)?|arrives(?: by| on)?|get it by"
             r"|(?:estimated|expected) (?:to (?:arrive|be delivered)|between)(?: by| on)?|(?:will|should"
             r"|to)(?: now| still)? (?:be delivered|be with you|arrive)(?: by| on| between)?"
             r"|delivers(?: on| by)?|expected (?:by|on)|due (?:to arrive|for delivery)|estimated ship and delivery"),
        (8, r"next (?:delivery )?attempt(?: on)?|arrive by"),
        (8, r"try again(?: on)?|delivering|delivery (?:on|by|between|window|slot|time)|delivered (?:by|on)|coming"
            r"|deliver(?:ing)?(?: it| your parcel| your order)?(?: on| by)?|delivery|expected|eta"),
    ),
    merchant=((9, r"merchant|sold by|seller|your seller|store|shop|sender|shipper|retailer|shipped from|from"),),
    decoys=(
        r"total (?:before|excluding|excl\.?|ex\.?|without|per|savings?|saved|discount|items?|quantity|qty|weight"
        r"|miles|points|number|units|pieces|taxes|tax|vat|distance|time|duration|nights)[^\n\t]{0,30}",
        r"(?:order )?totals? (?:over|above|exceeding|of at least|of more than|greater|must)[^\n\t]{0,20}",
        r"you (?:saved|save)|total you saved|savings|in total",
        r"order (?:date|placed|on|time|status|details|summary|history|type|by|before|again|now|today)"
        r"|ordered",
        r"delivery (?:address|to|instructions|method|option|options|preference|details|information|photo"
        r"|updates?|notification|status|partner app)",
        r"shipping (?:address|to|details|method|information|speed|preference|options?)",
        r"tracking (?:details|link|page|updates?|options?|history|events?)",
        r"payment (?:method|type|details|information|date|terms|due|status|from|to|by)|paid (?:with|by|via|using"
        r"|on)|total(?:ly)? (?:free|new)",
        r"tax (?:id|number|invoice|registration)|vat (?:number|no|id|reg(?:istration)?)[^\n\t]{0,20}",
        r"invoice (?:date|to|address|period)|receipt (?:date|for)",
        r"item(?: number| no| id| #|#)?|sku|upc|isbn|product (?:id|code|number)|part number|model (?:number|no)?",
        r"e-?ticket number|ticket number|seat(?:s)?",
        r"(?:customer|account|member(?:ship)?|phone|fax|telephone|mobile|card|frequent flyer|loyalty"
        r"|registration|company|traveler|firm reference|serial) ?(?:number|no\b|id\b|#|reference number)",
        r"discount code|promo code|coupon code|voucher code|gift card (?:number|code|balance)|amount (?:due"
        r"|owed) by|due (?:by|date)|balance(?: remaining)?",
        r"service (?:fee|charge)s?",
        r"(?:pickup|pick-up|pick up|collection|access|security|verification|delivery|door|gate) code",
        r"one[- ]time (?:password|code|passcode|pin)|password|passcode|pin",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"partial(?:ly)? cancel|(?:removed|dropped) from your order"
                                   r"|items? (?:was |were )?cancell?ed (?:from"
                                   r"|in) your order|(?:some|one|part) (?:of (?:the )?|or more )?(?:items?"
                                   r"|products?|your order)[^.\n]{0,30} (?:was|were|has been|have been"
                                   r"|had to be) cancel|items? (?:in|from) your order [^.\n]{0,30}cancel"),
        (S.CANCEL_REQUESTED, 3, r"cancel(?:l)?ation request|request(?:ed)? to cancel|cancel request"
                                r"|requested (?:the )?cancell?ation"),
        (S.CANCELLED, 3, rf"(?:{_PARCEL}|booking|reservation|subscription|ride|trip)[^.\n]{{0,60}} (?:has been "
                         rf"|have been "
                         rf"|was |were |is |been )(?:successfully )?cancell?ed|(?:order|booking"
                         rf"|reservation) cancell?(?:ation|ed)|{_NUMBERED} cancell?ed"
                         rf"|cancell?ed[:!]? (?:your )?(?:order|item)"
                         rf"|cancell?ation (?:confirmation|of your order|confirmed)|(?:we(?:'ve|’ve| have)"
                         rf"|had to) cancel(?:led|ed)? your"),
        (S.REFUNDED, 3, r"your (?:[\w&.'’-]{2,20} ){1,2}refund(?! (?:request|policy|option))"
                        r"|refund (?:receipt|confirmation)|cancell?ed and refunded|refund (?:has been |was "
                        r"|is )?(?:issued|processed|completed|confirmation|sent|approved"
                        r"|on its way|initiated)|(?:issued|processed|sent|completed) (?:you )?(?:a "
                        r"|your )(?:full |partial )?refund|your refund|(?:has|have|was|been) refunded"
                        r"|refunded to|refund notification|(?:sent you|received) a (?:full |partial )?refund"
                        r"|refund for (?:your )?order|we(?:'ve|’ve| have) refunded|refund of"),
        (S.RETURN_STARTED, 3, r"return (?:request |label )?(?:has been |was |is )?(?:received|requested|started"
                              r"|approved|confirmation|initiated|authorized|created|accepted|confirmed)"
                              r"|your return (?:of|for|label|is|request)|return (?:merchandise )?authorization"
                              r"|start(?:ed)? (?:a|your) return|we(?:'ve|’ve| have)? received your return"),
        (S.DELAYED, 3, rf"running late|(?:been )?pushed back|(?:on )?back-?order(?:ed)?\b"
                       rf"|taking (?:a (?:little|bit) )?longer"
                       rf"|will (?:be delayed|arrive later|ship later)|now expect (?:to ship|it to)|(?:has"
                       rf"|have|is|are|been|was|be|slightly|unfortunately) delayed"
                       rf"|delay(?:ed)? (?:in |of |with )?(?:your )?(?:{_PARCEL}|shipping)|(?:shipping|delivery"
                       rf"|shipment|order|package) (?:delay|delayed|exception|postponed|rescheduled)"
                       rf"|sorry for the delay|later than (?:expected|planned|originally)|delivery (?:attempt"
                       rf"|was attempted|attempted|unsuccessful)|(?:tried|attempted|unable) to deliver"
                       rf"|missed (?:you|delivery|your delivery)|couldn['’]t deliver|could not be delivered"
                       rf"|delivery failed|new (?:estimated )?delivery date|missed your parcel"),
        (S.READY_FOR_PICKUP, 3, r"order is (?:now )?ready(?! to (?:ship|be ship))|ready for you to (?:collect"
                                r"|pick)|ready (?:for|to) (?:be )?(?:pick(?:ed)?[- ]?up|collect(?:ion|ed)?)"
                                r"|available for (?:pick-?up|collection)|(?:waiting"
                                r"|ready and waiting)(?: for you)? (?:at|in)|(?:package|parcel"
                                r"|order) to (?:pick up|collect)|ready to collect|awaiting (?:collection|pickup)"
                                r"|(?:pick up|collect) your (?:package|parcel|order) (?:at|from)"
                                r"|can now be (?:picked up|collected)|is ready at"),
        (S.OUT_FOR_DELIVERY, 3, rf"out for delivery|(?:is|are|it['’]s|now) (?:now |currently )?with (?:your|the"
                                rf"|a|our) (?:local )?(?:[a-z]+ )?(?:courier|driver)|(?:handed|passed"
                                rf"|given) (?:over )?to (?:your|the|a|our) (?:local )?(?:[a-z]+ )?driver"
                                rf"|with [^.\n]{{1,30}}(?:courier|driver) for delivery|(?:coming"
                                rf"|scheduled for delivery|arriving"
                                rf"|arrives|arrive|delivering(?: it)?|delivered|due|delivery) (?:is )?today"
                                rf"|(?:be|being) delivered today|should arrive by \d|scheduled to arrive by \d"
                                rf"|(?:will be with you|deliver(?:ing)? your {_PARCEL}) today|(?:(?:is|are"
                                rf"|it['’]s) )?(?:now )?on (?:its|the|their) way to you today|(?:driver"
                                rf"|courier) is (?:nearby|on the way|on their way|close|approaching)|(?:almost"
                                rf"|nearly) (?:there|here)|(?:next|few) stops? away|on (?:the"
                                rf"|our|fedex|ups) (?:delivery )?(?:vehicle|van|truck) (?:for|today)"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL}|it|box)(?: [^.\n]{{1,60}})? {_HAD}(?:been )?delivered(?! by \w+day"
                         rf"| {_DIGITALLY})"
                         rf"|{_HAD}delivered (?!{_DIGITALLY})(?:to|at|your|in|on|an?)\b|(?:was|were) (?:delivered"
                         rf"|left|handed|posted)|delivered (?:your|:|(?!{_DIGITALLY})to your)"
                         rf"|(?:successfully|we(?:'ve|’ve| have)|has) delivered|item delivered|{_NUMBERED} delivered"
                         rf"|delivered(?: successfully)?[:!]|(?:your )?(?:order"
                         rf"|delivery|package|parcel|box) (?:is here|has arrived|arrived)|(?:it['’]s"
                         rf"|it’s) (?:here|arrived)|delivery (?:complete(?:d)?|confirmation|confirmed"
                         rf"|successful)|proof of delivery|(?:has|have) arrived|(?:was|been) dropped off"
                         rf"|successful(?:ly)? delivery|delivery (?:notification|notice)[^\n]{{0,12}}delivered"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL}|it|we)(?: [^.\n]{{1,60}})? {_HAS}(?:been )?(?:shipped|dispatched"
                       rf"|despatched|sent|handed)|{_HAS}(?:been )?(?:(?:packed|filled|processed),? (?:and )?)?"
                       rf"(?:shipped|dispatched|despatched)|(?:is|are"
                       rf"|it['’]s|its) (?:now )?on (?:its|the|their) way|shipped[:!]|dispatched[:!]|(?:shipping"
                       rf"|shipment|dispatch|despatch|ship) (?:confirmation|notification|notice|advice)|(?:has"
                       rf"|have) (?:just )?left (?:our|the|us)|on (?:its|the) way(?: to you)?[!:]?|in transit"
                       rf"|has been (?:collected|picked up|accepted|received) by|we(?:'ve|’ve"
                       rf"| have)? (?:just )?(?:shipped|dispatched|sent) |(?:handed"
                       rf"|passed) (?:over )?to (?:the )?(?:carrier|courier)|date shipped|with local carrier"
                       rf"|(?:headed|heading) (?:your way|to you)|order (?:has )?shipped|{_NUMBERED} shipped"
                       rf"|your .{{0,40}}has shipped|estimated delivery date (?:is|was) set|package is coming"
                       rf"|(?:shipping )?label (?:has been |was )?created"
                       r"|received at (?:our|the) (?:local )?(?:depot|facility|hub|sorting)"),
        (S.SHIPPED, 1, r"(?:arriving|arrives|expected|scheduled|due) (?:for delivery )?(?:tomorrow|on (?:mon"
                       r"|tues|wednes"
            r"|thurs|fri|satur|sun)day)|(?:will be|be) delivered (?:tomorrow|on )|scheduled (?:for )?delivery"
            r"|expected to be delivered|will deliver (?:your (?:parcel|package|order)|it tomorrow)"
                       r"|we(?:'ve|’ve| have)(?: got)? your (?:item|parcel|package)"
            r"|expected delivery (?:on|by|is)|delivery (?:is )?(?:scheduled|expected)"),
        (S.CONFIRMED, 2, r"(?:order|booking|reservation|purchase|payment|ticket|trip) (?:is |has been |was |now "
                         r"|#[^ \n]+ )?(?:confirm(?:ed|ation)|received|placed|complete(?:d)?|accepted|successful"
                         r"|acknowledg\w+)|thank(?:s| you)(?: very much| so much)? for (?:your |placing (?:an "
                         r"|your )?|ordering|shopping|booking|riding|subscribing|purchasing|the )?(?:recent "
                         r"|online )?(?:order|purchase|shopping|booking|payment|business|donation|riding"
                         r"|subscription|ordering)?|we(?:'ve|’ve| have)? (?:got|received) your (?:order|payment"
                         r"|booking)|order confirmation|confirmation of your (?:order|booking|purchase)|ordered:"
                         r"|you(?:'ve|’ve| have)? (?:sent a payment|submitted an order|placed an order|paid)"
                         r"|order (?:summary|acknowledg\w+)|payment status: ?(?:completed|paid)"
                         r"|booking confirmation|trip confirmation|you used your [^\n]{0,60} (?:card|account)"
                         r"|you(?:'ve|’ve| have)? (?:just )?(?:bought|purchased|authori[sz]ed a payment) "
                         r"|here (?:are|is) your (?:e-?)?tickets?"
                         r"|here(?:'s|’s) your receipt|thank(?:s| you) for (?:riding"
                         r"|your (?:recent )?(?:transaction|trip|ride))"),
        (S.CONFIRMED, 1, r"your (?:e-?)?tickets? (?:for|to|are)|you(?:['’]ve|['’]re| have)? (?:got (?:the "
                         r"|your )?tickets|going!)"
                         r"|your [^\n]{0,30}(?:order|receipt|purchase|invoice)|(?:your|e-?)(?:receipt| receipt)"
                         r"|receipt (?:for|from)|invoice|receipt|payment details|your [^\n]{0,20}(?:ride|trip)\b"
                         r"|(?:amount|total) paid"),
    ),
    whens=(r"when", r"once", r"if", r"after", r"until", r"unless", r"as soon as", r"before", r"whenever"),
    conditions=(
        r"will be", r"whether", r"may", r"might", r"should", r"can be", r"cannot",
        r"hasn['’]t|haven['’]t|isn['’]t|not", r"how to", r"to be", r"would", r"could", r"what", r"in case",
        r"policy",
    ),
    shops=(
        r"on behalf of (?P<shop>[^\n\t]{2,50}?) as they",
        r"reseller (?:for|of) (?P<shop7>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t])",
        r"your (?!recent|online|latest|pickup|pick-up|grocery|delivery|new|next|first|last|pre|upcoming"
        r"|entire)(?P<shop>[^\n\t.,:;!]{2,40}?)"
        r" (?:parcel|package|order) (?:is|has|was|will)"
        r"|(?:^|[.!] )(?!we\b|seller|the|your|it\b|he\b|she\b|they\b)(?P<shop7>[^\n\t.,:;!]{2,40}?)"
        r" has (?:dispatched|despatched|shipped|sent) your (?:order|item)"
        r"|deliver(?:ed)? your (?P<shop2>[^\n\t]{2,40}?) (?:parcel|package)",
        r"(?:order|package|parcel|item|shipment"
        r"|delivery)(?: (?:with )?(?:[a-z]{0,9} )?(?:number|no\b\.?):?)?(?: [a-z]{0,4}\d[\w-]{4,28})?"
        r" from (?P<shop3>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]"
        r"| (?:has|is|was|will|have|on|and|with|to|for|should|arrives|arriving|by|today|tomorrow|out|due)\b)",
        r"receipt (?:for your (?:purchase|payment) (?:at|to)|from) (?P<shop4>[^\n\t]{2,50}?)(?:$|[.\n\t]| ?[#(])",
        r"your (?:etsy )?(?:order|purchase) (?:with|from) (?P<shop6>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]"
        r"| (?:has|is|was|will|have|on|and)\b)",
        r"you(?:'ve|’ve| have)? (?:sent|made|submitted|authorized"
        r"|donated)[^\n]{0,60}? to (?P<shop5>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t]| using)",
    ),
    receipts=(
        r"receipt", r"invoice", r"order", r"booking", r"reservation", r"purchase", r"itinerary", r"e-?ticket",
        r"trip confirmation", r"payment", r"your (?:\w{2,12} )?ride", r"subscri(?:bing|ption)",
    ),
    not_orders=(
        ("review_request", r"(?:did (?:your|the|it|everything) [^\n?]{0,30}\?|review|rate"
                           r"|rating|feedback|tell us|how (?:was|did|were|are)|what did you think"
                           r"|share your (?:thoughts|experience)|survey|did .{0,30} meet your expectations"
                           r"|leave (?:a )?(?:review|feedback))"),
        ("abandoned_cart", r"(?:left|forgot|waiting|still|items?|something) [^\n]{0,25}(?:in"
                           r"|your) (?:your )?(?:shopping )?(?:cart|basket|bag)|your (?:cart|basket|bag)"
                           r"|complete your (?:order|purchase|checkout)|still (?:thinking|interested)"
                           r"|checkout is waiting"),
        ("wish_list", r"wish ?list|saved items?|price drop|back in stock|watch(?:ed|ing) items?"
                      r"|recommended for you|you might (?:also )?like"),
        ("money_received", r"(?:you(?:'ve|’ve| have)?|you just) (?:got|received)(?: an?)? (?:payment|money|\$|€"
                           r"|£)|payment received from|notification of payment received|sent you (?:\$|€|£"
                           r"|money)|(?:item|order) (?:has |was )?sold|you (?:made|have) (?:a|the|an?other) sale"
                           r"|sold!|you(?:'ve|’ve| have)? been paid|payout|ship your item|new order from"
                           r"|order [^\n]{1,30} placed by"),
        ("promotion", r"\d ?%? off (?:your|any|every|all|the next)|(?:off|on|for|with) your (?:next|first) (?:order"
                      r"|purchase|ride|trip|booking|stay|delivery|box)"),
        ("loyalty", r"earned [^\n]{0,20}points|points (?:earned|balance|expire)|\d points"),
        ("digest", r"(?:daily|weekly|monthly) digest|informed delivery|digest\b|mail (?:was "
                   r"|has been )?delivered|your mail"),
        ("social", r"replied to|commented on|mentioned you|(?:liked|shared) your|new (?:comment|reply|follower)"),
        ("marketing", r"\d{1,2} ?% off|up to \d{1,2} ?%|\bsale\b|\bdeals?\b|newsletter|free shipping (?:on|over"
                      r"|ends)|\boffers?\b|promo(?:tion)? code|last chance|limited time|black friday"
                      r"|cyber monday|exclusive|new arrivals|coupons?|don['’]t miss|save \$?\d+|rewards? points"
                      r"|gift guide|shop now|earn \d"),
        ("one_time_code", r"(?:verification|security|confirmation|login|sign[- ]in|access|authentication"
                          r"|one[- ]time) (?:code|passcode|password|pin)|verify your (?:email|account|identity)"
                          r"|confirm your (?:email|account)|reset (?:your )?password|password (?:reset|changed)"
                          r"|new (?:sign|log)[- ]?in|sign-in attempt"),
        ("account_notice", r"welcome to|account (?:has been|was|is) (?:created|updated|suspended|locked|limited)"
                           r"|your account|privacy policy|terms of (?:service|use)|payment (?:failed|declined"
                           r"|method)|card (?:was )?declined|expir(?:es|ing|ed)|trial (?:ends|ending|expires)"
                           r"|activate"),
        ("bank_notice", r"(?:bank|account) statement|direct deposit|deposit (?:received|confirmation)"
                        r"|wire transfer|account alert|low balance|transaction alert|available balance"),
    ),
)  # fmt: skip
