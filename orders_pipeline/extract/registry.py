"""The extractors in order: markup first, then rules of one sender, then what works for any mail, the dearest last.

Belongs here: the tuple. Adding a sender is one file in ``senders`` and one line there. Not here: any reading.
"""

from orders_pipeline.extract.extractor import Extractor
from orders_pipeline.extract.items import ItemExtractor
from orders_pipeline.extract.labels import LabelExtractor
from orders_pipeline.extract.merchant import MerchantExtractor
from orders_pipeline.extract.refunds import RefundExtractor
from orders_pipeline.extract.schema_org import SchemaOrgExtractor
from orders_pipeline.extract.senders import SENDERS
from orders_pipeline.extract.status import StatusExtractor
from orders_pipeline.extract.tracking import TrackingExtractor

EXTRACTORS: tuple[Extractor, ...] = (
    SchemaOrgExtractor(),
    *SENDERS,
    LabelExtractor(),
    StatusExtractor(),
    RefundExtractor(),
    TrackingExtractor(),
    MerchantExtractor(),
    ItemExtractor(),
)
