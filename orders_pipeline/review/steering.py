"""Mail that speaks to the judge instead of to its reader.

Belongs here: phrases that give a language model orders, and imitations of the marks between which it is shown mail. A
mail that has one is flagged whatever the model says of it: a person looks. Not here: keeping the model from obeying
(model_prompt.py).
"""

from __future__ import annotations

import re

CODE = "tries_to_steer_the_judge"
STRENGTH = 0.9
_READ = 400_000
_GAP = r"[^\n]{0,40}?"

# Each is bounded: no part repeats without a limit.
_PHRASES = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)\s{1,5}"
    + _GAP
    + r"(?:previous|prior|above|earlier|preceding|all|your|the"
    r" system)\s{1,5}" + _GAP + r"(?:instruction|prompt|rule|direction|guideline|command)"
    r"|(?:ignorier|vergiss|missacht)\w{0,4}\s{1,5}" + _GAP + r"(?:anweisung|instruktion|vorgabe|regel|prompt)"
    r"|(?:ignore[zr]?|oublie[zr]?)\s{1,5}"
    + _GAP
    + r"(?:instructions|consignes|règles)\s{1,5}(?:précédentes|ci-dessus|du système)"
    r"|(?:ignora|olvida|ignore|esquece|dimentica)\w{0,3}\s{1,5}" + _GAP + r"(?:instrucciones|instruções|istruzioni)"
    r"|(?:negeer|vergeet)\s{1,5}" + _GAP + r"(?:instructies|aanwijzingen)"
    r"|you\s{1,5}are\s{1,5}(?:now\s{1,5})?(?:an?\s{1,5})?(?:ai|language model|llm|assistant|judge|chatgpt)\b"
    r"|as\s{1,5}an?\s{1,5}(?:ai|language)\s{1,5}(?:model|assistant|judge)"
    r"|(?:to|note to|message to|attention)\s{1,5}(?:the\s{1,5})?"
    r"(?:ai|llm|language model|judge|reviewer|grader|evaluator)\s{0,3}[:,]"
    r"|(?:new|updated|real|actual)\s{1,5}(?:system\s{1,5})?(?:instructions?|prompt)\s{0,3}:"
    r"|system\s{1,5}prompt\b|\bprompt\s{1,5}injection\b"
    r"|(?:respond|reply|answer|output|return)\s{1,5}(?:only\s{1,5})?(?:with|in)\s{1,5}(?:only\s{1,5})?(?:an?\s{1,5})?(?:empty\s{1,5})?(?:valid\s{1,5})?json"
    r"|(?:report|return|give|set|output)\s{1,5}" + _GAP + r"(?:confidence|verdict|reasons)\b"
    r"|(?:mark|judge|rate|classify|approve|score)\s{1,5}(?:this|the)\s{1,5}(?:e-?mail|mail|message|parse|order|case)\s{1,5}as\s{1,5}"
    r"(?:fine|correct|valid|good|ok|perfect|legitimate|safe)"
    r"|<\|?(?:im_start|im_end|system|assistant|endoftext|eot_id|start_header_id)\|?>|\[/?INST\]|<<SYS>>",
    re.IGNORECASE,
)
_MARKS = re.compile(r"<{2,}\s{0,3}/?\s{0,3}(?:MAIL|PARSE|END)\b|\b(?:MAIL|PARSE)-[0-9a-f]{8,}", re.IGNORECASE)


def steering_phrase(text: str) -> str | None:
    """The first words with which a text addresses the judge; None when it does not. Linear in the text."""
    found = _MARKS.search(text, 0, _READ) or _PHRASES.search(text, 0, _READ)
    return found[0] if found else None
