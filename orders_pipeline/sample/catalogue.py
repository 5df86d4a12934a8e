"""Who sends the sample's mail: fictional shops and carriers, and the one household that receives it.

Belongs here: names, domains, number formats, price lists and how each sender writes. Not here: sentences (they are
in ``phrases``) or anything that chooses. Every domain ends in ``.example``, which nobody can register (RFC 2606).
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

OWNER_NAME = "Robin Ashdown"
OWNER_ADDRESS = "robin.ashdown@home.example"
OWNER_SECOND_ADDRESS = "robin@studio.example"
OWNER_STREET = "Quendelweg 4"
OWNER_CITY = "00417 Musterau"


class Layout(StrEnum):
    """How a sender lays its mail out."""

    TABLE = "table"  # text and HTML, facts and lines as table rows
    STACKED = "stacked"  # text and HTML, each label above its value
    HTML_ONLY = "html_only"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A parcel service. In ``number``, each ``#`` stands for a digit. ``writes`` is False when only shops name it."""

    name: str
    domain: str
    language: str
    number: str
    writes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """A shop. ``money`` is a pattern of ``money_text``; prices and ``shipping`` are in ``currency``.

    ``tax_rate`` is a percentage, contained in the prices unless ``tax_added``. ``voice`` (0 or 1) picks among the
    wordings of its language.
    """

    name: str
    domain: str
    mailbox: str
    language: str
    currency: str
    money: str
    number: str
    carrier: Carrier
    products: tuple[tuple[str, Decimal], ...]
    shipping: Decimal
    tax_rate: Decimal
    tax_added: bool = False
    voice: int = 0
    layout: Layout = Layout.TABLE
    transfer: str = "quoted-printable"

    @property
    def address(self) -> str:
        return f"{self.mailbox}@{self.domain}"


NORTHWAY = Carrier(name="Northway Parcel", domain="northwayparcel.example", language="en", number="NWP##########")
KRANICH = Carrier(name="Kranich Paket", domain="kranich-paket.example", language="de", number="##############")
MESANGE = Carrier(name="Colis Mésange", domain="colis-mesange.example", language="fr", number="MES#########")
ALONDRA = Carrier(name="Alondra Envíos", domain="alondra-envios.example", language="es", number="AL##########")
ZILVERMEEUW = Carrier(name="Zilvermeeuw Pakket", domain="zilvermeeuw.example", language="nl", number="ZMW#########")
# A public number format with made-up numbers; it never writes itself.
UPS = Carrier(name="UPS", domain="", language="en", number="1Z", writes=False)

CARRIERS = (NORTHWAY, KRANICH, MESANGE, ALONDRA, ZILVERMEEUW, UPS)


def _prices(**by_name: str) -> tuple[tuple[str, Decimal], ...]:
    return tuple((name.replace("_", " "), Decimal(price)) for name, price in by_name.items())


SHOPS: tuple[Shop, ...] = (
    Shop(
        name="Lanternwick Books",
        domain="lanternwick.example",
        mailbox="orders",
        language="en",
        currency="GBP",
        money="£{1,234.50}",
        number="LW-######",
        carrier=NORTHWAY,
        products=_prices(
            The_Salt_Road_Atlas="24.99",
            Night_Trains_paperback="9.99",
            Field_Guide_to_Mosses="17.50",
            Cloth_bookmark_set="6.25",
        ),
        shipping=Decimal("3.49"),
        tax_rate=Decimal(0),
    ),
    Shop(
        name="Quillmoor Outfitters",
        domain="quillmoor.example",
        mailbox="no-reply",
        language="en",
        currency="USD",
        money="${1,234.50}",
        number="#######",
        carrier=UPS,
        products=_prices(
            Trail_headlamp="39.95",
            Two_person_tent="1149.00",
            Merino_socks_3_pack="27.00",
            Titanium_mug="21.50",
        ),
        shipping=Decimal("7.95"),
        tax_rate=Decimal("8.25"),
        tax_added=True,
        voice=1,
        layout=Layout.STACKED,
    ),
    Shop(
        name="Bohnenkontor Halmgrün",
        domain="bohnenkontor.example",
        mailbox="bestellung",
        language="de",
        currency="EUR",
        money="{1.234,50} €",
        number="4########",
        carrier=KRANICH,
        products=_prices(
            Espresso_Nachtschicht_1_kg="23.90",
            Filterkaffee_Morgenrot_500_g="11.40",
            Handmühle_Esche="89.00",
            Milchkännchen_350_ml="18.50",
        ),
        shipping=Decimal("4.90"),
        tax_rate=Decimal(7),
    ),
    Shop(
        name="Zwirnmark Halden",
        domain="zwirnmark.example",
        mailbox="service",
        language="de",
        currency="CHF",
        money="CHF {1'234.50}",
        number="ZH-#####-CH",
        carrier=KRANICH,
        products=_prices(
            Leinenhemd_natur="79.00",
            Wolldecke_Rauten="1189.00",
            Nähset_Reise="24.90",
            Schal_Moosgrün="49.50",
        ),
        shipping=Decimal("9.00"),
        tax_rate=Decimal("8.1"),
        voice=1,
        transfer="base64",
    ),
    Shop(
        name="Papeterie Lumerle",
        domain="lumerle.example",
        mailbox="commandes",
        language="fr",
        currency="EUR",
        money="{1 234,50} €",
        number="CMD-#######",
        carrier=MESANGE,
        products=_prices(
            Carnet_ligné_A5="14.50",
            Encre_bleu_nuit_50_ml="11.90",
            Stylo_plume_Rivage="64.00",
            Papier_vergé_100_feuilles="22.30",
        ),
        shipping=Decimal("5.95"),
        tax_rate=Decimal(20),
    ),
    Shop(
        name="Vélodrille",
        domain="velodrille.example",
        mailbox="boutique",
        language="fr",
        currency="EUR",
        money="{1 234,50} EUR",
        number="V##-#####",
        carrier=MESANGE,
        products=_prices(
            Sacoche_arrière_20_L="72.90",
            Chaîne_11_vitesses="34.90",
            Roue_avant_700C="1129.00",
            Gants_mi_saison="29.90",
        ),
        shipping=Decimal("6.90"),
        tax_rate=Decimal(20),
        voice=1,
        layout=Layout.STACKED,
    ),
    Shop(
        name="Huerta Solbrisa",
        domain="solbrisa.example",
        mailbox="pedidos",
        language="es",
        currency="EUR",
        money="{1.234,50} €",
        number="PED-######",
        carrier=ALONDRA,
        products=_prices(
            Aceite_temprano_1_L="16.80",
            Caja_de_naranjas_10_kg="27.50",
            Miel_de_romero_500_g="9.75",
            Almendra_tostada_1_kg="21.20",
        ),
        shipping=Decimal("5.50"),
        tax_rate=Decimal(10),
    ),
    Shop(
        name="Tuinhuis Groenveer",
        domain="groenveer.example",
        mailbox="klantenservice",
        language="nl",
        currency="EUR",
        money="€ {1.234,50}",
        number="1########",
        carrier=ZILVERMEEUW,
        products=_prices(
            Snoeischaar_smal="31.95",
            Tulpenbollen_50_stuks="18.95",
            Kweekkas_aluminium="1349.00",
            Gieter_zink_9_L="44.50",
        ),
        shipping=Decimal("4.95"),
        tax_rate=Decimal(21),
    ),
    Shop(
        name="Nordhylla Form",
        domain="nordhylla.example",
        mailbox="hello",
        language="en",
        currency="SEK",
        money="{1,234.50} SEK",
        number="NH######",
        carrier=NORTHWAY,
        products=_prices(
            Wall_shelf_birch="1290.00",
            Candle_holder_brass="349.00",
            Wool_cushion_grey="595.00",
            Oak_coat_hooks="429.00",
        ),
        shipping=Decimal("79.00"),
        tax_rate=Decimal(25),
        layout=Layout.HTML_ONLY,
    ),
    Shop(
        name="Sumigiri Paper Goods",
        domain="sumigiri.example",
        mailbox="shop",
        language="en",
        currency="JPY",
        money="¥{1,234}",
        number="SG########",
        carrier=NORTHWAY,
        products=_prices(
            Folding_fan_indigo="3200",
            Writing_brush_set="5800",
            Washi_sampler="1450",
            Inkstone_small="7600",
        ),
        shipping=Decimal(1200),
        tax_rate=Decimal(10),
        voice=1,
        layout=Layout.PLAIN,
    ),
)
