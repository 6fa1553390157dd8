"""Turn a reply into texts: remove Markdown, split long replies, count segments.

Phones show raw Markdown, so it is removed. A text in the GSM alphabet holds 160 letters, but only 70 if a single letter
is outside of it, so plain letters replace such letters.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from html import unescape
from itertools import accumulate

from app.text.kind_words import NOTHING_TO_SAY

# Source: 3GPP TS 23.038, 6.2.1 (basic character set; the escape at 0x1B is no character).
BASIC = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"
)
EXTENDED = frozenset("\f^{}\\[~]|€")  # Each takes two places. Source: 3GPP TS 23.038, 6.2.1.1.

PART_MAX_UNITS = 1600  # UTF-16 units, as Twilio counts; a longer `Body` is error 21617.
MAX_PARTS = 4  # 40 segments of plain text; a long number sends about one per second.
THE_REST = "That was longer than I can text; ask me for the rest."

# Places to cut, best first. There is no cut before a character that would make the next text look like a list, a
# heading or a quotation.
_PARAGRAPH = re.compile(r"\n\n")
_SENTENCE = re.compile(r"\n|(?<=[.!?])[\"')]*[ ](?![-*+#>|=~_])|(?<=[。！？])")
_WORD = re.compile(r"\n|[ ](?![-*+#>|=~_])")
_ANY_SPACE = re.compile(r"\s")
# Characters that belong to the letter before: combining marks, joiners, skin tones, tags.
_JOINED = re.compile(r"[\u0300-\u036f\u200d\u20d0-\u20ff\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_JOINER = "\u200d"

_STAND_INS = (
    ("‘’‚‛′ʼ`´", "'"),
    ("“”„‟″«»", '"'),
    ("‹", "<"),
    ("›", ">"),
    ("‐‑‒–—―−⁃•‣◦▪●", "-"),
    ("÷⁄", "/"),
    ("\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
)
_SPELLED = {"…": "...", "→": "->", "←": "<-", "⇒": "=>", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "×": "x"}
_FRACTIONS = {"½": "1/2", "¼": "1/4", "¾": "3/4"}
_TABLE = str.maketrans({one: plain for many, plain in _STAND_INS for one in many} | _SPELLED | _FRACTIONS)

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"`\x00-\x02]+")
_PAIRS = (("(", ")"), ("[", "]"))
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x85\u2028\u2029]")
# Characters that mean nothing on a phone, including those that hide or reorder words. Joiners stay: emoji and some
# scripts need them.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_ENTITY = re.compile("&(?:nbsp|lt|gt|quot|#39|apos|amp);")
_LINK = re.compile(
    r"(?<!\w)!?\[([^\[\]\n]*)\]\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+\"[^\"\n]*\")?\s*\)"
)
_AUTOLINK = re.compile(r"<(?:((?:https?://|www\.)[^\s<>]+)|mailto:([^\s<>@]+@[^\s<>@]+))>")
_TAGGED = re.compile(r"<(b|i|u|em|strong)>(?!\s)([^<\n]*[^\s<])</\1>", re.IGNORECASE)
_FENCED = re.compile(r"^[ ]*(?P<fence>`{3,}|~{3,})[\w+.#-]*[ ]*\n(?P<code>(?:.*\n)*?)[ ]*(?P=fence)[ ]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ ]*(?:`{3,}|~{3,})[\w+.#-]*[ ]*$", re.MULTILINE)
_RULE = re.compile(r"^[ ]*(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,}|={3,})$", re.MULTILINE)
_HEADING = re.compile(r"^[ ]*(?:#{1,6}[ ]+)+(.*?)(?:[ ]+#+)?[ ]*$", re.MULTILINE)
_QUOTE = re.compile(r"^[ ]*(?:>[ ]?)+(?![ \d>=])", re.MULTILINE)
_BULLET = re.compile(r"^[ ]*[*•‣◦▪●·–—-][ ]+", re.MULTILINE)
_ESCAPE = re.compile(r"\\+([*_#~`$\[\]])")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
# A mark counts only at the edge of a word, with its partner on the same line: 2*3*4 and snake_case_names stay. Letters
# beyond ASCII may touch it: Japanese has no spaces around stressed words. **Word**s is common, *word*s is not.
_STRONG = re.compile(r"(?<![0-9A-Za-z*_~])(\*{2,3})(?![\s*_~])([^\n]*?[^\s*_~\\])\1(?![0-9*_~])")
_EMPHASIS = re.compile(r"(?<![0-9A-Za-z*_~])(\*|_{1,3}|~~)(?![\s*_~])([^\n]*?[^\s*_~\\])\1(?![0-9A-Za-z*_~])")
_NESTED = [
    re.compile(rf"(?<![0-9A-Za-z{mark}])({mark}{{{count}}})(?![\s{mark}])([^\n*_~]*[^\s*_~])\1(?![0-9A-Za-z{mark}])")
    for mark, count in ((r"\*", "1,3"), ("_", "1,3"), ("~", "2"))
]

_SEPARATOR = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*")
_ROW = re.compile(r"[ ]*\|.*\|[ ]*")


def split(reply: str) -> list[str]:
    """The reply as 1 to `MAX_PARTS` plain texts within `PART_MAX_UNITS` each; `NOTHING_TO_SAY` for a blank reply."""
    rest = plain_text(reply)
    if is_blank(rest):
        return [NOTHING_TO_SAY]
    parts: list[str] = []
    while _units(rest) > PART_MAX_UNITS:
        if len(parts) == MAX_PARTS - 1:
            end = _end_of_part(rest, PART_MAX_UNITS - len(THE_REST) - 2)
            return [*parts, f"{rest[:end].rstrip()}\n\n{THE_REST}"]
        end = _end_of_part(rest, PART_MAX_UNITS)
        parts.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return [*parts, rest]


def _units(text: str) -> int:
    return len(text) + sum(letter > "\uffff" for letter in text)


def _end_of_part(text: str, limit: int) -> int:
    """The position to cut at, so that the part before has at most `limit` units."""
    last = bisect_right(list(accumulate(1 + (letter > "\uffff") for letter in text)), limit)
    half = last // 2
    for place, least in ((_PARAGRAPH, half), (_SENTENCE, half), (_WORD, 1), (_ANY_SPACE, 1)):
        if ends := [end for end in _ends(place, text, last) if end >= least]:
            return ends[-1]
    return _inside_a_word(text, last)


def _ends(place: re.Pattern[str], text: str, last: int) -> Iterator[int]:
    """Positions where a cut at each match would end a part; the space cut at may lie beyond `last`."""
    for found in place.finditer(text, 0, last + 2):
        end = found.end() - len(found[0]) + len(found[0].rstrip())
        if 0 < end <= last:
            yield end


def _inside_a_word(text: str, last: int) -> int:
    """The position to cut text without spaces: before a URL that fits into one text, never inside a drawn character."""
    for url in _URL.finditer(text):
        if 0 < url.start() < last < url.end() and _units(url[0]) <= PART_MAX_UNITS:
            return url.start()
    end = last
    while end > 1 and (_JOINED.match(text, end) or text[end - 1] == _JOINER):
        end -= 1
    return end if end > 1 else last


def segments(body: str) -> int:
    """The number of segments that Twilio counts and charges for the text.

    Source: 160 or, joined, 153 places of seven bits; else 70 or 67 UTF-16 units (3GPP TS 23.040, 9.2.3.24.1).
    """
    plain = all(letter in BASIC or letter in EXTENDED for letter in body)
    widths = [1 + (letter in EXTENDED) for letter in body] if plain else [1 + (letter > "\uffff") for letter in body]
    alone, joined = (160, 153) if plain else (70, 67)
    if sum(widths) <= alone:
        return 1 if body else 0
    count, room = 1, joined
    for width in widths:
        if width > room:  # No escape sequence or surrogate pair is split between segments.
            count, room = count + 1, joined
        room -= width
    return count


def plain_text(reply: str) -> str:
    """The reply without Markdown and tags of stress, except inside code; tidy, in plain letters, possibly empty."""
    text, codes = _hide_code(_UNSEEN.sub("", _LINE_ENDS.sub("\n", reply)))
    # Before entities are read: tags written with those are meant to be seen. Twice, as one may stand in another.
    text = _TAGGED.sub(r"\2", _TAGGED.sub(r"\2", text))
    text = _once(before := text)
    while text != before:  # Inner marks only match once the outer ones are gone.
        text = _once(before := text)
    return _tidy(re.sub("\x02(\\d+)\x02", lambda found: codes[int(found[1])], text))


def with_gsm_equivalents(text: str) -> str:
    """The text with plain equivalents where the GSM alphabet has one; other scripts, accents and emoji stay."""
    text = re.sub(r"(?<=\w)—(?=\w)", " - ", text)
    text = re.sub(r"(?<=\d)\s?°\s?(?=[CF]\b)", " ", text)
    text = re.sub(r"(?<=\d)\s?°", " degrees", text)
    return text.translate(_TABLE)


def is_blank(text: str) -> bool:
    """True if a phone would show nothing."""
    return all(unicodedata.category(letter) in {"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Mn", "Me"} for letter in text)


def _hide_code(text: str) -> tuple[str, list[str]]:
    """The text with each piece of code replaced by a numbered placeholder, and the pieces."""
    codes: list[str] = []

    def hide(code: str) -> str:
        codes.append(with_gsm_equivalents(unicodedata.normalize("NFC", code)))
        return f"\x02{len(codes) - 1}\x02"

    text = _FENCED.sub(lambda found: f"\n{hide(found['code'])}\n", text)
    return _CODE.sub(lambda found: hide(found[2]), text), codes


def _once(text: str) -> str:
    text = _ENTITY.sub(lambda found: unescape(found[0]), unicodedata.normalize("NFC", text))
    text = _LINK.sub(lambda found: _link(found[1], found[2]), text)
    text = _AUTOLINK.sub(lambda found: found[1] or found[2], text)
    text, urls = _put_aside(text)
    text = _without_marks(re.sub(r"[ \t]+", " ", text))
    text = with_gsm_equivalents(text)
    return _tidy(re.sub("\x00(\\d+)\x00", lambda found: urls[int(found[1])], text))


def _link(words: str, target: str) -> str:
    words, target = words.strip(), re.sub(r"^(?:mailto|tel):", "", target)
    if not target or target == words or re.sub(r"^https?://", "", target).rstrip("/") == words.rstrip("/"):
        return target or words
    return f"{words} ({target})" if words else target


def _put_aside(text: str) -> tuple[str, list[str]]:
    """The text with each URL replaced by a numbered placeholder, so that no letter of it is changed, and the URLs."""
    urls: list[str] = []

    def hide(found: re.Match[str]) -> str:
        url = _trimmed(found[0])
        urls.append(url)
        return f"\x00{len(urls) - 1}\x00{found[0][len(url) :]}"

    return _URL.sub(hide, text), urls


def _trimmed(url: str) -> str:
    """The URL without the marks and punctuation that follow it in a sentence."""
    while url and (
        url[-1] in ".,;:!?*_'~|”’…"
        or any(url.endswith(end) and url.count(end) > url.count(begin) for begin, end in _PAIRS)
    ):
        url = url[:-1]
    return url


def _without_marks(text: str) -> str:
    text = _FENCE.sub("", _ESCAPE.sub(r"\1", text))
    text = _without_tables(text)
    text = _QUOTE.sub("", text)
    text = _RULE.sub("", text)
    text = _HEADING.sub(r"\1", text)
    text = _BULLET.sub("- ", text)
    for marks in (_STRONG, _EMPHASIS, *_NESTED):
        text = marks.sub(r"\2", text)
    return text


def _without_tables(text: str) -> str:
    """The text with each table row as a line: the first cell, a colon, the others."""
    lines = text.split("\n")
    kept = []
    in_table = False
    for place, line in enumerate(lines):
        heads = place + 1 < len(lines) and "|" in line and _is_separator(lines[place + 1])
        if in_table and _is_separator(line):
            continue
        in_table = heads or _ROW.fullmatch(line) is not None or (in_table and "|" in line)
        kept.append(_row(line) if in_table else line)
    return "\n".join(kept)


def _is_separator(line: str) -> bool:
    return "|" in line and _SEPARATOR.fullmatch(line) is not None


def _row(line: str) -> str:
    cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
    first, *others = [cell for cell in cells if cell] or [""]
    return f"{first}: {', '.join(others)}" if others else first


def _tidy(text: str) -> str:
    lines = (re.sub(r"[ \t]+", " ", line).strip() for line in text.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
