"""The categories of facts: their names, what facts of one are about, and which are never left out of sight.

The description of the tool, `/memory work`, what is archived and what is always shown follow from this table. A fact
may have another category, in a word of its own: nothing but its name is known of it then.
"""

from dataclasses import dataclass

from app.text.wording import family
from app.text.wording import is_constraint as says_constraint


@dataclass(frozen=True)
class Category:
    name: str
    topic: str | None = None
    """What its facts are about, as `subject.topics` names it."""
    is_constraint: bool = False
    """Whether its facts limit what may be said or suggested: they are always shown and never archived."""
    is_named: bool = True
    """Whether the model is told of it; the others are names that it might give."""


CATEGORIES = (
    Category("personal"),
    Category("work", "work"),
    Category("family", "family"),
    Category("pets", "pets"),
    Category("food", "food"),
    Category("allergy", "allergy", is_constraint=True),
    Category("diet", "diet", is_constraint=True),
    Category("health", "health"),
    Category("places"),
    Category("preferences"),
    Category("dates"),
    Category("travel", "travel", is_named=False),
    Category("allergies", "allergy", is_constraint=True, is_named=False),
    Category("dietary", "diet", is_constraint=True, is_named=False),
    Category("medication", is_constraint=True, is_named=False),
    Category("medicine", is_constraint=True, is_named=False),
    Category("pronouns", "pronouns", is_constraint=True, is_named=False),
    Category("quiet hours", "contact", is_constraint=True, is_named=False),
    Category("constraint", is_constraint=True, is_named=False),
)

_BY_NAME = {one.name: one for one in CATEGORIES}
_NAMED = [one.name for one in CATEGORIES if one.is_named]
NAMED = f"{', '.join(_NAMED[:-1])} or {_NAMED[-1]}"
"""Those that the model is told of, as its tool lists them."""


def topic_of(category: str | None) -> str | None:
    """What facts of the category are about, where that is known."""
    known = _BY_NAME.get((category or "").casefold())
    return known.topic if known else None


def is_constraint(sentence: str, category: str | None) -> bool:
    """True where the fact, by its category or its words, limits what may be said or suggested."""
    known = _BY_NAME.get((category or "").casefold())
    return (known is not None and known.is_constraint) or says_constraint(sentence)


OF_CONSTRAINTS = 0.9
"""The importance of constraints; nothing else has as much."""
OF_NO_QUESTION = 0.5
"""The importance of what has no one answer at a time; nothing has less."""


def importance_of(sentence: str, category: str | None) -> float:
    """0 to 1: constraints 0.9, what has one answer at a time 0.6, the rest 0.5."""
    if is_constraint(sentence, category):
        return OF_CONSTRAINTS
    return 0.6 if family(sentence) else OF_NO_QUESTION
