"""What a sentence says, as far as its words tell: pure, and the same for every language that separates words."""

import re
import unicodedata

# Words that carry no subject of their own; sentences are compared without them.
_EMPTY = frozenset(
    "a about again also am an and are as at be been being but by do does for from had has have he her hers him his i "
    "in into is it its just me mine my no not now of on or our ours really she so still that the their them they this "
    "to too very was we were with you your yours".split()
)

# Facts whose subject can have one answer at a time. A new sentence of a family nearly always replaces the old one.
_FAMILIES = {
    "home": r"\b(lives?|living|resides?|moved|moving|relocated|based|home is|address)\b",
    "work": r"\b(works?|working|job|employed|employer|retired|unemployed|laid off|career|profession|freelanc\w*)\b",
    "birthday": r"\b(birthday|born on|birth ?date|turns? \d+|years? old|age is)\b",
    "pronouns": r"\bpronouns?\b",
    "diet": r"\b(vegan|vegetarian|pescatarian|omnivore|diet|keto|halal|kosher|eats? (meat|fish))\b",
    "partner": r"\b(married|engaged|single|divorced|widowed|wife|husband|partner|girlfriend|boyfriend|spouse)\b",
}

# What must never be left out of sight: getting it wrong hurts or insults.
_CONSTRAINT = re.compile(
    r"\b(allerg\w*|intoleran\w*|anaphyla\w*|coeliac|celiac|diabet\w*|vegan|vegetarian|pescatarian|halal|kosher|diet|"
    r"pronouns?|quiet hours|do(es)? not (call|text|mention)|never (call|text|mention|suggest)|cannot eat|can't eat|"
    r"medication|takes? \w+ daily|wheelchair|pregnan\w*)\b",
    re.IGNORECASE,
)
_CONSTRAINT_CATEGORIES = frozenset({"allergy", "allergies", "diet", "dietary", "pronouns", "quiet hours", "constraint"})


SHORTEST_STEM = 3  # "bus" stays "bus".


def normalise(sentence: str) -> str:
    """The sentence without case, spacing and punctuation: what makes two facts the same fact.

    Symbols stay (`C++` is not `C`), and so does `#`; apostrophes vanish (`dont` is `don't`).
    """
    text = unicodedata.normalize("NFKC", sentence).casefold()
    text = re.sub(r"['’ʼ`]", "", text)
    kept = (char if char == "#" or unicodedata.category(char)[0] not in "PZC" else " " for char in text)
    return " ".join("".join(kept).split())


def clean(sentence: str) -> str:
    """The sentence on one line, without a stop at its end, beginning with a capital."""
    text = " ".join("".join(c for c in sentence if unicodedata.category(c) not in {"Cc", "Cs"} or c.isspace()).split())
    text = re.sub(r"(?<!\.)\.$", "", text).strip()
    return text[:1].upper() + text[1:]


def subjects(sentence: str) -> frozenset[str]:
    """The sentence's words that mean something, without their endings."""
    return frozenset(_stem(word) for word in normalise(sentence).split() if word not in _EMPTY)


def likeness(first: str, second: str) -> float:
    """How much of what two sentences say they say in the same words, 0 to 1 (Jaccard)."""
    one, other = subjects(first), subjects(second)
    return len(one & other) / len(one | other) if one or other else 0.0


def family(sentence: str) -> str | None:
    """Which question with one answer at a time the sentence answers, if any."""
    return next((name for name, words in _FAMILIES.items() if re.search(words, sentence, re.IGNORECASE)), None)


def same_question(first: str, second: str) -> bool:
    """Whether both answer the same question that has one answer at a time (where someone lives, what they eat)."""
    return family(first) is not None and family(first) == family(second)


def is_constraint(sentence: str, category: str | None) -> bool:
    """Whether the fact limits what may be said or suggested: allergies, diet, pronouns, quiet hours."""
    return (category or "").casefold() in _CONSTRAINT_CATEGORIES or _CONSTRAINT.search(sentence) is not None


def importance_of(sentence: str, category: str | None) -> float:
    """0 to 1: constraints 0.9, what has one answer at a time 0.6, the rest 0.5."""
    if is_constraint(sentence, category):
        return 0.9
    return 0.6 if family(sentence) else 0.5


def _stem(word: str) -> str:
    # Enough to see that "likes", "liked" and "liking" are one word; not a linguist's stemmer.
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    return word.removesuffix("e") if len(word) > SHORTEST_STEM else word
