"""The sentences of a text, told apart in any language, and the wording of a sentence as far as its words tell: pure.

A point that belongs to an abbreviation, an initial, a number or an address ends no sentence. Where both could be, the
two stay one sentence: what is left out because of one half is then left out whole.
"""

import re
import unicodedata
from collections.abc import Iterator

from app.clock import WEEKDAYS

# Blanks after a mark that may end a sentence, and what closes a quotation between the two; a line's end; and the marks
# of Chinese and Japanese, after which no blank is needed. Source of the marks: Unicode, property Sentence_Terminal.
_MAY_END = re.compile(
    r"(?<=[.!?…؟۔।॥։።။។])[\"'”’»)\]]*+(?P<blanks>\s+)|(?P<line>\n+)|(?<=[。！？｡])(?P<closed>[」』”’）)\"']*+)(?P<none>\s*)(?![。！？｡」』])"
)
# What never ends a sentence: something follows that belongs to it.
_TITLES = (
    "dr dra mr mrs ms mx prof st mt ft rev gen col lt sgt capt hon messrs mme mlle mgr sr sra srta hr fr frl sig dott "
    "ing vs eg ie e.g i.e approx ca cf bzw inkl z.b d.h p.ej p.ex fig vol esp incl"
)
# What may end one, and stands within one as often.
_SHORTENED = "inc ltd co corp jr etc usw ph.d m.d b.a m.a"
_MONTHS_AND_DAYS = (
    "jan feb apr jun jul aug sep sept oct okt nov dec dez déc ene abr ago dic mon tue tues thu thur thurs fri"
)
# Written small they are words of their own: "we sat. nobody spoke".
_DAYS_WITH_A_CAPITAL = frozenset("Sat Sun Wed Mar Mär SAT SUN WED MAR".split())
_BEFORE_A_NUMBER = frozenset("no nos nr nº num p pp ch art tel ext apt rm".split())
_TITLE_WORDS, _SHORTENED_WORDS = frozenset(_TITLES.split()), frozenset(f"{_SHORTENED} {_MONTHS_AND_DAYS}".split())
# Of words that a capital begins, those with which a sentence begins after an abbreviation: "in the U.S. I miss her".
_BEGINS = re.compile(
    r"(?:I|I['’]\w+|He|She|It|We|They|You|The|This|That|These|There|My|Our|His|Her|Their|And|But|So|Then|Now|Later|What|"
    r"When|Where|Why|How|Who|Do|Is|Are|Can|No|Yes|Please|Thanks|If|At|In|On|After|Not|Just|Let['’]?s|"
    r"Ich|Er|Sie|Es|Wir|Das|Die|Der|Dann|Und|Aber|El|La|Los|Ella|Yo|Mi|Luego|Pero|Je|Il|Elle|Nous|On|Le|Les|Puis|Mais|"
    r"Ben|Bu|Sonra|Ama)(?!\w)"
)
_BEFORE = re.compile(r"[^\s(\"“'‘«]+$")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]", re.UNICODE)  # "a.m", "U.S", "J.R.R".
# "3. Mai", "3. und 4. Mai": how days are counted in German and in the North.
_DAY = re.compile(
    r"(?:jan|feb|mär|mar|apr|mai|maj|jun|jul|aug|sep|okt|oct|nov|dez|des|ocak|şubat)\w*|(?:und|bis|oder|og|och|ja) \d",
    re.IGNORECASE,
)
_LAST_DAY = 31
_LONGEST = 24  # Characters of an abbreviation with what stands before it; no more is looked at.


def sentences(words: str) -> list[str]:
    """The sentences, without the blanks between them; at least one, though it may be empty."""
    found, place = [], 0
    for start, end in breaks(words):
        found.append(words[place:start])
        place = end
    return [*found, words[place:]]


def breaks(words: str) -> Iterator[tuple[int, int]]:
    """Where the blanks between two sentences begin and end; they may be empty in scripts that need none."""
    for found in _MAY_END.finditer(words):
        start, end = next(found.span(name) for name in ("line", "blanks", "none") if found.span(name) != (-1, -1))
        if start > 0 and end < len(words) and _ends(words, found, start, end):
            yield start, end


def _ends(words: str, found: re.Match[str], start: int, end: int) -> bool:
    if found["line"] is not None or "\n" in words[start:end]:
        return True
    after = words[end : end + _LONGEST]
    if found["none"] is not None:
        return start < end or not found["closed"]  # A quotation may go on: 「行く。」と言った。
    if start > found.start() and after[0].islower():
        return False  # "Really?" she asked.
    stop = words[max(0, found.start() - 3) : found.start()]
    if stop.endswith(("…", "..")):
        return not after[0].islower()
    return not stop.endswith(".") or _ends_with_a_point(
        words[max(0, found.start() - _LONGEST) : found.start() - 1], after
    )


def _ends_with_a_point(before: str, after: str) -> bool:
    """Whether a sentence ends with the point between the two, rather than an abbreviation or a number."""
    written = _BEFORE.search(before)
    if written is None:
        return True
    word = written[0].casefold()
    if word in _TITLE_WORDS or (word in _BEFORE_A_NUMBER and after[0].isdigit()):
        return False
    if word.isdecimal():
        begins_line = not before[: written.start()].rsplit("\n", 1)[-1].strip() and len(before) < _LONGEST
        return not begins_line and not (int(word[:3]) <= _LAST_DAY and _DAY.match(after))
    is_initial = len(word) == 1 and word.isalpha() and word != "i"
    is_shortened = word in _SHORTENED_WORDS or written[0] in _DAYS_WITH_A_CAPITAL
    if is_initial or is_shortened or _DOTTED.fullmatch(word):
        return _BEGINS.match(after) is not None
    return True


# Letters of scripts that part no words by spaces, or, like Korean, hang endings on them that no stemmer here knows:
# Thai, Lao, Burmese, Khmer, Japanese, Chinese, Korean. Source: the Unicode Standard, blocks.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]+"
)

# Marks that are as often left out as written: accents, Hebrew and Arabic vowels.
MARKS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")

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
