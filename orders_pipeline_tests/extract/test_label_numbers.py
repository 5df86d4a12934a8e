"""Numbers behind their labels: what belongs to which, and what is none."""

from __future__ import annotations

from orders_pipeline_tests.extract.mails import mail, only_order

SHOP = "Fjordwool <orders@fjordwool.example>"


def test_every_number_of_a_list_is_read() -> None:
    """The second parcel of a shipment is never seen."""
    order = only_order(
        mail(
            SHOP,
            "【Fjordwool】商品発送のお知らせ",
            "ご注文番号:FW-7781\nお問い合わせ番号:5678-1234-0001、5678-1234-0002",
        )
    )
    assert order.tracking_numbers == ("5678-1234-0001", "5678-1234-0002")


def test_a_reference_at_the_head_of_a_list_of_goods_is_no_order() -> None:
    """The number of the first article becomes the number of the order."""
    lines = "Merci pour votre commande\nRéférence\tProduit\tPrix total\nSV-12\tSavon\t6,50 €\nTotal payé\t6,50 €"
    assert only_order(mail(SHOP, "Confirmation de commande", lines)).order_number is None


def test_nine_letters_that_spell_no_word_are_an_order_number() -> None:
    """A widespread shop system numbers its orders with letters alone: none of them is found."""
    order = only_order(mail(SHOP, "Confirmation de commande", "Commande : XKBQNATJK\nTotal payé : 6,50 €"))
    assert order.order_number == "XKBQNATJK"


def test_a_word_in_capitals_is_no_order_number() -> None:
    """'Commande : CONFIRMEE' becomes an order of that name."""
    order = only_order(mail(SHOP, "Confirmation de commande", "Commande : CONFIRMEE\nTotal payé : 6,50 €"))
    assert order.order_number is None


def test_a_parcels_number_is_no_order_number_whatever_the_carrier_calls_it() -> None:
    """Portuguese carriers call the parcel an order: it becomes an order without a parcel."""
    lines = "A sua encomenda DA123456785PT encontra-se disponível para levantamento."
    order = only_order(mail("CTT <noreply@ctt.pt>", "A sua encomenda está pronta para levantamento", lines))
    assert (order.order_number, order.tracking_numbers) == (None, ("DA123456785PT",))
