"""What of a turn's texts is the person's own: not what they forwarded or quoted. And whether they say yes. Pure.

Only the person's own words may make a rule. Where it is not plain whose words these are, they count as another's: then
the person is asked, and their yes is all that it takes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.memory.phrases import holds
from app.memory.wording import subjects

NAME_WORDS = 2  # A quotation of so many names something ("quick update"); a longer one is somebody's speech.
TOLD_SHARE = 0.5  # Of a sentence's words: one that is shared by chance ("look", "my") does not make it the person's.


@dataclass(frozen=True)
class Written:
    """One text as it came."""

    words: str
    forwarded: bool = False
    """Whether its carrier calls it forwarded."""


# A straight quotation mark behind a letter or a digit opens nothing: 5'11", an "s.
_QUOTATION = re.compile(r"(?:(?<!\w)\"|[“„«‹「『])[^\"“”„«»‹›「」『』]*(?:[\"“”»›」』]|\Z)")
_QUOTED_LINE = re.compile(r"^[ \t]*[>|].*$", re.MULTILINE)
_SPEAKS = (
    r"wrote|writes|says|said|texted|texts|posted|emailed|replied|told (?:me|us)|"
    r"escribi[oó]|escribe|dijo|dice|puso|a [eé]crit|[eé]crit|a dit|dit|schrieb|schreibt|sagte?|geschrieben|"
    r"scrisse|scritto|scrive|ha detto|escreveu|escreve|disse|diz|schreef|schrijft|zei|zegt"
)
_HANDS_ON = (
    r"sent|sends|forward(?:ed|ing|s)?|received|got|fwd|copied|pasted|pasting|"
    r"envi[oó]|mand[oó]|recib[ií]|re[cç]u|envoy[eé]|geschickt|bekommen|weitergeleitet|inviato|ricevuto|enviou|recebi"
)
# From such a head on, all that follows is another's: "Fwd:", "my landlord wrote:", "got this from the bank:".
_HANDED_ON = re.compile(
    rf"^\W*(?:fwd?|wg|rv|from|von|(?:begin )?forwarded(?: message)?)\W*[:\n]|"
    rf"(?<!\bI )(?<!\bwe )(?<!['’]ve )\b(?:{_SPEAKS})\b[^.!?:\n]{{0,60}}:|"
    rf"\b(?:{_HANDS_ON})\b[^.!?:\n]{{0,60}}:|\bforwarded message\b",
    re.IGNORECASE | re.MULTILINE,
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

# What nearly every rule says beside its matter: "never use emojis" is about emojis.
_OF_EVERY_RULE = subjects(
    "always never whenever every everything time only just please answer reply respond write text message say tell use "
    "do make give keep suggest recommend mention include add send show be want without instead with when"
)


def own_words(texts: Sequence[Written]) -> str:
    """What the person wrote themselves, their texts one below the other."""
    told = "\n".join(text.words for text in texts if not text.forwarded)
    head = _HANDED_ON.search(told)
    told = told[: head.start()] if head else told
    return _QUOTED_LINE.sub("", _QUOTATION.sub(" ", told)).strip()


def others_speak(texts: Sequence[Written]) -> bool:
    """Whether something in these texts is not the person's own speech: forwarded, or quoted at length."""
    told = "\n".join(text.words for text in texts)
    quoted = any(len(one[0].split()) > NAME_WORDS for one in _QUOTATION.finditer(told))
    handed_on = any(text.forwarded for text in texts) or _HANDED_ON.search(told) or _QUOTED_LINE.search(told)
    return bool(quoted or handed_on)


def share_told(sentence: str, words: str, *, matter_alone: bool = False) -> float:
    """Which share of the sentence's words these words hold, 0 to 1; with `matter_alone` of what it is about."""
    said = subjects(sentence)
    said = (said - _OF_EVERY_RULE or said) if matter_alone else said
    return len(said & subjects(words)) / len(said) if said else 0.0


def says_yes(words: str) -> bool:
    """Whether one of these lines begins as a yes does, or wants a rule kept."""
    return bool(_YES.search(words) or _KEEPS.search(words))


def tells_rule(words: str, everything: str, phrase: str | None, procedure: str, *, strictly: bool) -> bool:
    """Whether the person's own words tell this rule; its phrase, where it has one, may stand in `everything` they sent.

    Words that every rule has count only `strictly`: where something else than the person has spoken in the turn.
    """
    if phrase is not None and not holds(everything, phrase):
        return False
    return share_told(procedure, words, matter_alone=not strictly) >= TOLD_SHARE
