"""Plain words from what a model writes: phones show Markdown and HTML as they stand. HTML written about stays.

A text in the GSM alphabet holds 160 letters, one with a single letter outside of it 70: plain letters stand in for
those.
"""

import re
import unicodedata

_STAND_INS = {
    **dict.fromkeys("‘’‚‛′ʼ`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‹", "<"),
    **dict.fromkeys("›", ">"),
    **dict.fromkeys("‐‑‒–—―−⁃", "-"),
    **dict.fromkeys("•‣◦▪●", "-"),
    "…": "...",
    "→": "->",
    "←": "<-",
    "⇒": "=>",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "×": "x",
    "÷": "/",
    "⁄": "/",
    "½": "1/2",
    "¼": "1/4",
    "¾": "3/4",
    **dict.fromkeys(
        "\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "
    ),
}
_TABLE = str.maketrans(_STAND_INS)

_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"`\x00-\x02]+")
_LINE_ENDS = re.compile(r"\r\n|[\r\v\f\x85\u2028\u2029]")
# Bytes that mean nothing on a phone, among them those that hide or reorder words. Joiners stay: emoji and scripts
# are written with them.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
_WRITTEN_LESS = "\x01"  # Stands for a < that was written &lt;: it begins no tag.
_ENTITIES = {
    "&nbsp;": " ",
    "&lt;": _WRITTEN_LESS,
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&apos;": "'",
    "&amp;": "&",
}
_ENTITY = re.compile("|".join(_ENTITIES))

_LINK = re.compile(
    r"(?<!\w)!?\[([^\[\]\n]*)\]\(\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+\"[^\"\n]*\")?\s*\)"
)
_AUTOLINK = re.compile(r"<(?:((?:https?://|www\.)[^\s<>]+)|mailto:([^\s<>@]+@[^\s<>@]+))>")
_FENCED = re.compile(r"^[ ]*(?P<fence>`{3,}|~{3,})[\w+.#-]*[ ]*\n(?P<code>(?:.*\n)*?)[ ]*(?P=fence)[ ]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ ]*(?:`{3,}|~{3,})[\w+.#-]*[ ]*$", re.MULTILINE)
_RULE = re.compile(r"^[ ]*(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,}|={3,})$", re.MULTILINE)
_HEADING = re.compile(r"^[ ]*(?:#{1,6}[ ]+)+(.*?)(?:[ ]+#+)?[ ]*$", re.MULTILINE)
_QUOTE = re.compile(r"^[ ]*(?:>[ ]?)+(?![ \d>=])", re.MULTILINE)
_BULLET = re.compile(r"^[ ]*[*•‣◦▪●·–—-][ ]+", re.MULTILINE)
_ESCAPE = re.compile(r"\\+([*_#~`$\[\]])")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
# A mark counts only at the edge of a word, with its partner on the same line: 2*3*4 and snake_case_names stay. Letters
# beyond ASCII are no hindrance: Japanese has no spaces around what it stresses. **Word**s is common, *word*s is not.
_STRONG = re.compile(r"(?<![0-9A-Za-z*_~])(\*{2,3})(?![\s*_~])([^\n]*?[^\s*_~\\])\1(?![0-9*_~])")
_EMPHASIS = re.compile(r"(?<![0-9A-Za-z*_~])(\*|_{1,3}|~~)(?![\s*_~])([^\n]*?[^\s*_~\\])\1(?![0-9A-Za-z*_~])")
_NESTED = [
    re.compile(rf"(?<![0-9A-Za-z{mark}])({mark}{{{count}}})(?![\s{mark}])([^\n*_~]*[^\s*_~])\1(?![0-9A-Za-z{mark}])")
    for mark, count in ((r"\*", "1,3"), ("_", "1,3"), ("~", "2"))
]

_SEPARATOR = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*")
_ROW = re.compile(r"[ ]*\|.*\|[ ]*")

# HTML
_INLINE = "b|i|u|s|q|em|strong|strike|del|ins|mark|small|big|sub|sup|span|font|kbd|samp|var|tt|cite"
_BLOCK = "p|div|pre|h[1-6]|blockquote|section|article"
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>\n]*\"|'[^'<>\n]*'))*\s*"

# A tag is formatting only with its partner, around words that touch both: `<b>so</b>`, and not "between <b> and </b>".
_PAIR = re.compile(
    rf"<(?P<tag>{_INLINE}|{_BLOCK}|li){_ATTRIBUTES}>"
    r"(?P<words>(?=\n|\S)(?:(?!</?(?P=tag)[\s>]).)*(?<=\S)|\n(?:(?!</?(?P=tag)[\s>]).)*\n[ ]*)</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_LIST = re.compile(
    rf"<(?P<tag>ul|ol){_ATTRIBUTES}>\s*(?P<words><li[\s>](?:(?!</?(?P=tag)[\s>]).)*</li\s*>)\s*</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_ANCHOR = re.compile(
    r"<a\s(?:[^<>]*?\s)?href\s*=\s*(?:\"([^\"<>\n]*)\"|'([^'<>\n]*)')[^<>]*>(?=\S)((?:(?!</?a[\s>])[^\n])*?)(?<=\S)</a\s*>",
    re.IGNORECASE,
)
_CODE_TAG = re.compile(
    rf"<code{_ATTRIBUTES}>((?=\S)(?:(?!</?code[\s>]).)*(?<=\S)|\n(?:(?!</?code[\s>]).)*\n[ ]*)</code\s*>",
    re.IGNORECASE | re.DOTALL,
)
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
# Dots and slashes stand for words in what is written about tags: <b>…</b>.
_WORD = re.compile(r"[^\W_]|[^\x00-\x7f…]")

# A line break follows words at once, or ends a line of them. Alone between words or in quotes it is spoken of.
_BREAK_TAG = r"<br\s*/?>"
_BREAK = re.compile(
    rf"(?<=[^\s\"'`(\[{{“‘<]){_BREAK_TAG}(?:[ ]*{_BREAK_TAG})*(?!['\"`”’])[ ]*\n?|"
    rf"(?<=[^\s:*•–-])[ ]+{_BREAK_TAG}[ ]*\n|^[ ]*{_BREAK_TAG}(?:[ ]*$\n?|(?=\S))",
    re.IGNORECASE | re.MULTILINE,
)

_NEW_LINE = "\x03"  # At least one line break here; several are one. No reply holds the letter: unseen ones are gone.


def plain_text(reply: str) -> str:
    """The reply as a text: no Markdown, no unseen characters, plain quotes and dashes, tidy spaces; may be empty.

    What was written as code stands as it was written, its marks and tags too.
    """
    text, codes = _hide_code(_UNSEEN.sub("", _LINE_ENDS.sub("\n", reply)))
    text = _once(before := text)
    while text != before:  # Marks inside marks come to light when the outer ones are gone.
        text = _once(before := text)
    text = re.sub("\x02(\\d+)\x02", lambda found: codes[int(found[1])], text)
    return _tidy(text.replace(_WRITTEN_LESS, "<"))


def with_stand_ins(text: str) -> str:
    """The text with plain letters where the alphabet has an equivalent; other scripts, accents and emoji stay."""
    text = re.sub(r"(?<=\w)—(?=\w)", " - ", text)
    text = re.sub(r"(?<=\d)\s?°\s?(?=[CF]\b)", " ", text)
    text = re.sub(r"(?<=\d)\s?°", " degrees", text)
    return text.translate(_TABLE)


def is_blank(text: str) -> bool:
    """Whether a phone would show nothing."""
    return all(unicodedata.category(letter) in {"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Mn", "Me"} for letter in text)


def _hide_code(text: str) -> tuple[str, list[str]]:
    """The text with each piece of code hidden behind its number, and the pieces."""
    codes: list[str] = []

    def hide(code: str) -> str:
        codes.append(with_stand_ins(unicodedata.normalize("NFC", code)))
        return f"\x02{len(codes) - 1}\x02"

    text = _FENCED.sub(lambda found: f"\n{hide(found['code'])}\n", text)
    text = _CODE.sub(lambda found: hide(found[2]), text)
    return _CODE_TAG.sub(lambda found: hide(_decoded(found[1])) if _WORD.search(found[1]) else found[0], text), codes


def _decoded(text: str) -> str:
    return _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)


def _once(text: str) -> str:
    text = _decoded(unicodedata.normalize("NFC", text))
    text = _LINK.sub(lambda found: _link(found[1], found[2]), text)
    text = _ANCHOR.sub(lambda found: _link(found[3], found[1] or found[2] or ""), text)
    text = _AUTOLINK.sub(lambda found: found[1] or found[2], text)
    text, urls = _put_aside(text)
    text = _without_marks(re.sub(r"[ \t]+", " ", text))
    text = with_stand_ins(text)
    return _tidy(_put_back(text, urls))


def _link(words: str, target: str) -> str:
    words, target = words.strip(), re.sub(r"^(?:mailto|tel):", "", target)
    if not target or target == words or re.sub(r"^https?://", "", target).rstrip("/") == words.rstrip("/"):
        return target or words
    return f"{words} ({target})" if words else target


def _put_aside(text: str) -> tuple[str, list[str]]:
    """The text with each address hidden behind its number: nothing may change a letter of it."""
    urls: list[str] = []

    def hide(found: re.Match[str]) -> str:
        url = _trimmed(found[0])
        urls.append(url)
        return f"\x00{len(urls) - 1}\x00{found[0][len(url) :]}"

    return _URL.sub(hide, text), urls


def _put_back(text: str, urls: list[str]) -> str:
    return re.sub("\x00(\\d+)\x00", lambda found: urls[int(found[1])], text)


def _trimmed(url: str) -> str:
    """The address without the marks and stops that follow it in a sentence."""
    while url:
        if url[-1] in ".,;:!?*_'~|”’…" or (
            url[-1] in ")]" and url.count(url[-1]) > url.count("(["[")]".index(url[-1])])
        ):
            url = url[:-1]
        else:
            break
    return url


def _without_marks(text: str) -> str:
    text = _FENCE.sub("", _ESCAPE.sub(r"\1", text))
    text = _without_tags(text)
    text = _without_tables(text)
    text = _QUOTE.sub("", text)
    text = _RULE.sub("", text)
    text = _HEADING.sub(r"\1", text)
    text = _BULLET.sub("- ", text)
    for marks in (_STRONG, _EMPHASIS, *_NESTED):
        text = marks.sub(r"\2", text)
    return text


def _without_tables(text: str) -> str:
    """Rows as lines: the first cell, a colon, the others."""
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


def _without_tags(text: str) -> str:
    """The text without the pairs of tags that format its words, and with line breaks for those that make them."""
    text = _BREAK.sub(lambda found: "\n" * found[0].lower().count("<br"), text)
    text = _LIST.sub(lambda found: _NEW_LINE + found["words"] + _NEW_LINE, text)
    text = _PAIR.sub(_unwrapped, text)
    return re.sub(rf"[ ]*\n?{_NEW_LINE}[ \n{_NEW_LINE}]*", "\n", text)


def _unwrapped(found: re.Match[str]) -> str:
    tag, words = found["tag"].lower(), found["words"]
    if not _WORD.search(_ANY_TAG.sub("", words)):
        return found[0]
    if tag == "li":
        return f"{_NEW_LINE}- {words.strip()}{_NEW_LINE}"
    if re.fullmatch(_BLOCK, tag):
        return f"\n\n{words.strip()}\n\n" if tag != "div" else f"{_NEW_LINE}{words.strip()}{_NEW_LINE}"
    return words
