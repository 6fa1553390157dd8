"""A text as sentences and clauses: contractions written out, emoji gone, `and I …` parted from what is before it."""

import re
import unicodedata
from dataclasses import dataclass

from app.clients.offline.words import PETS, RELATIONS
from app.sentences import sentences as parted

# A text of 1,600 characters is the longest that a phone sends; a burst may hold several.
TEXT_MAX_CHARS = 6000
SENTENCE_MAX_CHARS = 600
SENTENCES_MAX = 80
SHOUT_MIN_LETTERS = 8  # "IM ALEX AND I LIKE TEA" is read in lower case; "NASA" is left alone.

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_EMOTICON = re.compile(r"(?:(?<=\s)|^)(?:[:;=8xX]['-]?[)(DPpOo/|*3]+|<3+|\^\^|xx+|xo+)(?=\s|$)")
_CONTRACTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\bi'?m\b(?!')", "I am"),
        (r"\bi'?ve\b", "I have"),
        (r"\bi'd\b", "I would"),
        (r"\bi'll\b", "I will"),
        (r"\b(we|you|they)'re\b", r"\1 are"),
        (r"\b(we|you|they)'ve\b", r"\1 have"),
        (r"\b(we|you|they|he|she|it)'ll\b", r"\1 will"),
        (r"\b(we|you|they|he|she)'d\b", r"\1 would"),
        (r"\b(?:can'?t|can not)\b", "cannot"),
        (r"\bwon'?t\b", "will not"),
        (r"\bain'?t\b", "am not"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)n'?t\b", r"\1 not"),
        (r"\b(what|where|when|who|how|that|it|he|she|there|here)'s\b", r"\1 is"),
        (r"\b(what|where|when|who|how|that)s\b(?=\s)", r"\1 is"),
        (r"\bmy names\b", "my name is"),
        (r"\b(she|he|they)s\b", r"\1 is"),
        (r"\b(you|they)re\b", r"\1 are"),
        (r"\b(my|our) ([a-z-]*[a-rt-z])s (name|birthday)\b", r"\1 \2's \3"),
        (r"\b(name|timezone|birthday|zone)'s\b", r"\1 is"),
        (r"\bits (?=not\b|called\b|named\b)", "it is "),
        (r"'s (called|named)\b", r" is \1"),
        (r"\bwhat'?re\b", "what are"),
        (r"\bwanna\b", "want to"),
        (r"\bluv\b", "love"),
        (r"\bgonna\b", "going to"),
        (r"\b(?:pls|plz)\b", "please"),
        (r"\bur\b", "your"),
        (r"\bu\b(?!\.)", "you"),
        (r"\b(?:bday|b-day)\b", "birthday"),
        (r"\bfav(?:e)?\b", "favorite"),
        (r"\bany more\b(?=\s*(?:$|[.,!?;\n]))", "anymore"),
        (r"\btime ?zone\b", "timezone"),
    )
)
# How words that matter are often misspelt in haste.
_SPELLINGS = {
    "allergic": "alergic allergc allergik allegic alergick",
    "allergy": "alergy allegy",
    "vegetarian": "vegeterian vegitarian vegetarien",
    "favorite": "favorit favrite favourit favoritte",
    "birthday": "birtday brithday bithday birthdya",
    "remember": "rember remeber rememeber remmeber",
    "forget": "forgte froget foget",
    "daughter": "doughter daugther dauther",
    "sister": "siter sitser",
    "brother": "borther brothr",
    "friend": "freind frend",
    "work": "wrok",
    "like": "liek",
    "live": "lvie",
    "name": "nmae",
    "name is": "nameis",
}
_MEANT = {wrong: right for right, wrongs in _SPELLINGS.items() for wrong in wrongs.split()}
_MISSPELT = re.compile(rf"\b(?:{'|'.join(_MEANT)})\b", re.IGNORECASE)
# Beside the ends of sentences: what a semicolon parts, and a point after which the blank was forgotten.
_SPLIT = re.compile(r"(?<=;)[\"')]*\s+|(?<=[a-z]{3}[.!?])(?=[A-Z])")
# "I like tea, ok?" asks for nothing.
_TAG = re.compile(r",? (?:ok|okay|got it|alright|you know|yeah)\?+$", re.IGNORECASE)
_DOTTED = re.compile(r"(?:[A-Za-z]\.){1,3}[A-Za-z]?\.$")

_ASKING = re.compile(
    r"(?:what|where|when|who|whom|whose|which|why|how|"
    r"do(?! not (?:like|love|enjoy|eat|drink|smoke|have|speak|drive)\b)|does|did|am|is|are|was|were|have|has|can|"
    r"could|will|would|should|shall|may|tell me|show me|list|remind me (?:what|where|when|who|how)|"
    r"any idea)\b",
    re.IGNORECASE,
)

_LINK = r"(?:(?:and|but|so|also|plus|then|yet|oh|btw|by the way|while|although|though|or)\b,? )"
_STARTER = (
    r"(?:I\b|(?:my|our) (?:[\w'-]+ ){1,4}(?:is|are|was|were|has|likes|lives|works|and)\b|we\b|he\b|"
    r"she\b|they\b|(?:you can )?call me\b|(?:everyone|everybody|people|(?:my )?friends|they) calls? me\b|"
    r"please\b|remember\b|(?:do not )?forget\b|what\b|where\b|"
    r"when (?:is|are|do|did|was)\b|who (?:is|are)\b|how\b|do (?:I|you)\b|did (?:I|you)\b|can you\b|"
    r"could you\b|are you\b|am I\b|thanks\b|thank you\b|nice to\b|(?:his|her|its) name\b|actually\b)"
)
_BOUNDARY = re.compile(rf"(?: ?[,;:] ?{_LINK}*| - {_LINK}*| {_LINK}+)(?={_STARTER})", re.IGNORECASE)
# "What did Bob and I do?" asks one thing; "what do Mia and I like?" asks what each of two likes.
_TWO_TOGETHER = re.compile(
    r"(?:what|where|when|how|why|which|who)(?: \w+)? (?:did|had|were) (?:(?:my|our) )?[\w'-]+ and (?:I|we)"
    r"(?: [\w'-]+){1,6}[?!. ]*",
    re.IGNORECASE,
)
_RUN_ON = re.compile(
    r"(?<=[\w']) (?=I (?:am|have|live|work|like|love|hate|speak|play|prefer|study|drive|moved|was born|do not|use)\b|"
    r"my (?:name|timezone|pronouns|birthday|favou?rite \w+) (?:is|are)\b)",
    re.IGNORECASE,
)
# After these a clause is part of the one before: "the city where I live", "I know that I am late".
_HOLDS_ON = re.compile(
    r"\b(?:that|when|if|because|since|what|where|who|which|how|as|than|think|said|say|know|knew|told|"
    r"hope|wish|guess|and|but|or|so|whenever|while|until|unless|before|after|all|things?|everything|anything|whatever|people|believe|"
    r"remember|forget|forgot|note|why|though|like|mean|meant|about|to|am|is|are|in|sure|the|a|me|for|"
    r"with|of|on|at|until|do|does|did|can|could|should|would|will|have|maybe|perhaps|possibly|"
    r"probably|right|never|not|you)$",
    re.IGNORECASE,
)
_BEING = rf"(?:{'|'.join(sorted(PETS | RELATIONS))})"
_CARRIED: tuple[tuple[re.Pattern[str], re.Pattern[str], str], ...] = tuple(
    (re.compile(start, re.IGNORECASE), re.compile(boundary, re.IGNORECASE), prefix)
    for start, boundary, prefix in (
        (
            r"(?:I|we) (?:have|got|adopted|own|also have)\b",
            r"(?:, and |, | and )(?=(?:an?|one|two|three|four|five|six|\d) (?!and\b)[^\W\d]+)",
            "I have ",
        ),
        (r"(?:my|our) ", rf",? and (?=(?:my|our) {_BEING} [^\W\d_])", ""),
        (
            r"I am\b",
            (
                r"(?:, and |, | and )(?=(?:an? \w+|from \w+|allergic|married|single|engaged|vegan|vegetarian|"
                r"\d\d years)\b)"
            ),
            "I am ",
        ),
        (
            r"(?:I|we) ",
            (
                r"(?:, and |, but |, | and | but )(?:also |really |absolutely |currently |"
                r"just )*(?=(?:live|work|like|love|hate|dislike|enjoy|prefer|have|speak|study|own|drive|am|do not|"
                r"cannot|moved|was born|play|use|take|go to|wake up) )"
            ),
            "I ",
        ),
    )
)


@dataclass(frozen=True)
class Sentence:
    text: str
    asks: bool
    """Whether it ends in a question mark."""


def tidy(text: str) -> str:
    """The text with straight quotes, single blanks and written-out contractions; lines are kept apart."""
    text = unicodedata.normalize("NFC", text[:TEXT_MAX_CHARS]).translate(_STRAIGHT)
    text = text.replace("–", " - ").replace("—", " - ").replace("…", "... ")
    text = "".join(_kept(character) for character in text)
    lines = (" ".join(_EMOTICON.sub(" ", line).split()) for line in text.split("\n"))
    text = "\n".join(line for line in lines if line)
    if sum(character.isalpha() for character in text) >= SHOUT_MIN_LETTERS and text.upper() == text:
        text = text.lower()
    text = _MISSPELT.sub(lambda match: _MEANT[match[0].lower()], text)
    for pattern, full in _CONTRACTIONS:
        text = pattern.sub(full, text)
    return text


def _kept(character: str) -> str:
    category = unicodedata.category(character)
    if character == "\n":
        return character
    if category == "Cf" or "\ufe00" <= character <= "\ufe0f":
        return ""
    if category in {"So", "Cs", "Co", "Cn", "Cc", "Zl", "Zp"} or character >= "\U0001f000":
        return " "
    return character


def sentences(text: str) -> list[Sentence]:
    """The sentences of a tidied text, without their full stops."""
    found: list[Sentence] = []
    for line in text.split("\n"):
        for piece in (piece for ended in parted(line) for piece in _SPLIT.split(ended)):
            piece, tags = _TAG.subn("", piece)  # noqa: PLW2901 (the same piece, without its tag)
            bare = piece.strip(" \t.!?;,:-*~_'()") if not _DOTTED.search(piece) else piece.strip(" ,;:-*'()")
            if bare:
                found.append(Sentence(bare[:SENTENCE_MAX_CHARS], not tags and "?" in piece.rstrip("\"')! ")[-2:]))
    return found[:SENTENCES_MAX]


def stored_sentences(text: str) -> list[str]:
    """The facts of a memory, which stand one after another as plain sentences, without their full stops."""
    pieces = parted(" ".join(text.split()))
    return [piece if _DOTTED.search(piece[-8:]) else piece.rstrip(". ") for piece in pieces if piece.strip(". ")]


def clauses(sentence: str) -> list[str]:
    """The statements that a sentence joins, each with its own subject: `I like tea and hate milk` is two."""
    pieces = [sentence] if _TWO_TOGETHER.fullmatch(sentence) else _BOUNDARY.split(sentence)
    parts = [part for piece in pieces for part in _run_on(piece)]
    return [clause.strip(" ,;:-") for part in parts for clause in _carried(part) if clause.strip(" ,;:-")]


def _run_on(clause: str) -> list[str]:
    parts: list[str] = []
    start = 0
    for gap in _RUN_ON.finditer(clause):
        if not _HOLDS_ON.search(clause[start : gap.start()]):
            parts.append(clause[start : gap.start()])
            start = gap.end()
    return [*parts, clause[start:]]


def _carried(clause: str) -> list[str]:
    for start, boundary, prefix in _CARRIED:
        if start.match(clause):
            first, *rest = boundary.split(clause)
            if rest:
                later = [part for piece in rest for part in _carried(prefix + piece)]
                return [*_carried(first), *later]
    return [clause]


def asks(clause: str) -> bool:
    """Whether the clause is worded as a question or as a wish to be told something."""
    return bool(_ASKING.match(clause))


_STOP_WORDS = frozenset(
    "a an the my your his her their our i me you he she it we they them us of to in on at for with "
    "about from by as and or but is are am was were be been do does did have has had that this these "
    "those what where when who whom whose which why how not no any some so too also all everything "
    "anything something thing things fact stuff please really very much called named name say said "
    "tell told know remember mention mentioned can could would will should there than then s t ever "
    "again already".split()
)


def stem(word: str) -> str:
    """A rough stem, the same for `allergies`, `allergic` and `allergy`, `working` and `works`."""
    word = word.lower().removesuffix("'s").strip("'.-")
    if word in {"died", "dies", "dying"}:
        return "die"
    if word in {"took", "taken"}:
        return "tak"
    for ending, rest in (("ergies", "erg"), ("ergic", "erg"), ("ergy", "erg"), ("ies", "y"), ("colour", "color")):
        if word.endswith(ending):
            return word.removesuffix(ending) + rest
    word = word.replace("favour", "favor")
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):  # noqa: PLR2004
            return word.removesuffix(ending).rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word  # noqa: PLR2004


def content(text: str) -> list[str]:
    """The stems of the words that carry meaning, in order."""
    words = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text.lower())
    return [stem(word) for word in words if word.removesuffix("'s") not in _STOP_WORDS]
