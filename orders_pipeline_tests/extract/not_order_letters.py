"""Letters that speak of orders and are none, written for these tests. Each is (name, From, subject, lines).

Belongs here: data. Not here: assertions.
"""

from __future__ import annotations

NOT_ORDERS: tuple[tuple[str, str, str, str], ...] = (
    (
        "newsletter",
        "Fjordwool <news@fjordwool.example>",
        "Spring sale: up to 40 % off",
        "Order now and get free shipping. Total savings: $20.00. Use code SPRING at checkout. Your order ships today.",
    ),
    (
        "review_request",
        "Fjordwool <store@fjordwool.example>",
        "How was your order #FW1042?",
        "Order #FW1042 was delivered on May 9. Leave a review and tell us what you think. Total: $83.80",
    ),
    (
        "abandoned_cart",
        "Fjordwool <store@fjordwool.example>",
        "You left something in your cart",
        "Merino Scarf\t$29.00\nSubtotal\t$29.00\nTotal\t$29.00\nComplete your order",
    ),
    (
        "wish_list",
        "Fjordwool <store@fjordwool.example>",
        "Back in stock: an item on your wish list",
        "Merino Scarf\t$29.00\nOrder today, delivery tomorrow.",
    ),
    (
        "one_time_code",
        "Amazon.com <account-update@amazon.com>",
        "Your verification code",
        "Your one-time password is 482913. Do not share it. If you did not request this code, your order is safe.",
    ),
    (
        "bank_notice",
        "My Bank <alerts@mybank.example>",
        "Account statement available",
        "Transaction number: 123456789\nAmount: $45.00\nA payment of $45.00 was made to Harbour Books. Your "
        "available balance is $1,200.00.",
    ),
    (
        "bounce",
        "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        "Delivery Status Notification (Failure)",
        "Your message was not delivered. Order #FW1042 Total: $83.80 Tracking number: 1Z12345E0205271688",
    ),
    (
        "phish_parcel_fee",
        "DHL Express <info@mailer.parcel-center.example>",
        "Your package is on hold",
        "Your package 00340434123456789012 is on hold. Please pay the customs fee of 1,99 EUR to release "
        "it.\nTracking number: 00340434123456789012\nhttps://parcel-center.example/pay",
    ),
    (
        "phish_shop",
        "Amazon <security@account-alerts.example>",
        "Your Amazon order #112-1234567-7654321 has been shipped",
        "Order total: $999.00\nIf you did not authorize this order, verify your account at "
        "https://account-alerts.example/login",
    ),
    (
        "callback_scam",
        "Billing <billing@docs.example>",
        "Order Confirmation #88-1234567",
        "Thank you for your order. Norton 360 subscription has been renewed.\nOrder Number: 88-1234567\n"
        "Total: $349.99\nTo cancel or get a refund call our support team +1 (888) 555-0100.",
    ),
    (
        "discussion",
        "A Reader <reader@lists.example>",
        "Re: ordering parts",
        "I got my order number 123456 last week, total was $12.00. Anyone else waiting for delivery?",
    ),
    (
        "seller_side",
        "eBay <ebay@ebay.com>",
        "You made the sale for Brass Key Ring",
        "Your buyer paid. Order number: 12-34567-89012\nOrder total: $10.00\nShip your item",
    ),
    (
        "password",
        "Fjordwool <store@fjordwool.example>",
        "Reset your password",
        "You asked to reset the password of your account. Your orders are safe.",
    ),
    (
        "digest",
        "USPS Informed Delivery <usps@informeddelivery.usps.com>",
        "Your Daily Digest for Mon, 5/11 is ready to view",
        "Mail pieces arriving today. Packages: 1. Tracking number 9400100000000000000000",
    ),
    (
        "privacy",
        "Fjordwool <store@fjordwool.example>",
        "We updated our terms of service",
        "Orders, delivery and refunds: what changes. A refund has been issued to customers whose order was cancelled.",
    ),
    (
        "phish_waiting_parcel",
        "UPS Delivery Notification <info@8842-track.example>",
        "Your parcel is waiting",
        "Your package is waiting for delivery. Tracking number: 1Z12345E0205271688\nPlease confirm your address.\n"
        "https://8842-track.example/r?x=1",
    ),
    (
        "phish_correios",
        "Correios <aviso@rastreio-br.example>",
        "Sua encomenda foi tributada",
        "Seu pedido foi enviado. Código de rastreio: AB123456789BR\nRegularize seu pagamento: taxa de "
        "importação R$ 38,20.",
    ),
    (
        "phish_de_customs",
        "Paketdienst <service@zoll-paket.example>",
        "Ihr Paket konnte nicht zugestellt werden",
        "Sendungsnummer: 00340434123456789012\nBitte zahlen Sie die ausstehende Gebühr von 2,99 EUR.\n"
        "Zollgebühren offen.",
    ),
    (
        "phish_invoice_attached",
        "Accounts <accounts@random-host.example>",
        "Invoice 88123 for your order",
        "Order number: 88123\nTotal: $1,250.00\nThank you for your order. Call toll-free 1-888-555-0142 to "
        "cancel your PayPal payment.",
    ),
    (
        "prize",
        "Walmart Rewards <win@lucky-draw.example>",
        "Your order is confirmed: claim your reward",
        "You have been selected! Order number: 4455667\nTotal: $0.00\nShipping: $4.95\nClaim your reward today.",
    ),
    (
        "phish_fr_parcel",
        "Chronopost <suivi@livraison-info.example>",
        "Votre colis est en attente",
        "Numéro de suivi : XY123456789FR\nVotre colis est retenu. Veuillez régler les frais de livraison de 1,95 €.",
    ),
    (
        "phish_ja_account",
        "Amazon <info@mail-update.example>",
        "Amazonご注文の確認 503-1234567-7654321",
        "ご注文番号: 503-1234567-7654321\n合計: 98,000円\n"
        "お支払い方法の更新が必要です。24時間以内にアカウントを確認してください。",
    ),
)
