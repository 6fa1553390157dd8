"""The sentences of a text, told apart in any language: pure.

A point that belongs to an abbreviation, an initial, a number or an address ends nothing. Where both could be, the two
stay one sentence: what is left out because of one half is then left out whole.
"""

import re
from collections.abc import Iterator

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
