"""One table of words and phrases a language, gathered in one explicit tuple."""

from orders_pipeline.extract.label_tables import de, en, fr, ja
from orders_pipeline.extract.label_tables.table import LabelTable

TABLES: tuple[LabelTable, ...] = (en.TABLE, de.TABLE, fr.TABLE, ja.TABLE)

__all__ = ["TABLES", "LabelTable"]
