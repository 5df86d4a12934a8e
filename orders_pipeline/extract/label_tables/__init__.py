"""One table of words and phrases a language, gathered in one explicit tuple."""

from orders_pipeline.extract.label_tables import de, en, es, fr, it, ja, nl, pl, pt, sv
from orders_pipeline.extract.label_tables.table import LabelTable

TABLES: tuple[LabelTable, ...] = (
    en.TABLE, de.TABLE, fr.TABLE, es.TABLE, it.TABLE, pl.TABLE, nl.TABLE, pt.TABLE, sv.TABLE, ja.TABLE,
)  # fmt: skip

__all__ = ["TABLES", "LabelTable"]
