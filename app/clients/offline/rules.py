"""What a text says of how things shall be done: rules to keep, and wishes about rules that are kept.

Rules are read from the person's words as they came, before contractions are written out: a phrase is kept as it will be
said.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.clients.offline.refusals import is_joke, is_reported
from app.clients.offline.sentences import TEXT_MAX_CHARS
from app.redaction import is_secret

PHRASE_MAX_WORDS = 8  # What somebody remembers to say.
SENTENCE_MAX_CHARS = 420  # A phrase, a procedure as long as any that is kept, and the words around them.

_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "„": '"'})
_PIECES = re.compile(r"(?<=[.!?;])\s+|\n+")

_BEGINS = (
    r"(?:(?:ok|okay|hey|hi|hello|well|so|and|also|but|btw|by the way|one more thing|please|pls|plz|keepsake|new rule|"
    r"(?:a |the )?rule|listen|look|from now on|from here on|going forward|in (?:the )?future|remember(?: that| this)?|"
    r"note(?: that)?)\b[ ,:;!.-]*)*"
)
_POLITELY = (
    r"(?:(?:can|could|would|will) you |i(?: would|'d)? (?:want|like|need) you to |"
    r"you (?:should|must|have to|need to|are to) |please |pls |kindly |just |then )*"
)
_VERBS = (
    r"(?:add|address|answer|ask|assume|avoid|be|begin|bring|check|compare|convert|count|do|don't|do not|end|explain|"
    r"finish|give|greet|include|keep|list|make|mention|offer|only|put|quote|recommend|reply|respond|say|send|show|sign|"
    r"skip|speak|spell|start|stop|suggest|summari[sz]e|talk|tell|text|translate|type|use|write)\b"
)
_NO_VERBS = r"(?!(?:text|message|call|wake|send)(?: me)? (?:again|after|before|between|at|on|during|while|until)\b)"
_WHENEVER = r"(?:when(?:ever)?|if|every time|each time|any ?time|as soon as|once)"
_I_SAY = rf"{_WHENEVER} I (?:say|text|write|type|send(?: you)?)"
_NEXT = r"(?:, ?| ?: ?| ?; ?| - | then )(?:then )?"
_SOMEBODY = r"(?:i|i'm|we|you|someone|somebody|there|it|my)"
_FROM_NOW_ON = r"(?:from now on|from here on|going forward|in (?:the )?future)"
_SUBJECT = r"(?:i|i'm|i'll|i've|my|we|we're|our|he|she|it|it's|they|the|there|this|that|you|call me|remind me)\b"
_FORGET = r"(?:forget|delete|remove|drop|cancel|get rid of|stop(?: doing| following)?|ignore)"
_NUMBERS = r"(?:the )?rules? (?:number |no\.? ?|#)?(?P<numbers>\d{1,9}(?:(?:, ?and |, ?| and | )#?\d{1,9})*)"


def _table(end: str, *rows: tuple[str, str]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(f"{_BEGINS}{_POLITELY}(?:{one}){end}", re.IGNORECASE)) for name, one in rows)


_RULES = _table(
    "",
    ("phrase", rf"{_I_SAY} \"(?P<trigger>[^\"]+)\"[ ,:;-]*(?:then )?{_POLITELY}(?P<do>[^\s,].+)"),
    ("phrase", rf"{_I_SAY} (?P<trigger>[^,:;\"]+?){_NEXT}{_POLITELY}(?P<do>.+)"),
    ("phrase", rf"{_I_SAY} (?P<trigger>[^,:;\"]+?) {_POLITELY}(?P<do>{_VERBS} .+)"),
    ("phrase", rf"(?P<do>(?:(?:always|never) )?{_VERBS} .+?) {_I_SAY} \"?(?P<trigger>[^,:;\"]+)\"?"),
    (
        "situation",
        (
            rf"{_WHENEVER} (?P<trigger>{_SOMEBODY} ?[^,:]+?){_NEXT}{_POLITELY}"
            rf"(?P<do>(?:always |never )?{_VERBS} .+|(?:no|only) .+)"
        ),
    ),
    ("always", rf"always {_NO_VERBS}(?P<do>{_VERBS}.+)"),
    ("always", rf"(?P<do>never (?:ever )?{_NO_VERBS}{_VERBS}.+)"),
    ("always", rf"{_FROM_NOW_ON}[ ,:]+{_POLITELY}(?!{_SUBJECT})(?P<do>.+)"),
    ("always", rf"(?!{_SUBJECT})(?P<do>(?:{_VERBS}|no|only) .+?),? {_FROM_NOW_ON}(?: please)?"),
)
_AROUND = re.compile(r"^do (?!not\b)(?=\S+ )|,? (?:please|pls|thanks|thank you|ok|okay)$", re.IGNORECASE)
_NO_PROCEDURE = re.compile(
    rf"{_SUBJECT}|(?:never |always )?(?:remind|remember|forget|note|(?:keep|bear) (?:it |this |that )?in mind|give up|"
    r"say never|stop (?:dreaming|believing|learning))\b",
    re.IGNORECASE,
)
_WISHES = _table(
    "(?: (?:please|now|any ?more|again))*",
    (
        "list",
        r"(?:(?:what are|what's|which are|show(?: me)?|list|tell me|read me) )?(?:all )?(?:of )?(?:my|your|the) rules",
    ),
    (
        "list",
        r"(?:what|which) rules (?:do i have|do you (?:have|know|follow)|have i (?:set|given you|told you)|are there)",
    ),
    ("list", "rules"),
    ("forget", rf"{_FORGET} {_NUMBERS}"),
    ("pause", rf"(?:pause|suspend|set aside|turn off|switch off) {_NUMBERS}"),
    ("resume", rf"(?:resume|unpause|restart|turn on|switch on) {_NUMBERS}"),
    ("keep", rf"(?:keep|confirm|accept|yes to|approve) {_NUMBERS}"),
    ("forget", rf"{_FORGET} all (?:of )?(?:my|the) rules"),
    ("forget", rf"{_FORGET} (?P<that>(?:that|this|the last|my|the) rule)"),
    ("forget", rf"{_FORGET} (?:that|the|my) rule (?:about|on|with|for|that says) (?P<about>.+)"),
    ("forget", rf"{_FORGET} (?:that|the|my) (?P<about>.+?) rules?"),
)


@dataclass(frozen=True)
class RuleSaid:
    """A rule that the person set, in their own words."""

    trigger_kind: str
    trigger: str | None
    procedure: str


@dataclass(frozen=True)
class RuleWish:
    """What is to become of rules that are kept."""

    verb: str
    """`list`, `forget`, `pause`, `resume` or `keep`."""
    numbers: tuple[int, ...] = ()
    about: str | None = None
    """Words of the rule that is meant; empty for the only one there is, None where numbers or all are named."""


def take_rules(text: str) -> tuple[str, list[RuleSaid], list[RuleWish]]:
    """The text without its sentences about rules, and what these say."""
    rest: list[str] = []
    said: list[RuleSaid] = []
    wishes: list[RuleWish] = []
    for line in text[:TEXT_MAX_CHARS].split("\n"):
        left = []
        for piece in _PIECES.split(line):
            rule, wish = rule_in(piece), wish_in(piece)
            if wish is not None:
                wishes.append(wish)
            elif rule is not None:
                said.append(rule)
            else:
                left.append(piece)
        rest.append(" ".join(left))
    return "\n".join(rest), said, wishes


def rule_in(sentence: str) -> RuleSaid | None:
    """The rule that a sentence sets, or None."""
    words = " ".join(sentence.translate(_STRAIGHT).split())
    if len(words) > SENTENCE_MAX_CHARS:
        return None
    asked = words.endswith("?") and not re.match(rf"{_BEGINS}(?:can|could|would|will) you ", words, re.IGNORECASE)
    if asked or is_joke(words) or is_secret(words):
        return None
    words = words.strip(" .!?,;")
    return next(_found(words), None)


def wish_in(sentence: str) -> RuleWish | None:
    """The wish about rules that a sentence is, or None."""
    words = " ".join(sentence[:SENTENCE_MAX_CHARS].translate(_STRAIGHT).split()).strip(" .!?,;")
    for verb, expression in _WISHES:
        found = expression.fullmatch(words)
        if found is None:
            continue
        groups = found.groupdict()
        numbers = tuple(int(number) for number in re.findall(r"\d+", groups.get("numbers") or ""))
        return RuleWish(verb, numbers, "" if groups.get("that") else groups.get("about"))
    return None


def _found(words: str) -> Iterator[RuleSaid]:
    for kind, expression in _RULES:
        found = expression.fullmatch(words)
        if found is None:
            continue
        trigger = (found.groupdict().get("trigger") or "").strip(" ,") or None
        does = _AROUND.sub("", found["do"]).strip(" ,:;-")
        if _is_sound(kind, trigger, does):
            yield RuleSaid(kind, trigger, does[:1].upper() + does[1:])


def _is_sound(kind: str, trigger: str | None, does: str) -> bool:
    if kind == "phrase" and len((trigger or "").split()) > PHRASE_MAX_WORDS:
        return False
    if _NO_PROCEDURE.match(does):
        return False
    return bool(does) and not is_reported(does)
