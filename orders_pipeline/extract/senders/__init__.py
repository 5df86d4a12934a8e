"""Sender-specific rules, one file a sender family, gathered in one explicit tuple.

A family gets a file where its mail holds more than labels tell: numbers without a label, a total over several orders,
a shop named in a sentence. Each has a fixture pair in the tests.
"""

from orders_pipeline.extract.extractor import Extractor
from orders_pipeline.extract.senders.amazon import AmazonExtractor
from orders_pipeline.extract.senders.ebay import EbayExtractor
from orders_pipeline.extract.senders.paypal import PaypalExtractor

SENDERS: tuple[Extractor, ...] = (AmazonExtractor(), EbayExtractor(), PaypalExtractor())

__all__ = ["SENDERS"]
