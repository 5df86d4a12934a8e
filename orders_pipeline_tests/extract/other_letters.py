"""Letters between people, from banks and other services, that speak of orders and are none. Written for these tests.

Belongs here: data, as in not_order_letters. Not here: assertions.
"""

from __future__ import annotations

OTHER_LETTERS: tuple[tuple[str, str, str, str], ...] = (
    (
        "bank1",
        "First Bank Alerts <alerts@firstbank.com>",
        "You made a $45.00 purchase with your card",
        "You made a purchase of $45.00 at HARBOUR BOOKS on May 11, 2026.\nCard ending in 1234\nAmount: "
        "$45.00\nTransaction ID: 998877665544",
    ),
    (
        "bank2",
        "Banco Sol <notificaciones@bancosol.com.mx>",
        "Compra con tu tarjeta",
        "Realizaste una compra por $450.00 en TIENDA SOL.\nFolio de la operación: 12345678\nImporte: $450.00",
    ),
    (
        "bank3",
        "Volksbank <service@volksbank-musterstadt.de>",
        "Umsatzbenachrichtigung",
        "Abbuchung von 45,00 EUR an Harbour Books. Buchungsnummer: 12345678. Betrag: 45,00 EUR. Kontostand: "
        "1.200,00 EUR",
    ),
    (
        "bank4",
        "Cardbank <alerts@cardbank.example>",
        "Your $45.00 transaction with HARBOUR BOOKS",
        "You made a $45.00 transaction\nAccount\tCardbank Freedom (...1234)\nDate\tMay 11, 2026\nMerchant\t"
        "HARBOUR BOOKS\nAmount\t$45.00",
    ),
    (
        "policy",
        "Ann <ann@company.com>",
        "purchase order 4500012345",
        "Hi Bob, please find the purchase order number 4500012345, total $12,000.00 for approval. Thanks, Ann",
    ),
    (
        "ticket",
        "Support <support@saas.com>",
        "[Ticket #123456] Your request has been received",
        "Your request (#123456) has been received and is being reviewed. Reference number: 123456",
    ),
    (
        "ship_news",
        "UPS <pkginfo@ups.com>",
        "UPS My Choice: new features",
        "Track your packages with ease. Delivery alerts and more.",
    ),
    (
        "survey_after",
        "USPS <donotreply@usps.com>",
        "How did we do delivering your package?",
        "Tell us about your recent delivery. Tracking number 9400111899223100001234",
    ),
    (
        "trial",
        "Streamly <info@streamly.com>",
        "Your free trial ends soon",
        "Your subscription will renew on May 20 for $9.99. Total: $9.99/month",
    ),
    (
        "payment_failed",
        "Streamly <info@streamly.com>",
        "Payment failed",
        "We could not process your payment of $9.99. Update your payment method. Invoice INV-1234. Amount due: $9.99",
    ),
    (
        "friend",
        "service@paypal.com <service@paypal.com>",
        "You've got money",
        "Ann sent you $20.00 USD\nTransaction ID\n7AB12345CD678901E\nAmount received $20.00 USD",
    ),
    (
        "cal",
        "Calendar <calendar-notification@google.com>",
        "Reminder: pick up order @ Mon",
        "Pick up order number 12345 at store",
    ),
    (
        "job",
        "HR <hr@corp.com>",
        "Your application has been received",
        "Thank you for your application. Reference number: 20260511-77. Your application is confirmed.",
    ),
    (
        "order_q",
        "Bob <bob@gmail.com>",
        "order",
        "Hi, my order number is 123456 and total was $50, it has not been delivered. Tracking number "
        "1Z12345E0205271688",
    ),
    (
        "review_amz",
        "Amazon.com <marketplace-messages@amazon.com>",
        "Sam, did 'Bird Feeder' meet your expectations? Review it on Amazon",
        "Order #111-2223334-5556667 was delivered. Write a review",
    ),
    (
        "ebay_watch",
        "eBay <ebay@ebay.com>",
        "An item you're watching is ending soon",
        "Brass Key Ring $4.00. Est. delivery Mon, May 18. Item number: 123456789012",
    ),
    (
        "unpaid",
        "Energy Co <bill@energyco.com>",
        "Your electricity bill is ready",
        "Account number 123456789\nAmount due: $120.00\nDue date: June 1, 2026",
    ),
)
