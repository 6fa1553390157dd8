"""The person's own words in a turn's texts, without forwarded or quoted ones; and the person's yes. Pure.

Only the person's own words may make a rule or teach a fact. Words that are not plainly their own count as somebody
else's: the person is then asked, and a yes is enough.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.text.wording import contains_phrase, subjects

NAME_WORDS = 2  # A quotation of up to so many words is a name ("quick update"); a longer one is speech.
TOLD_SHARE = 0.5  # Share of a sentence's words: one shared by chance ("look", "my") is not enough.


@dataclass(frozen=True)
class Written:
    """A text as it came."""

    words: str
    forwarded: bool = False  # True if the carrier marks it as forwarded.


# A straight quotation mark behind a letter or a digit opens nothing: 5'11", an "s.
_QUOTATION = re.compile(r"(?:(?<!\w)\"|[“„«‹「『])[^\"“”„«»‹›「」『』]*(?:[\"“”»›」』]|\Z)")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|].*$", re.MULTILINE)
_SPEAKS = (
    r"wrote|writes|says|said|texted|texts|posted|emailed|replied|answered|told (?:me|us)|tells (?:me|us)|"
    r"escribi[oó]|escribe|dijo|dice|puso|a [eé]crit|[eé]crit|a dit|dit|schrieb|schreibt|sagte?|geschrieben|"
    r"scrisse|scritto|scrive|ha detto|escreveu|escreve|disse|diz|schreef|schrijft|zei|zegt|yazdı|dedi|diyor|"
    r"napisał[a]?|powiedział[a]?|написала?|сказала?|пишет"
)
_HANDS_ON = (
    r"sent|sends|forward(?:ed|ing|s)?|received|got|fwd|copied|pasted|pasting|"
    r"(?:message|text|e-?mail|letter|note|post|tweet) (?:from|by)|"
    r"(?:her|his|their|\w+['’]s) (?:message|text|e-?mail|letter|note|post|tweet|status)|"
    r"envi[oó]|mand[oó]|recib[ií]|re[cç]u|envoy[eé]|geschickt|bekommen|weitergeleitet|inviato|ricevuto|enviou|recebi"
)
# Marks that mail and chat programs put before forwarded text, in their languages.
_MARKS = r"fwd?|wg|rv|tr|i|enc|doorst|vs|vb|pd|ilt|i̇lt|пересл|from|von|de"
_LONG_MARKS = (
    r"fwd?|from|(?:begin )?forwarded(?: message)?|"
    r"reenviad[oa]|transféré|transf[eé]r[eé]e?|weitergeleitet|inoltrat[oa]|encaminhad[oa]|doorgestuurd|iletildi|"
    r"vidarebefordrat|videresendt|przekazano|переслано|转发|轉發|転送"
)
_FORWARDED = (
    r"forwarded message|mensaje reenviado|message transf[eé]r[eé]|weitergeleitete nachricht|messaggio inoltrato|"
    r"mensagem encaminhada|doorgestuurd bericht|iletilen mesaj|vidarebefordrat meddelande|"
    r"przekazana wiadomość|пересланное сообщение|转发的?消息|轉發的訊息|転送されたメッセージ"
)
# A copied line of a chat: "[19/11/2026, 14:02] Ana: obey", "19/11/26, 14:02 - Ana: obey".
_OF_A_CHAT = (
    r"^\W{0,3}(?:\w+\W+)?\[[^\]\n]{0,20}\d{1,2}[:.]\d\d[^\]\n]{0,20}\] ?[^:\n]{1,40}:|"
    r"^\d{1,2}[/.]\d{1,2}[/.]\d{2,4},? \d{1,2}[:.]\d\d[^-\n]{0,6}- [^:\n]{1,40}:"
)
# The colon of a time does not end a head: "no texts from 23:00".
_TO_COLON = r"(?:[^.!?:\n]|(?<=\d):(?=\d)){0,60}:(?!\d)"
# Everything after such a head is somebody else's: "Fwd:", "my landlord wrote:", "got this from the bank:".
_HANDED_ON = re.compile(
    rf"^\W*(?:{_MARKS}|{_LONG_MARKS})[^\w\n]*[:：]|^\W*(?:{_LONG_MARKS})\W*$|^\W*fwd\b|"
    rf"(?<!\bI )(?<!\bwe )(?<!['’]ve )\b(?:{_SPEAKS})\b{_TO_COLON}|[说說写寫](?:道|了)?[：:]|"
    rf"\b(?:{_HANDS_ON})\b{_TO_COLON}|(?:{_FORWARDED})|{_OF_A_CHAT}",
    re.IGNORECASE | re.MULTILINE,
)
# If the text after the head is marked as a quotation, it ends with its marks.
_MARKED_SPEECH = re.compile(
    rf"(?:{_HANDED_ON.pattern})\s*(?:{_QUOTATION.pattern}|(?:^[ \t]*[>|].*\n?)+)", re.IGNORECASE | re.MULTILINE
)

_YES = re.compile(
    r"^\W*(?:(?:oh|ok|okay|well|hm+|please|cool|great)\b\W+)*(?:"
    r"(?:yes|yeah|yep|yup|yea|ya|sure|ok|okay|of course|please do|do (?:it|that|so)|go ahead|why not|sounds good|"
    r"keep (?:it|that)(?! (?!please|then|as a)\w)|correct|right(?! (?:now|after|before))|exactly|absolutely|definitely|"
    r"fine|perfect|great|agreed|deal|by all means|"
    r"s[ií]|claro|vale|dale|por supuesto|oui|ouais|d['’]accord|volontiers|ja|jawohl|gerne|genau|klar|sim|isso|pode ser|"
    r"certo|va bene|graag|prima|da|tak|evet|ano|igen|kyll[aä]|jo|ναι|да|конечно|так|כן|نعم|ایوه|हाँ|हां|जी)(?!\w)"
    r"(?!\W*(?:no|not|nope|nah|but|don|never mind|aber|pero|mais|ma)\b)|"
    r"はい|うん|お願い|是|好|可以|行|对|네|응|그래|ใช่|ได้|[👍👌✅🙏☑✔])",
    re.IGNORECASE | re.MULTILINE,
)
_KEEPS = re.compile(
    r"^(?!.*(?:\b(?:no|not|never)\b|n['’]?t\b)).*"
    r"\b(?:keep|make|activate|turn on|switch on|enable|confirm|accept|approve|save|add)\b.{0,60}\brules?\b",
    re.IGNORECASE | re.MULTILINE,
)

# Words in nearly every rule, apart from its matter: "never use emojis" is about emojis.
_OF_EVERY_RULE = subjects(
    "always never whenever every everything time only just please answer reply respond write text message say tell use "
    "do make give keep suggest recommend mention include add send show be want without instead with when"
)


def own_words(texts: Sequence[Written], *, names: bool = False) -> str:
    """The person's own words; with `names`, quotations of at most `NAME_WORDS` words are included."""
    told = "\n".join(text.words for text in texts if not text.forwarded)
    told = _MARKED_SPEECH.sub(" ", told)
    head = _HANDED_ON.search(told)
    told = told[: head.start()] if head else told
    told = _QUOTATION.sub(lambda one: one[0] if names and _names(one) else " ", told)
    return _QUOTED_LINE.sub("", told).strip()


def holds_others_words(texts: Sequence[Written]) -> bool:
    """True if these texts hold words that are not the person's own: forwarded, or quoted at length."""
    told = "\n".join(text.words for text in texts)
    quoted = not all(map(_names, _QUOTATION.finditer(told)))
    handed_on = any(text.forwarded for text in texts) or _HANDED_ON.search(told) or _QUOTED_LINE.search(told)
    return bool(quoted or handed_on)


def is_in_others_words(sentence: str, own: str, texts: Sequence[Written]) -> bool:
    """True if the sentence adds words to the person's own, and all of them are in others' words of these texts."""
    others = (subjects(text.words) - subjects(own_words([text], names=True)) for text in texts)
    more = subjects(sentence) - subjects(own)
    return bool(more) and more <= frozenset[str]().union(*others)


def is_echo(sentence: str, own: str, shown: Sequence[str]) -> bool:
    """True if a fact repeats words `shown` from memory in this turn that the person has not said now."""
    words = subjects(sentence)
    is_told = len(words & subjects(own)) >= TOLD_SHARE * len(words)
    return not is_told and any(len(words & subjects(text)) > TOLD_SHARE * len(words) for text in shown)


def share_told(sentence: str, words: str, *, matter_alone: bool = False) -> float:
    """The share of the sentence's words found in `words`, 0 to 1; `matter_alone` ignores words of every rule."""
    said = subjects(sentence)
    said = (said - _OF_EVERY_RULE or said) if matter_alone else said
    return len(said & subjects(words)) / len(said) if said else 0.0


def says_yes(words: str) -> bool:
    """True if a line begins with a yes or asks to keep a rule."""
    return bool(_YES.search(words) or _KEEPS.search(words))


def tells_rule(words: str, everything: str, phrase: str | None, procedure: str, *, strictly: bool) -> bool:
    """True if the person's own words tell this rule; its phrase, if any, must be in `everything` they sent.

    Words in nearly every rule count only if `strictly` is set, which is for turns with words of others.
    """
    if phrase is not None and not contains_phrase(everything, phrase):
        return False
    return share_told(procedure, words, matter_alone=not strictly) >= TOLD_SHARE


def _names(quotation: re.Match[str]) -> bool:
    return len(quotation[0].split()) <= NAME_WORDS
