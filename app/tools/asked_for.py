"""The test that a person wants what comes by itself set or changed: their own words, and nobody else's, decide."""

import re

from app.clock import MONTHS, WEEKDAYS
from app.errors import Refused
from app.routines import rows
from app.text.own_words import TOLD_SHARE, says_yes, share_told
from app.text.wording import subjects
from app.tools.context import ToolContext, has_foreign_link

# What makes a wish of a text: broad, for it only opens what the model's instructions allow as well.
_ASKS = re.compile(
    r"\b(remind|reminders?|alarm|timer|wake|text me|message me|send me|tell me|ping|nudge|ask me|schedul|"
    r"every|each|daily|weekly|monthly|yearly|tomorrow|tonight|don['’]?t let me forget|in \d+ ?(?:m|h|d|w)|at \d|"
    r"recu[eé]rda|av[ií]sa|despi[eé]rta|cada|mañana|rappelle|préviens|réveille|chaque|tous les|demain|erinner|"
    r"weck|jede[nrs]?|morgen|lembr|avis[ae]|todo[s]? os|amanh|ricorda|svegli|ogni|domani|herinner|elke|iedere)|"
    r"^\W*(?:yes|yeah|yep|sure|ok(?:ay)?|please|go ahead|do (?:it|that)|s[ií]|oui|ja|sim|claro|d['’]accord|gerne)\b",
    re.IGNORECASE,
)
# The answer to "At what time?" or "Which day?": the wish itself was in a text before.
_MONTHS = "|".join(month[:3] for month in MONTHS)
_ANSWERS = re.compile(
    r"\d ?[ap]\.?m\b|^\W*(?:\d{1,2}(?:[:.]\d\d)?|[ap]\.?m\.?)\W*$|\b(?:morning|afternoon|evening|noon|midnight|"
    rf"(?:{'|'.join(WEEKDAYS)}))\b|\d(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})|\b(?:{_MONTHS})[a-z]* \d",
    re.IGNORECASE,
)
# What is said of a routine that there is: as broad, for the same reason.
_CHANGES = re.compile(
    r"\b(?:routines?|cancel|stop|pause|resume|skip|snooze|drop|end|delete|remove|forget|"
    r"turn (?:it|that|them) (?:on|off)|no more|no longer|not any ?more|without|instead|make|set|put|add|"
    r"switch|chang\w*|mov\w+|quiet|disturb|later|earlier|"
    r"recordatori|quita|cancela|cambia|para|silenci|rappels?|annul|arr[êe]te|supprim|change|lösch|abbrech|absag|änder|"
    r"verschieb|stopp|ruhe|cancell|spost|smett|apag|mud[ae]|pare|annuleer|verplaats|stil)",
    re.IGNORECASE,
)


def is_told(ctx: ToolContext, words: str) -> bool:
    """Whether the person's own texts ask for it: not what came in a file, what others wrote, nor what was recalled."""
    shares = share_told(words, ctx.own) >= TOLD_SHARE
    asks = any(pattern.search(ctx.own) for pattern in (_ASKS, _ANSWERS))
    return shares or (asks and not ctx.others_say(words))


def check_wanted(ctx: ToolContext, *, lightly: bool = False) -> None:
    """Let nothing that comes by itself be changed because something else than the person says so.

    What is done `lightly` ends nothing; then any word of their own beside a picture is enough.

    Raises:
        Refused: nothing of the turn is the person's own words; or others have spoken in it, and theirs ask for nothing.
    """
    ctx.check_asked_for()
    wants = says_yes(ctx.own) or any(pattern.search(ctx.own) for pattern in (_ASKS, _ANSWERS, _CHANGES))
    if not (lightly or wants) and ctx.others_speak:
        raise Refused(
            "Nothing was changed: the person's own words do not ask for it, only what came with them. Ask them "
            "whether you should."
        )


def check_rewording(ctx: ToolContext, number: int, words: str) -> None:
    """Let nobody else's words take the place of what the person asked for.

    Raises:
        Refused: others have spoken in this turn, and what the words say beyond those of the routine is not the
            person's; or they hold a link that is in neither.
    """
    with ctx.services.reading() as db:
        routine = rows.by_number(db, ctx.person_id, number)
        before = routine.words if routine is not None else words
    new = subjects(words) - subjects(before)
    told = len(new & subjects(ctx.own)) >= TOLD_SHARE * len(new)
    if has_foreign_link(words, f"{ctx.own}\n{before}") or (ctx.others_say(words) and not told):
        raise Refused(
            f"Nothing was changed: '{words[:60]}' is not what the person wrote. Ask them in your answer whether it "
            "shall say that; their next text may say yes."
        )


def check_agreed(ctx: ToolContext, number: int) -> None:
    """Let no routine that was proposed be taken for wanted before the person says so.

    Raises:
        Refused: it was proposed in this turn, or their own words neither say yes nor say what it does.
    """
    with ctx.services.reading() as db:
        routine = rows.by_number(db, ctx.person_id, number)
    if routine is None or routine.state != "proposed":
        return
    if routine.turn_id == ctx.turn_id is not None:
        raise Refused("It was only proposed in this turn. Ask the person, and accept it when they have said yes.")
    if not (says_yes(ctx.own) or share_told(routine.words, ctx.own) >= TOLD_SHARE):
        raise Refused(
            "Nothing was changed: the person's own words do not say yes to it. Ask them, and wait for their next text."
        )
