"""English labels and phrases."""

# ruff: noqa: E501

from orders_pipeline.extract.label_tables.table import LabelTable
from orders_pipeline.models import OrderStatus as S

_NO = r"(?: ?#| ?(?:numbers?|num\b|nr\b|no\b|id\b|code|ref(?:erence)?\b)(?: (?:number|no|code|id)\b)?)"
_PARCEL = r"(?:packages?|parcels?|shipments?|deliver(?:y|ies)|items?|orders?|purchase)"
_HAS = r"(?:(?:has|have) (?:now |just |been )?(?:successfully )?(?:been )?|(?:is|are|was|were) (?:now |just )?(?:successfully )?(?:being )?)"

TABLE = LabelTable(
    language="en",
    hints=("order", "package", "parcel", "shipment", "delivery", "receipt", "invoice", "booking", "total", "tracking", "delivered",
           "purchase", "payment", "reservation", "confirmation", "refund", "return", "cancel", "shipped"),
    order_number=(
        (10, rf"(?:sales |web |online |purchase |your |customer )?order(?: confirmation)?{_NO}"),
        (10, rf"order confirmation{_NO}"),
        (9, rf"purchase{_NO}"),
        (8, rf"(?:booking|reservation|itinerary|trip|rental|pickup order){_NO}"),
        (7, rf"confirmation{_NO}"),
        (7, r"record locator|pnr|booking reference|reservation"),
        (6, rf"receipt{_NO}"),
        (5, rf"(?:invoice|bill|statement){_NO}"),
        (5, rf"transaction{_NO}"),
        (5, rf"payment{_NO}"),
        (3, r"reference(?: number| no| id|#)?|document(?: number| no| id|#)?"),
    ),
    order_word=((8, r"orders?"), (5, r"invoice"), (5, r"receipt"), (4, r"booking")),
    tracking_number=(
        (10, rf"tracking{_NO}|tracking\(s\)|tracking information"),
        (9, rf"(?:shipment|parcel|package|consignment|waybill|air waybill|awb|delivery){_NO}|track(?:ing)? (?:your )?(?:order|parcel|package)? ?with"),
        (7, r"tracking|track(?: it| your package| your order| package)? (?:at|using|with)"),
        (5, r"(?:your )?(?:package|parcel|shipment)"),
    ),
    carrier=(
        (9, r"carrier|courier|shipping carrier|delivery partner|shipped with|shipped via|ship via|shipping company|delivered by|delivery company|shipped by"),
        (5, r"(?:shipping|delivery) (?:method|service)|service"),
    ),
    total=(
        (10, r"(?:order |invoice |your )?grand total|order total|total for (?:this|your) order|total order(?: amount| value)?|total (?:amount )?paid|amount paid"
             r"|total (?:amount )?charged|(?:total )?payment (?:total|amount)|total amount|total cost|total price|total \((?:usd|eur|gbp|incl[^)\n]{0,20})\)"
             r"|invoice total|total inc(?:l|luding)?\.? (?:vat|tax|gst)|trip total|booking total|purchase total|total to pay|you paid|total payment|total fare|amount charged"),
        (9, r"total"),
        (7, r"(?:(?:credit |debit )?card |paid with |charged to )?(?:visa|mastercard|master card|american express|amex|discover|paypal(?: balance| account)?|apple pay|google pay|venmo(?: account)?)"),
        (8, r"paid|charged|you(?:'ve|’ve| have)? paid|amount due|total due|balance due|amount(?: billed)?|order amount|order value|payment|donation amount|card charged"),
        (7, r"(?:we(?:'ve|’ve| have)?|you(?:'ve|’ve| have)? been|has been|been|were) charged(?: a total of)?|(?:a )?payment of|amounting to|(?:the )?amount of|donated|in the amount of"),
    ),
    subtotal=((9, r"(?:item |items |order |cart |merchandise |product )?sub-? ?total(?: of items)?(?: \([^)\n]{0,20}\))?|items? total|merchandise total"),),
    shipping=((9, r"shipping(?: ?(?:&|and) ?handling)?(?: ?(?:cost|fee|charge|total|costs|fees|charges))?|postage(?: ?(?:&|and) ?(?:packing|packaging))?|delivery(?: (?:cost|fee|charge|charges))?|p&p|freight"),),
    tax=((9, r"(?:estimated |sales |total |est\.? )?tax(?:es)?(?: collected| total)?|vat(?: \([^)\n]{0,12}\))?|gst(?:/hst)?|hst|(?:import|customs) (?:charges|duties|fees)"),),
    discount=((9, r"(?:promo(?:tion)?(?:al)?|order|member|coupon|voucher)?\.? ?(?:discounts?|savings|promotion applied)|coupon|voucher|gift card(?: amount)?|promotion|promo code"),),
    delivery=(
        (10, r"(?:new |revised |updated )?(?:estimated|expected|scheduled|guaranteed|promised|anticipated) (?:delivery|arrival)(?: (?:date|day|window|time|is|by|on))*|now expected(?: by| on)?"
             r"|est\.? delivery|delivery estimate|delivery (?:date|day)|arrival date|estimated to arrive|arriving(?: on| by)?|arrives(?: by| on)?|get it by"
             r"|(?:estimated|expected) (?:to (?:arrive|be delivered)|between)(?: by| on)?|(?:will|should|to) (?:be delivered|arrive)(?: by| on| between)?"
             r"|expected (?:by|on)|due (?:to arrive|for delivery)|estimated ship and delivery"),
        (8, r"delivering|delivery (?:on|by|between|window|slot|time)|delivered (?:by|on)|coming|deliver(?:ing)?(?: it| your parcel| your order)?(?: on| by)?|delivery"),
    ),
    merchant=((9, r"merchant|sold by|seller|your seller|store|shop|sender|shipper|retailer|shipped from|from"),),
    decoys=(
        r"total (?:before|excluding|excl\.?|ex\.?|without|per|savings?|saved|discount|items?|quantity|qty|weight|miles|points|number|units|pieces|taxes|tax|vat|distance|time|duration|nights)[^\n\t]{0,30}",
        r"you (?:saved|save)|total you saved|savings|in total", r"order (?:date|placed|on|time|status|details|summary|history|type|by|before|again|now|today)|ordered",
        r"delivery (?:address|to|instructions|method|option|options|preference|details|information|photo|updates?|notification|status|partner app)",
        r"shipping (?:address|to|details|method|information|speed|preference|options?)", r"tracking (?:details|link|page|updates?|options?|history|events?)",
        r"payment (?:method|type|details|information|date|terms|due|status|from|to|by)|paid (?:with|by|via|using|on)|total(?:ly)? (?:free|new)",
        r"tax (?:id|number|invoice|registration)|vat (?:number|no|id|reg(?:istration)?)[^\n\t]{0,20}", r"invoice (?:date|to|address|period)|receipt (?:date|for)",
        r"item(?: number| no| id| #|#)?|sku|upc|isbn|product (?:id|code|number)|part number|model (?:number|no)?", r"e-?ticket number|ticket number|seat(?:s)?",
        r"(?:customer|account|member(?:ship)?|phone|fax|telephone|mobile|card|frequent flyer|loyalty|registration|company|traveler|firm reference|serial) ?(?:number|no\b|id\b|#|reference number)",
        r"discount code|promo code|coupon code|voucher code|gift card (?:number|code|balance)|amount (?:due|owed) by|due (?:by|date)|balance(?: remaining)?",
        r"service (?:fee|charge)s?", r"(?:pickup|pick-up|pick up|collection|access|security|verification|confirmation) code|one[- ]time (?:password|code|passcode|pin)|password|passcode|pin",
    ),
    statuses=(
        (S.PARTIALLY_CANCELLED, 3, r"partial(?:ly)? cancel|(?:some|one|part) (?:of (?:the )?|or more )?(?:items?|products?|your order)[^.\n]{0,30} (?:was|were|has been|have been|had to be) cancel|items? (?:in|from) your order [^.\n]{0,30}cancel"),
        (S.CANCEL_REQUESTED, 3, r"cancel(?:l)?ation request|request(?:ed)? to cancel|cancel request|requested (?:the )?cancell?ation"),
        (S.CANCELLED, 3, rf"(?:{_PARCEL}|booking|reservation|subscription)[^.\n]{{0,60}} (?:has been |have been |was |were |is |been )(?:successfully )?cancell?ed|(?:order|booking|reservation) cancell?(?:ation|ed)|cancell?ed[:!]? (?:your )?(?:order|item)|cancell?ation (?:confirmation|of your order|confirmed)|(?:we(?:'ve|’ve| have)|had to) cancel(?:led|ed)? your"),
        (S.REFUNDED, 3, r"refund (?:has been |was |is )?(?:issued|processed|completed|confirmation|sent|approved|on its way|initiated)|(?:issued|processed|sent|completed) (?:you )?(?:a |your )(?:full |partial )?refund|your refund|(?:has|have|was|been) refunded|refunded to|refund for (?:your )?order|we(?:'ve|’ve| have) refunded|refund of"),
        (S.RETURN_STARTED, 3, r"return (?:request |label )?(?:has been |was |is )?(?:received|requested|started|approved|confirmation|initiated|authorized|created|accepted|confirmed)|your return (?:of|for|label|is|request)|return (?:merchandise )?authorization|start(?:ed)? (?:a|your) return|we(?:'ve|’ve| have)? received your return"),
        (S.DELAYED, 3, rf"running late|(?:has|have|is|are|been|was|be|slightly|unfortunately) delayed|delay(?:ed)? (?:in |of |with )?(?:your )?(?:{_PARCEL}|shipping)|(?:shipping|delivery|shipment|order|package) (?:delay|delayed|exception|postponed|rescheduled)|sorry for the delay|later than (?:expected|planned|originally)|delivery (?:attempt|was attempted|attempted|unsuccessful)|(?:tried|attempted|unable) to deliver|missed (?:you|delivery|your delivery)|couldn['’]t deliver|could not be delivered|delivery failed|new (?:estimated )?delivery date|missed your parcel"),
        (S.READY_FOR_PICKUP, 3, r"ready (?:for|to) (?:be )?(?:pick(?:ed)?[- ]?up|collect(?:ion|ed)?)|available for (?:pick-?up|collection)|(?:waiting|ready and waiting)(?: for you)? (?:at|in)|(?:package|parcel|order) to (?:pick up|collect)|ready to collect|awaiting (?:collection|pickup)|(?:pick up|collect) your (?:package|parcel|order) (?:at|from)|can now be (?:picked up|collected)|is ready at"),
        (S.OUT_FOR_DELIVERY, 3, rf"out for delivery|(?:is|are|it['’]s|now) (?:now |currently )?with (?:your|the|a|our) (?:local )?(?:[a-z]+ )?(?:courier|driver)|(?:handed|passed|given) (?:over )?to (?:your|the|a|our) (?:local )?(?:[a-z]+ )?driver|with [^.\n]{{1,30}}(?:courier|driver) for delivery|(?:coming|arriving|arrives|arrive|delivering(?: it)?|delivered|due|delivery) (?:is )?today|(?:be|being) delivered today|should arrive by \d|scheduled to arrive by \d|(?:will be with you|deliver(?:ing)? your {_PARCEL}) today|(?:(?:is|are|it['’]s) )?(?:now )?on (?:its|the|their) way to you today|(?:driver|courier) is (?:nearby|on the way|on their way|close|approaching)|(?:almost|nearly) (?:there|here)|(?:next|few) stops? away|on (?:the|our) (?:delivery )?(?:vehicle|van|truck) (?:for|today)"),
        (S.DELIVERED, 3, rf"(?:{_PARCEL}|it|box)(?: [^.\n]{{1,60}})? {_HAS}(?:been )?delivered(?! by \w+day)|{_HAS}delivered (?:to|at|your|in|on|an?)\b|(?:was|were) (?:delivered|left|handed|posted)|delivered (?:your|:|to your)|(?:successfully|we(?:'ve|’ve| have)|has) delivered|item delivered|delivered(?: successfully)?[:!]|(?:your )?(?:order|delivery|package|parcel|box) (?:is here|has arrived|arrived)|(?:it['’]s|it’s) (?:here|arrived)|delivery (?:complete(?:d)?|confirmation|confirmed|successful)|proof of delivery|(?:has|have) arrived|(?:was|been) dropped off|successful(?:ly)? delivery|delivery (?:notification|notice)[^\n]{{0,12}}delivered"),
        (S.SHIPPED, 3, rf"(?:{_PARCEL}|it|we)(?: [^.\n]{{1,60}})? {_HAS}(?:been )?(?:shipped|dispatched|despatched|sent|handed)|{_HAS}(?:been )?(?:shipped|dispatched|despatched)|(?:is|are|it['’]s|its) (?:now )?on (?:its|the|their) way|shipped[:!]|dispatched[:!]|(?:shipping|shipment|dispatch|despatch) (?:confirmation|notification|notice|advice)|(?:has|have) (?:just )?left (?:our|the|us)|on (?:its|the) way(?: to you)?[!:]?|in transit|has been (?:collected|picked up|accepted|received) by|we(?:'ve|’ve| have)? (?:just )?(?:shipped|dispatched|sent) |(?:handed|passed) (?:over )?to (?:the )?(?:carrier|courier)|date shipped|with local carrier|(?:headed|heading) (?:your way|to you)|order (?:has )?shipped|your .{{0,40}}has shipped|estimated delivery date (?:is|was) set|package is coming"),
        (S.CONFIRMED, 2, r"(?:order|booking|reservation|purchase|payment|ticket|trip) (?:is |has been |was |now |#\S+ )?(?:confirm(?:ed|ation)|received|placed|complete(?:d)?|accepted|successful|acknowledg\w+)|thank(?:s| you)(?: very much| so much)? for (?:your |placing (?:an |your )?|ordering|shopping|booking|riding|subscribing|purchasing|the )?(?:recent |online )?(?:order|purchase|shopping|booking|payment|business|donation|riding|subscription|ordering)?|we(?:'ve|’ve| have)? (?:got|received) your (?:order|payment|booking)|order confirmation|confirmation of your (?:order|booking|purchase)|ordered:|you(?:'ve|’ve| have)? (?:sent a payment|submitted an order|placed an order|paid)|order (?:summary|acknowledg\w+)|payment status: ?(?:completed|paid)|booking confirmation|trip confirmation|you used your [^\n]{0,60} (?:card|account)|here(?:'s|’s) your receipt"),
        (S.CONFIRMED, 1, r"your [^\n]{0,30}(?:order|receipt|purchase|invoice)|(?:your|e-?)(?:receipt| receipt)|receipt (?:for|from)|invoice|receipt|payment details|your ride|(?:amount|total) paid"),
    ),
    whens=(r"when", r"once", r"if", r"after", r"until", r"unless", r"as soon as", r"before", r"whenever"),
    conditions=(r"will be", r"whether", r"may", r"might", r"should", r"can be", r"cannot",
                r"hasn['’]t|haven['’]t|isn['’]t|not", r"how to", r"to be", r"would", r"could", r"what", r"in case", r"policy"),
    shops=(
        r"on behalf of (?P<shop>[^\n\t]{2,50}?) as they",
        r"your (?P<shop>[^\n\t]{2,40}?) (?:parcel|package) (?:is|has|was|will)|delivered your (?P<shop2>[^\n\t]{2,40}?) (?:parcel|package)",
        r"(?:order|package|parcel|shipment|delivery) from (?P<shop3>[^\n\t.,:;!(]{2,50}?)(?:$|[.,:;!(\n\t]| (?:has|is|was|will|have|on|and|with|to|for)\b)",
        r"receipt for your (?:purchase|payment) (?:at|to) (?P<shop4>[^\n\t]{2,50}?)(?:$|[.\n\t])",
        r"you(?:'ve|’ve| have)? (?:sent|made|submitted|authorized|donated)[^\n]{0,60}? to (?P<shop5>[^\n\t(@]{2,60}?)(?: ?\(|$|[\n\t]| using)",
    ),
    receipts=(r"receipt", r"invoice", r"order", r"booking", r"reservation", r"purchase", r"itinerary", r"e-?ticket", r"trip confirmation", r"payment", r"your ride", r"subscri(?:bing|ption)"),
    not_orders=(
        ("review_request", r"(?:review|rate|rating|feedback|tell us|how (?:was|did|were|are)|what did you think|share your (?:thoughts|experience)|survey|did .{0,30} meet your expectations|leave (?:a )?(?:review|feedback))"),
        ("abandoned_cart", r"(?:left|forgot|waiting|still|items?|something) [^\n]{0,25}(?:in|your) (?:your )?(?:shopping )?(?:cart|basket|bag)|your (?:cart|basket|bag)|complete your (?:order|purchase|checkout)|still (?:thinking|interested)|checkout is waiting"),
        ("wish_list", r"wish ?list|saved items?|price drop|back in stock|watch(?:ed|ing) items?|recommended for you|you might (?:also )?like"),
        ("money_received", r"(?:you(?:'ve|’ve| have)?|you just) (?:got|received)(?: an?)? (?:payment|money|\$|€|£)|payment received from|notification of payment received|sent you (?:\$|€|£|money)|(?:item|order) (?:has |was )?sold|you (?:made|have) (?:a|the|an?other) sale|sold!|you(?:'ve|’ve| have)? been paid|payout|ship your item|new order from"),
        ("digest", r"(?:daily|weekly|monthly) digest|informed delivery|digest\b|mail (?:was |has been )?delivered|your mail"),
        ("marketing", r"\d{1,2} ?% off|up to \d{1,2} ?%|\bsale\b|\bdeals?\b|newsletter|free shipping (?:on|over|ends)|\boffers?\b|promo(?:tion)? code|last chance|limited time|black friday|cyber monday|exclusive|new arrivals|coupons?|don['’]t miss|save \$?\d+|rewards? points|gift guide|shop now|earn \d"),
        ("one_time_code", r"(?:verification|security|confirmation|login|sign[- ]in|access|authentication|one[- ]time) (?:code|passcode|password|pin)|verify your (?:email|account|identity)|confirm your (?:email|account)|reset (?:your )?password|password (?:reset|changed)|new (?:sign|log)[- ]?in|sign-in attempt"),
        ("account_notice", r"welcome to|account (?:has been|was|is) (?:created|updated|suspended|locked|limited)|your account|privacy policy|terms of (?:service|use)|payment (?:failed|declined|method)|card (?:was )?declined|expir(?:es|ing|ed)|trial (?:ends|ending|expires)|activate"),
        ("bank_notice", r"(?:bank|account) statement|direct deposit|deposit (?:received|confirmation)|wire transfer|account alert|low balance|transaction alert|available balance"),
    ),
)  # fmt: skip
