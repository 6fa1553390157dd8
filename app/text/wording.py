"""The wording of a sentence, as far as its words tell: the same for every language that separates words."""

import re
import unicodedata

from app.clock import WEEKDAYS
from app.text.parts import MARKS, UNSPACED

# Words that carry no subject of their own; sentences are compared without them.
_EMPTY = frozenset(
    "a about again also am an and are as at be been being but by do does for from had has have he her hers him his i "
    "in into is it its just me mine my no not now of on or our ours really she so still that the their them they this "
    "to too very was we were with you your yours".split()
)

SHORTEST_STEM = 3  # "bus" stays "bus".
ALIKE = 0.5  # From this likeness on, two facts, or two rules, are shown to the model as perhaps the same.

# Words that facts are so often told in that they are one word here: "resides in Lima" says again what "lives in Lima"
# says. Never used to tell whether two facts are the same fact, only whether they are near each other.
_ONE_WORD = {
    "like": "love loves loved loving enjoy enjoys enjoyed enjoying adore adores fond fan prefer prefers favor favors",
    "dislike": "hate hates hated hating detest detests despise despises",
    "live": "reside resides residing resident dwell dwells based",
    "work": "job employed employee employer occupation profession",
    "name": "called",
    "allergy": "allergic",
    "child": "children kid kids",
    "two": "2",
    "three": "3",
    "four": "4",
}
_SAID_AS = {word: one for one, words in _ONE_WORD.items() for word in words.split()}

# Words that turn a sentence round or end what it says: without them it says something else, however like it is.
_TURNING = frozenset(
    "no not never none nor without cannot cant dont doesnt didnt isnt arent wasnt werent wont hasnt havent stop "
    "stopped stops quit quits gave gives former formerly ex used longer anymore died dead deceased late lost left "
    "ended sold avoids hates hate dislikes dislike detests despises divorced separated instead retired".split()
)

# What is said of a thing, and not the thing: two facts that share no more than this are about different things.
_PREDICATES = (
    "like dislike name have want need use own go get call new old big small favorite favourite who which whose".split()
)

# How much and how often: said of anything, and nothing by itself.
_MEASURES = (
    "one two three four five six seven eight nine ten first second once twice hour day week weekend month year morning "
    "evening night every each time often usually always sometimes daily weekly lot much many more less few some "
    + " ".join(WEEKDAYS)
)


def normalise(sentence: str) -> str:
    """The sentence without case, spacing and punctuation: what makes two facts the same fact.

    Symbols stay (`C++` is not `C`), and so does `#`; apostrophes vanish (`dont` is `don't`).
    """
    if sentence.isascii():  # As most are: a table is ten times quicker, and a thousand facts are compared at once.
        return " ".join(sentence.translate(_PLAIN).casefold().split())
    text = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join("".join(_plain(char) for char in text).split())


def _plain(char: str) -> str:
    if char in "'’ʼ`":
        return ""
    return char if char == "#" or unicodedata.category(char)[0] not in "PZC" else " "


_PLAIN = {code: _plain(chr(code)) for code in range(128)}


def folded(words: str) -> str:
    """The words as they are compared, one blank between two; empty where nothing is left.

    Each character of a script that parts no words by spaces is a word of its own, and so is a symbol such as a heart:
    a phrase in them is found inside a longer run.
    """
    text = unicodedata.normalize("NFKD", words.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    text = unicodedata.normalize("NFC", MARKS.sub("", text)).casefold()
    apart = UNSPACED.sub(lambda run: f" {' '.join(run[0])} ", text)
    return " ".join("".join(map(_letter, apart)).split())


def holds(text: str, phrase: str) -> bool:
    sought = folded(phrase)
    return bool(sought) and f" {sought} " in f" {folded(text)} "


def _letter(char: str) -> str:
    if char in "'’ʼ`\u200d\ufe0f":
        return ""
    match unicodedata.category(char)[0]:
        case "L" | "N" | "M":
            return char
        case "S":
            return f" {char} " if unicodedata.category(char) != "Sk" else ""  # A tone of skin is the same hand.
        case _:
            return char if char == "#" else " "


def one_line(text: str) -> str:
    """The text on one line, without what no database and no reader takes: control characters and half surrogates."""
    return " ".join("".join(c for c in text if unicodedata.category(c) not in {"Cc", "Cs"} or c.isspace()).split())


def clean(sentence: str) -> str:
    """The sentence on one line, without a stop at its end, beginning with a capital."""
    text = re.sub(r"(?<!\.)\.$", "", one_line(sentence)).strip()
    capital = text[:1].upper()
    return (capital if capital.lower() == text[:1] else text[:1]) + text[1:]  # Only letters that find their way back.


# Chinese, Japanese and Korean do not part words by spaces, or not as others do: each character counts by itself.
WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def _meaning(sentence: str) -> list[str]:
    """The sentence's words that mean something."""
    said = normalise(sentence)
    said = said if said.isascii() else WITHOUT_SPACES.sub(r" \g<0> ", said)
    return [word for word in said.split() if word not in _EMPTY]


def subjects(sentence: str) -> frozenset[str]:
    """The sentence's words that mean something, without their endings, words of one meaning as one."""
    return frozenset(_stem(_SAID_AS.get(word, word)) for word in _meaning(sentence))


def stems(sentence: str) -> frozenset[str]:
    """The sentence's words that mean something, without their endings, each for itself: *job* is not *work* here."""
    return frozenset(map(_stem, _meaning(sentence)))


def things(sentence: str) -> frozenset[str]:
    """What the sentence is about: its subjects without what is merely said of them (*likes*, *named*)."""
    return subjects(sentence) - _PREDICATE_STEMS


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of what two sentences say they say in the same words, 0 to 1 (Jaccard), by their subjects."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def turns(sentence: str) -> frozenset[str]:
    """The words that negate or end what the sentence would say without them."""
    return _TURNING.intersection(normalise(sentence).split())


def _stem(word: str) -> str:
    # Enough to see that "likes", "liked" and "liking" are one word; not a linguist's stemmer.
    if word[-1] in "gds":  # Most words have none of the endings, and a thousand facts are compared at once.
        for ending in ("ing", "ies", "ed", "es", "s"):
            if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
                word = word[: -len(ending)] + ("y" if ending == "ies" else "")
                break
    while len(word) > SHORTEST_STEM and word[-1] == "e":  # Twice in "coffee", whose plural has lost one by now.
        word = word[:-1]
    return word


MEASURES = subjects(_MEASURES)  # The stems of words for how much and how often.
_PREDICATE_STEMS = frozenset(_stem(word) for word in _PREDICATES)
BEGUN = 5
"""Letters at which words are cut that are counted: "child" and "children" are one, and no stemmer is as quick."""
TASTES = frozenset(
    word[:BEGUN] for kind in ("like", "dislike") for word in (kind, f"{kind}s", *_ONE_WORD[kind].split())
) | {"favor", "favou"}
"""How the words begin with which somebody says that they like a thing or not."""
SAYS_LITTLE = frozenset(word[:BEGUN] for word in (*_EMPTY, *_PREDICATES, *_MEASURES.split())) | TASTES
"""How the words begin that do not tell what a sentence is about."""
