"""Gates: of looking into memory, and of writing into it. Pure.

Why memory is looked into is a few fixed words that hold nothing of what anybody wrote: they stand on the turn and are
counted.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.memory.episodes.significance import asks_an_almanac, words_that_say
from app.memory.episodes.triggers import says_goodbye
from app.text.wording import normalise, subjects

WINDOW_TURNS = 4  # For so many turns what was found for a topic holds, and nobody looks again.
SAME_QUESTION_SECONDS = 180.0  # So long a text that is sent again is the same question, with the same answer.
SAYS_SOMETHING = 2  # Words beside politeness, and "I" or "my": one alone, such as "meh", opens no topic.
LEAST_SECONDS = 5.0  # What the model needs at the least; whatever is left above it may be spent on looking.
ECHO_SHARE = 0.5  # Of a fact's words; as many make it the person's own, see `ToolContext`.

Days = tuple[int, int]  # The first and the last of some days, proleptic Gregorian ordinals.

# What points at something said or done before. Broad on purpose: to look costs milliseconds, and the floor decides.
_PAST = re.compile(
    r"\b(?:last (?:time|week|month|year|summer|winter|spring|autumn|fall|night|one)|remember (?!to\b)|remembers?\?|"
    r"(?:do|did|can) you (?:still )?(?:remember|recall|know what)|we (?:talked|spoke|discussed|said)|"
    r"you (?:said|told|mentioned|suggested|recommended)|(?:did i|have i|i|i['’]ve|i had) (?:ever |once |already )?"
    r"(?:said|say|told|tell|tell you|mention|mentioned|ask|asked)\b|as i (?:said|told)|like (?:last|before|always)|"
    r"the other (?:day|week|night)|(?:days?|weeks?|months?|years?) ago|back (?:then|in)|used to|as usual|"
    r"(?:in|last|since|during) (?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december)|what happened (?:to|with)|how did .{1,60} go\b|whatever happened|what was (?:i|my|the|that)|"
    r"who was|where did|when did|what did i|"
    r"la [uú]ltima vez|(?:te )?acuerdas|recuerdas|te (?:dije|cont[eé])|la derni[eè]re fois|(?:te|tu) (?:souviens|"
    r"rappelles)|je t['’]ai (?:dit|parl[eé])|letztes mal|letzte woche|erinnerst|habe ich (?:dir )?(?:gesagt|"
    r"erz[aä]hlt)|l['’]ultima volta|(?:ti )?ricordi|ti ho (?:detto|parlato)|da [uú]ltima vez|(?:voc[eê] )?lembra|"
    r"te (?:disse|falei)|vorige keer|weet je nog)|上次|记得|前回|覚えて|지난번|기억",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|i['’]?(?:m|ve|d)|me|my|mine|we|us|our|ours)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"[?？]\s*$|^\W*(?:(?:and|so|but|ok|hey|well)[, ]+)?(?:what|who|whom|whose|where|when|why|how|which|do|does|did|am|"
    r"is|are|was|were|have|has|had|can|could|should|would|will|tell me)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"\b(?:he|she|him|her|his|hers|it|its|that|this|these|those|they|them|their|there)\b", re.IGNORECASE
)

# "When is the funeral?" asks for one that they told of, as an almanac has none of that name.
_OF_THE_ONE = re.compile(
    r"^\W*(?:(?:and|so|but|ok|hey)[, ]+)?(?:when(?:['’]?s| is| was| are| were)|"
    r"(?:what|which) (?:time|day|date) (?:is|was)|who (?:is|was)) (?:the|our)\b",
    re.IGNORECASE,
)
# A name as it is written in the midst of a sentence, and those whom people call by what they are to them.
_NAME = re.compile(r"(?<=[^\W\d_][ ,])(?!I\b)[^\W\d_a-z][^\W\d_A-Z]+\b")
_KIN = re.compile(
    r"\b(?:mum|mom|mommy|mummy|mama|dad|daddy|papa|grandma|granny|nana|grandpa|grandad|granddad|auntie)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Before:
    """An earlier turn of the same conversation."""

    words: str
    seconds_ago: float
    gate: str  # The reason that stands on it; empty where none does.

    @property
    def looked(self) -> bool:
        return self.gate in LOOKED


LOOKED = frozenset({"past", "themselves", "a day", "a name", "start", "new topic", "long since"})
"""The reasons with which `to_recall` lets a turn look."""
ASKED_FOR = frozenset({"past", "themselves"})
"""Those of them with which the person asks for something that is past, or theirs."""
HELD = frozenset({"same topic", "same question"})
"""Those with which nobody looks, and what was found shortly before is shown again."""


def to_recall(
    words: str, before: Sequence[Before], *, days: Days | None = None, today: int = 0, holds_anything: bool = True
) -> str:
    """Why a turn looks into memory, one of `LOOKED`, or does not; `before` are those of its conversation, newest first.

    `days` are those that the words name, see `query.asked_days`; `today` is the person's own, an ordinal as they are.
    """
    if not holds_anything:
        return "nothing kept"
    said, asked, window = words_that_say(words), normalise(words), before[:WINDOW_TURNS]
    is_question, own = bool(_ASKS.search(words.strip())), bool(_OWN.search(words))
    points_back = bool(_POINTS_BACK.search(words))
    looked = any(one.looked for one in window)
    # A question may be about one thing and say no more than its name: "how was the wedding?"
    asks_anybody = asks_an_almanac(words) and not _OF_THE_ONE.match(words)
    asks_of_one_thing = is_question and bool(said) and not points_back and not asks_anybody
    says_little = len(said) + (own and bool(said)) < SAYS_SOMETHING and not asks_of_one_thing
    little = says_little or says_goodbye(words)
    of_days = days if is_question else None
    # In this order: the first that is true decides. What a question asks for by itself stands before all that is
    # guessed from what was said before it.
    reasons = {
        "same question": any(
            one.looked and one.seconds_ago < SAME_QUESTION_SECONDS and normalise(one.words) == asked for one in before
        ),
        "past": (bool(_PAST.search(words)) and (bool(said) or is_question))
        or (of_days is not None and of_days[0] < today),
        "themselves": is_question and bool(said) and own,
        "a day": of_days is not None and of_days[1] > today,
        "a name": is_question and bool(_NAME.search(words) or _KIN.search(words)),
        "same topic": looked and little and (is_question or points_back),
        "small talk": little,
        "start": not any(one.gate in LOOKED | HELD for one in before),
        "new topic": not any(said & words_that_say(one.words) for one in window),
        "long since": not looked,
    }
    return next((reason for reason, is_so in reasons.items() if is_so), "same topic")


def is_echo(sentence: str, own_words: str, shown: Sequence[str]) -> bool:
    """Whether a fact says what was `shown` from memory in this turn, and the person has not said it now."""
    words = subjects(sentence)
    is_told = len(words & subjects(own_words)) >= ECHO_SHARE * len(words)
    return not is_told and any(len(words & subjects(text)) > ECHO_SHARE * len(words) for text in shown)
