"""The sentences of the sample's mail, one file a language, and the table that finds them."""

from orders_pipeline.sample.phrases.base import Labels, Phrases, Telling
from orders_pipeline.sample.phrases.de import GERMAN
from orders_pipeline.sample.phrases.en import ENGLISH
from orders_pipeline.sample.phrases.es import SPANISH
from orders_pipeline.sample.phrases.fr import FRENCH
from orders_pipeline.sample.phrases.nl import DUTCH

PHRASES = {phrases.language: phrases for phrases in (ENGLISH, GERMAN, FRENCH, SPANISH, DUTCH)}

__all__ = ["PHRASES", "Labels", "Phrases", "Telling"]
