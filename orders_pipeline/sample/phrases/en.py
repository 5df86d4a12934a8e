"""English order and parcel mail. Only sentences belong here."""

from orders_pipeline.models import OrderStatus as S
from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling

ENGLISH = Phrases(
    language="en",
    colon=":",
    hello=("Hello {name},", "Hi {name}!"),
    bye=("Thank you for shopping with us. Your team at {shop}", "See you soon, {shop}"),
    small_print="Questions? Just reply to this message. You receive it because you placed an order with us.",
    parcel_of="This is parcel {n} of {count}; the rest travels separately.",
    pickup_point="Pick-up point: Kiosk at the Old Mill, open until 20:00. Please bring an identity card.",
    sender="Sender",
    labels=(
        Labels(
            order_number="Order number",
            order_date="Order date",
            item="Item",
            quantity="Qty",
            price="Price",
            subtotal="Subtotal",
            shipping="Shipping",
            free="Free",
            discount="Discount",
            tax_included="Includes VAT ({rate} %)",
            tax_added="Sales tax ({rate} %)",
            total="Order total",
            refund="Refund amount",
            tracking="Tracking number",
            carrier="Carrier",
            expected="Estimated delivery",
            address="Delivery address",
            payment="Payment method",
            paid_by="Card ending 0042",
            view="View your order",
            track="Track your parcel",
        ),
        Labels(
            order_number="Order #",
            order_date="Placed on",
            item="Product",
            quantity="Quantity",
            price="Amount",
            subtotal="Items subtotal",
            shipping="Shipping & handling",
            free="Free",
            discount="Promotion applied",
            tax_included="Tax included ({rate} %)",
            tax_added="Estimated tax ({rate} %)",
            total="Total",
            refund="Refund total",
            tracking="Tracking #",
            carrier="Shipped with",
            expected="Arriving by",
            address="Ship to",
            payment="Paid with",
            paid_by="Card ending 0042",
            view="Order details",
            track="Track shipment",
        ),
    ),
    shop={
        S.CONFIRMED: (
            Telling(
                "Your {shop} order {number} is confirmed",
                "Thank you for your order. We have received it and are getting it ready. Here is your summary.",
            ),
            Telling("Thanks for your order!", "We've got your order and will email you again when it ships."),
        ),
        S.SHIPPED: (
            Telling("Your order {number} has been dispatched", "Good news: your order has left our warehouse."),
            Telling("Your package is on its way", "Your order has shipped. Follow its journey below."),
        ),
        S.OUT_FOR_DELIVERY: (
            Telling("Out for delivery: order {number}", "Your parcel is out for delivery and arrives today."),
            Telling("Arriving today: order #{number}", "Your package is out for delivery today."),
        ),
        S.READY_FOR_PICKUP: (
            Telling("Order {number} is ready for pick-up", "Your order is ready to be collected."),
            Telling("Ready for pickup: #{number}", "Your order is ready for pickup."),
        ),
        S.DELAYED: (
            Telling("Your order {number} is delayed", "We are sorry: your delivery will arrive later than planned."),
            Telling("Delivery update for #{number}", "Your package is running late. Here is the new date."),
        ),
        S.DELIVERED: (
            Telling("Your order {number} has been delivered", "Your parcel was delivered today. Enjoy!"),
            Telling("Delivered: your order #{number}", "Your package was delivered. It was left with a neighbour."),
        ),
        S.CANCELLED: (
            Telling(
                "Your order {number} has been cancelled",
                "Your order has been cancelled. Nothing will be charged to your account.",
            ),
            Telling("Order #{number} was canceled", "Your order was canceled. You have not been charged."),
        ),
        S.REFUNDED: (
            Telling(
                "Refund for your order {number}",
                "Your return has arrived and we have refunded you. It takes up to five working days to show.",
            ),
            Telling("We've issued your refund (#{number})", "We've refunded your order to the original card."),
        ),
    },
    carrier={
        S.OUT_FOR_DELIVERY: Telling(
            "Your parcel from {shop} arrives today", "Your parcel is out for delivery and will reach you today."
        ),
        S.READY_FOR_PICKUP: Telling(
            "Parcel {tracking} is ready for collection", "Your parcel is ready for pick-up and kept for seven days."
        ),
        S.DELAYED: Telling(
            "Delay of your parcel {tracking}", "Your parcel is delayed. We now expect to deliver it on {day}."
        ),
        S.DELIVERED: Telling("Your parcel has been delivered", "We have delivered your parcel from {shop}."),
    },
)
