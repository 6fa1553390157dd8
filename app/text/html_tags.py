"""HTML that a model writes as formatting, as plain words; HTML that it writes about stays. Pure."""

import re
from collections.abc import Callable

_INLINE = "b|i|u|s|q|em|strong|strike|del|ins|mark|small|big|sub|sup|span|font|kbd|samp|var|tt|cite"
_BLOCK = "p|div|pre|h[1-6]|blockquote|section|article"
_ATTRIBUTES = r"(?:\s+[\w:-]+\s*=\s*(?:\"[^\"<>\n]*\"|'[^'<>\n]*'))*\s*"

# A tag is formatting only with its partner, around words that touch both: `<b>so</b>`, and not "between <b> and </b>".
_PAIR = re.compile(
    rf"<(?P<tag>{_INLINE}|{_BLOCK}|li){_ATTRIBUTES}>"
    r"(?P<words>(?=\n|\S)(?:(?!</?(?P=tag)[\s>]).)*(?<=\S)|\n(?:(?!</?(?P=tag)[\s>]).)*\n[ ]*)"
    r"</(?P=tag)\s*>",
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
_CODE = re.compile(
    rf"<code{_ATTRIBUTES}>((?=\S)(?:(?!</?code[\s>]).)*(?<=\S)|\n(?:(?!</?code[\s>]).)*\n[ ]*)</code\s*>",
    re.IGNORECASE | re.DOTALL,
)
_ANY_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
# Dots and slashes stand for words in what is written about tags: <b>…</b>.
_WORD = re.compile(r"[^\W_]|[^\x00-\x7f…]")

# A line break follows words at once, or ends a line of them. Alone between words or in quotes it is spoken of.
_BREAK_TAG = r"<br\s*/?>"
_BREAK = re.compile(
    rf"(?<=[^\s\"'`(\[{{“‘<]){_BREAK_TAG}(?:[ ]*{_BREAK_TAG})*(?!['\"`”’])[ ]*\n?"
    rf"|(?<=[^\s:*•–-])[ ]+{_BREAK_TAG}[ ]*\n"
    rf"|^[ ]*{_BREAK_TAG}(?:[ ]*$\n?|(?=\S))",
    re.IGNORECASE | re.MULTILINE,
)

_NEW_LINE = "\x03"  # At least one line break here; several are one. No reply holds the letter: unseen ones are gone.


def without_tags(text: str) -> str:
    """The text without the pairs of tags that format its words, and with line breaks for those that make them."""
    text = _BREAK.sub(lambda found: "\n" * found[0].lower().count("<br"), text)
    text = _LIST.sub(lambda found: _NEW_LINE + found["words"] + _NEW_LINE, text)
    text = _PAIR.sub(_unwrapped, text)
    return re.sub(rf"[ ]*\n?{_NEW_LINE}[ \n{_NEW_LINE}]*", "\n", text)


def without_anchors(text: str, link: Callable[[str, str], str]) -> str:
    """The text with each `<a href="…">words</a>` written as `link(words, target)`."""
    return _ANCHOR.sub(lambda found: link(found[3], found[1] or found[2] or ""), text)


def hide_code(text: str, hide: Callable[[str], str]) -> str:
    """The text with what stands in each `<code>…</code>` replaced by `hide` of it."""
    return _CODE.sub(lambda found: hide(found[1]) if _WORD.search(found[1]) else found[0], text)


def _unwrapped(found: re.Match[str]) -> str:
    tag, words = found["tag"].lower(), found["words"]
    if not _WORD.search(_ANY_TAG.sub("", words)):
        return found[0]
    if tag == "li":
        return f"{_NEW_LINE}- {words.strip()}{_NEW_LINE}"
    if re.fullmatch(_BLOCK, tag):
        return f"\n\n{words.strip()}\n\n" if tag != "div" else f"{_NEW_LINE}{words.strip()}{_NEW_LINE}"
    return words
