"""Today, tomorrow and yesterday in languages beside English: pure.

`morgen` is tomorrow and the morning, `hier` is yesterday in French and here in German: a word counts only in a text
that is plainly in its language, and not where the words before it make it something else.
"""

import re
from collections.abc import Iterator

# The small words that nearly every text of a language holds.
_PLAIN = {
    "es": "el la los las de que y en un una por con para mi me se no es lo su pero está muy tengo voy al del",
    "fr": "le la les de des du que et en un une pour avec je j'ai mon ma me ne pas est il elle mais dans suis très au",
    "de": "der die das und ich ist nicht ein eine zu mit für mein meine mir mich war habe bin auf im den dem aber sehr",
    "it": "il lo la i gli le di che e in un una per con mi non è sono ho mio mia ma del della molto al",
    "pt": "o a os as de que e em um uma por com para meu minha me não é eu mas estou muito tenho vou do da no na",
    "nl": "de het een en ik is niet van te dat met voor mijn me was heb ben op in maar zeer naar ga",
    "en": "the a an and i is not to of in my me was have am on but with for it that you at be are this",
}
_SMALL_WORDS = {language: frozenset(words.split()) for language, words in _PLAIN.items()}
_ENOUGH = 2  # Small words of a language; one may be chance, or a name.

_NAMED: dict[str, tuple[tuple[str, int], ...]] = {
    "es": (
        (r"pasado mañana", 2),
        (r"anteayer|antes de ayer", -2),
        (r"hoy", 0),
        (r"ayer|anoche", -1),
        (r"(?<!la )(?<!una )(?<!esta )(?<!cada )(?<!de )(?<!pasado )mañana", 1),
    ),
    "fr": (
        (r"après-demain", 2),
        (r"avant-hier", -2),
        (r"aujourd['’]hui", 0),
        (r"(?<!avant-)hier", -1),
        (r"(?<!après-)demain", 1),
    ),
    "de": (
        (r"übermorgen", 2),
        (r"vorgestern", -2),
        (r"heute", 0),
        (r"gestern", -1),
        (r"(?<!guten )(?<!am )(?<!jeden )(?<!heute )(?<!der )(?<!den )(?<!diesen )morgen", 1),
    ),
    "it": ((r"dopodomani", 2), (r"l['’]altro ieri", -2), (r"oggi", 0), (r"ieri", -1), (r"domani", 1)),
    "pt": (
        (r"depois de amanhã", 2),
        (r"anteontem", -2),
        (r"hoje", 0),
        (r"ontem", -1),
        (r"(?<!depois de )amanhã", 1),
    ),
    "nl": (
        (r"overmorgen", 2),
        (r"eergisteren", -2),
        (r"vandaag|vanavond", 0),
        (r"gisteren|gisteravond", -1),
        (r"(?<!goede )(?<!iedere )(?<!elke )morgen", 1),
    ),
}
_PATTERNS = {
    language: tuple((re.compile(rf"\b(?:{words})\b", re.IGNORECASE), days) for words, days in named)
    for language, named in _NAMED.items()
}


def language_of(text: str) -> str | None:
    """`es`, `fr`, `de`, `it`, `pt`, `nl` or `en` by the small words of a text; None where they do not tell."""
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text.casefold())
    votes = {name: sum(word in small for word in words) for name, small in _SMALL_WORDS.items()}
    best = max(votes, key=lambda name: votes[name])
    others = max(count for name, count in votes.items() if name != best)
    return best if votes[best] >= _ENOUGH and votes[best] > others else None


def days_named(text: str) -> Iterator[tuple[int, int, int]]:
    """Start, end and distance in days of each such word, where the text is in one of these languages."""
    if text.isascii() and not _MAY_HOLD_ONE.search(text):
        return
    for pattern, days in _PATTERNS.get(language_of(text) or "", ()):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), days


_MAY_HOLD_ONE = re.compile(
    r"\b(?:hoy|ayer|anoche|anteayer|antes de ayer|hier|demain|aujourd|heute|gestern|vorgestern|morgen|oggi|ieri|domani|"
    r"dopodomani|hoje|ontem|anteontem|vandaag|vanavond|gisteren|gisteravond|eergisteren|overmorgen)",
    re.IGNORECASE,
)
