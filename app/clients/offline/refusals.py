"""What is not learned: what is undecided or imagined, and what others said."""

import re

_JOKE = re.compile(r"\b(?:just kidding|only kidding|kidding|jk|just joking|joking|that was a joke)\b", re.IGNORECASE)
# These colour a whole sentence: "if I had a dog, I would call him Max".
_IMAGINED = re.compile(
    r"\b(?:if|unless|wish|wished|imagine|imagining|suppose|supposing|pretend|pretending|role ?play|"
    r"what if|as though|someday|some day|one day I|in another life|let us say|hypothetically|"
    r"in the (?:book|film|movie|story|song|game|play)|my character|a joke|lyrics?|when I was|"
    r"as a (?:kid|child|joke)|opposite day)\b",
    re.IGNORECASE,
)
# These only the clause that they stand in: "I want a cat, and I live in Portland".
_UNDECIDED = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|probably|thinking (?:of|about)|thought (?:of|about)|"
    r"considering|hopefully|hoping|dream(?:ing|ed|t)? (?:of|about|that)|"
    r"(?:I|we) (?:may|could|should|would|want|wanted|hope|plan|need|guess|think|thought|believed|"
    r"wonder|doubt|have to|must|ought|almost|nearly|had|did(?! not)|was going|am going to|will|"
    r"intend)|am (?:about to|planning|not sure|unsure|tempted)|cannot wait|looking for)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"(?:\b(?:she|he|they|people|everyone|somebody|someone|nobody|who|it|"
    r"[\w'-]*(?:sister|brother|wife|husband|mother|mom|mum|father|dad|friend|boss|doctor|son|daughter|"
    r"partner|girlfriend|boyfriend|colleague|teacher|neighbou?r|kid|cousin|aunt|uncle)s?|"
    r"(?-i:[A-Z][a-z]+))(?: \w+ly| always| also| just| once)? (?:says?|said|told|tells|thinks?|"
    r"thought|wrote|writes|asked|asks|claims?|claimed|believes?|insists?|reckons?|swears|texted|goes|"
    r"was like|is like|sings?|posted|quoted|quips)\b|\baccording to\b|\bquote\b|\bto quote\b|^[\"“])",
    re.IGNORECASE,
)


def is_joke(sentence: str) -> bool:
    return bool(_JOKE.search(sentence))


def is_imagined(sentence: str) -> bool:
    """Whether the whole sentence speaks of what is only imagined or was once."""
    return bool(_IMAGINED.search(sentence))


def is_undecided(clause: str) -> bool:
    """Whether the clause speaks of what may be or is only wanted."""
    return bool(_UNDECIDED.search(clause))


def is_reported(sentence: str) -> bool:
    """Whether the sentence gives somebody else's words."""
    return bool(_REPORTED.search(sentence))
