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

# Facts whose subject can have one answer at a time. A new sentence of a family nearly always replaces the old one.
_FAMILIES = {
    name: re.compile(words, re.IGNORECASE)
    for name, words in {
        # With whom is not where: only what names a place besides answers it.
        "home": r"\b(lives?|living|resides?)\b(?! with\b(?!.* (in|at)\b))"
        r"|\b(moved|moving|relocated|based|home is|address)\b",
        "work": r"\b(works?|working|job|employed|employer|retired|unemployed|laid off|career|profession|freelanc\w*)\b"
        r"|^is (now )?an? (\w+ ){0,2}\w*(nurse|teacher|lawyer|doctor|engineer|student|driver|manager|chef|cook|artist"
        r"|writer|scientist|therapist|accountant|designer|developer|programmer)\b",
        "birthday": r"\b(birthday|born on|birth ?date)\b",
        "age": r"\b(turn(s|ed)? \d+|years? old|age is|is \d+$)",
        "origin": r"\b(is from|hometown|grew up)\b",
        "pronouns": r"\bpronouns?\b",
        "diet": r"\b(vegan|vegetarian|pescatarian|omnivore|diet|keto|halal|kosher|"
        r"eats? (meat|fish|everything|anything))\b",
        "partner": r"\b(married|engaged|single|divorced|widowed|wife|husband|partner|girlfriend|boyfriend|spouse)\b",
    }.items()
}

# Medication by its dose, by words for it, by what people call by its name most, by the endings of the WHO's stems for
# international nonproprietary names (INN), and by how it is taken.
_MEDICATION = (
    r"(?<![\w.,])\d+(?:[.,]\d+)? ?(?:mg|mcg|µg|μg|milligrams?|micrograms?)\b(?! (?:of )?(?:salt|sugar|sodium|"
    r"caffeine)\b)|\b(?:medications?|(?<!study )(?<!studies )(?<!studied )(?<!studying )medicines?|meds|medicated|"
    r"prescribed|prescriptions?(?! (?:sun)?glasses)|pills?|inhalers?|insulin\w*|epi-?pens?|chemo(?:therapy)?|dialysis|"
    r"blood thinners?|beta[ -]?blockers?|antibiotics?|anticoagula\w+|steroids?|anti(?:depressant|epileptic|convulsant|"
    r"histamine|psychotic|viral)s?|painkillers?|opioids?|birth control|contracepti\w+|medica(?:ci[oó]n|mentos?|menti|"
    r"tie|ç[aã]o)|medicinas|m[ée]dicaments?|medikamente?n?|medicijn(?:en)?|pastillas?|pillole|tabletten|"
    r"comprim(?:idos?|és?)|remédios?|farmac[oi]|aspirin|ibuprofen|paracetamol|acetaminophen|lithium(?! batter)|"
    r"digoxin|levothyroxine|synthroid|euthyrox|eliquis|xarelto|coumadin|marcumar|sintrom|plavix|ozempic|wegovy|humira|"
    r"prozac|zoloft|lexapro|ritalin|adderall|xanax|valium|ambien|lipitor|methadone|morphine|tramadol|gabapentin|"
    r"prednisone|tamoxifen|truvada|[a-z]{3,}(?:farin[ae]?|xaban|[ds][ou]grel|statin|sartan|[aeo]pril|prazole?|olol|"
    r"dipine?|triptyline|oxetine|traline|azepam|zolam|azepine|peridone|apine|cillin|mycin|cycline|floxacin|conazole|"
    r"clovir|navir|fovir|tegravir|gliptin|gliflozin|glutide|formin|thiazide|semide|nisolone|methasone|tinib|zumab|"
    r"ximab|lukast|setron|triptan|coxib|codone|dronate|racetam|trexate)|takes? (?!(?:walks|naps|baths|showers|photos|"
    r"pictures|breaks|notes|trains|lessons|classes|trips)\b)[\w-]+ (?:daily|nightly|(?:once|twice|\w+ times) (?:a|"
    r"per) day|every (?:day|morning|evening|night|\d+ hours)))\b"
)
# What must never be left out of sight, by what it constrains: getting it wrong hurts or insults.
_CANNOT = r"(?:cannot|can['’]?t|do(?:es)?(?: not|n['’]?t))"
CONSTRAINED = {
    topic: re.compile(words, re.IGNORECASE)
    for topic, words in {
        "allergy": rf"\b(?:all?erg\w*|alérgi\w*|intoleran\w*|anaphyla\w*|co?eliac|{_CANNOT} (?:eat|have|drink))\b",
        "diet": rf"\b(?:vegan|vegetarian|pescatarian|halal|kosher|diet|{_CANNOT} eat)\b",
        "health": rf"\b(?:diabet\w*|wheelchair|pregnan\w*)\b|{_MEDICATION}",
        "contact": r"\b(?:quiet hours|(?:do(?:es)? not|never) (?:call|text|mention)|never suggest)\b",
        "pronouns": r"\bpronouns?\b",
    }.items()
}

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


def family(sentence: str) -> str | None:
    """Which question with one answer at a time the sentence answers, if any."""
    return next((name for name, words in _FAMILIES.items() if words.search(sentence)), None)


def question(sentence: str) -> str | None:
    """The same, but for a partner: much is told of one, and little of it replaces the rest."""
    asked = family(sentence)
    return None if asked == "partner" else asked


def same_question(first: str, second: str) -> bool:
    """Whether both answer the same question that has one answer at a time (where someone lives, what they eat)."""
    return family(first) is not None and family(first) == family(second)


def is_constraint(sentence: str) -> bool:
    """True where its words limit what may be said or suggested: allergies, diet, medication, pronouns, quiet hours."""
    return any(words.search(sentence) for words in CONSTRAINED.values())


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
