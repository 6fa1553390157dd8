"""A yes or a no to what was suggested, understood by code: so it works without a model, and a yes means what was asked.

A yes counts as the answer to our last text alone; a no also a little later, for it is the safer one to hear. Whatever
says more than that is the model's to answer: it knows what was suggested, and may set it up in other words.
"""

import re
from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import people
from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.errors import Conflict, Refused
from app.features.habits import records
from app.memory import Origin, RuleWords, set_rule
from app.memory.rules import spoken
from app.models import Message, Suggestion
from app.models.states import move
from app.routines import rows, setting, suggestions
from app.routines.described import describe, spoken_instant
from app.routines.setting import NewRoutine
from app.services import Services
from app.store.faultpoints import reach
from app.text.own_words import Written, own_words, says_yes
from app.text.wording import folded

NO_LATER = timedelta(hours=1)
MOST_WORDS = 8

_NO = re.compile(
    r"^\W*(?:(?:oh|ok|okay|well|hm+|please|um+)\b\W+)*(?:(?:no|nope|nah|not? thanks?|no,? thank you|never|"
    r"please don['’]?t|"
    r"don['’]?t|do not|stop (?:suggesting|asking)|i['’]?d rather not|rather not|not interested|no need|nein|n[oö]|"
    r"nee|lieber nicht|nicht n[oö]tig|non|pas la peine|n[aã]o|hay[iı]r|yok|gerek yok|istemiyorum|mejor no|ni hablar|"
    r"nej|"
    r"nie|nu|ne|нет|ні|לא|لا|नहीं)(?!\w)|いいえ|いや|不|아니|[👎🚫❌])",
    re.IGNORECASE,
)
# What a plain yes says besides.
_BESIDE_YES = frozenset(
    folded(
        "yes yeah yep yup yea ya sure ok okay of course please do it that so go ahead why not sounds good keep correct "
        "right exactly absolutely definitely fine perfect great agreed deal by all means thanks thank you would be "
        "cool "
        "nice love id like to like i a the oh well hm and good idea awesome lovely lets "
        "si claro vale dale por supuesto gracias hazlo favor me parece bien genial buena idea "
        "oui ouais d accord volontiers merci bien sur avec plaisir bonne idee "
        "ja jawohl gerne genau klar danke bitte mach das super gern passt sehr gute idee "
        "sim isso pode ser certo va bene grazie graag prima da tak evet olur tamam lutfen tesekkurler cok iyi guzel "
        "igen jo kylla"
    ).split()
)


def answer(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply to a plain yes or no to what was suggested; None where the turn is about something else, or more."""
    if turn.routine is not None or not turn.memory_on:
        return None
    with services.reading() as db:  # Nearly nobody has one open.
        suggestion = records.open_of(db, turn.person_id)
        if turn.taken_up:  # It may have been answered before, by a process that died then.
            own = [text.id for text in turn.texts]
            suggestion = records.answered_by(db, turn.person_id, own) or suggestion
        if suggestion is None or suggestion.said_at is None:
            return None
        is_last = _was_said_last(db, suggestion, turn)
        zone = people.by_id(db, turn.person_id).timezone
    words = own_words([Written(text.body, text.forwarded) for text in turn.texts])
    if _NO.search(words):
        is_near = turn.texts[0].created_at - suggestion.said_at <= NO_LATER
        is_plain = _is_short(words)
        if is_last or (is_near and is_plain):
            _note(services, suggestion, turn, "declined")
        return Reply("Okay, I won't suggest that again.", "suggestion_declined") if is_last and is_plain else None
    if is_last and _is_plain_yes(words) and not any(text.media_count for text in turn.texts):
        return Reply(_accepted(services, suggestion, turn, zone), "suggestion_accepted")
    return None


def _accepted(services: Services, suggestion: Suggestion, turn: OpenTurn, zone: str) -> str:
    """What was made of it, told. Run again after its process died, it finds what was made and makes nothing more."""
    make: Callable[..., tuple[int, str]] = _set_rule if suggestion.schedule is None else _set_routine
    try:
        number, told = make(services, suggestion, turn, zone)
    except Refused:
        kind = "rules" if suggestion.schedule is None else "routines"
        return f"You have as many {kind} as I can keep. Text /{kind}, drop one, and ask me for this again."
    reach("suggestion.made")
    _note(services, suggestion, turn, "accepted", made_number=number)
    return told


def _set_routine(services: Services, suggestion: Suggestion, turn: OpenTurn, zone: str) -> tuple[int, str]:
    schedule = suggestions.schedule_of(suggestion)
    new = NewRoutine("run", suggestion.words, schedule)
    try:
        routine = setting.set_routine(services, turn.person_id, new, _origin(suggestion, turn), turn.carrier)
        number, next_at = routine.number, routine.next_due_at
    except Conflict:
        with services.reading() as db:
            theirs = rows.standing(db, turn.person_id)
            same = [one for one in theirs if one.words == suggestion.words and one.schedule == suggestion.schedule]
        number, next_at = (same[0].number, same[0].next_due_at) if same else (0, None)
    now = services.clock.now()
    first = f" First: {spoken_instant(next_at, zone, now)}." if next_at is not None else ""
    when = describe(schedule, zone)
    return number, f'Done: "{suggestion.words}", {when}.{first} /routines shows all, /undo takes it back.'


def _set_rule(services: Services, suggestion: Suggestion, turn: OpenTurn, zone: str) -> tuple[int, str]:  # noqa: ARG001
    words = RuleWords("always", None, suggestion.procedure or "")
    rule = set_rule(services, turn.person_id, words, _origin(suggestion, turn)).rule
    return rule.number, f"Kept, and it holds from now on: {spoken(rule)}. /rules shows all, /undo takes it back."


def _origin(suggestion: Suggestion, turn: OpenTurn) -> Origin:
    """Theirs: they said the words again and again, and yes to what was made of them."""
    return Origin("person", "explicit", turn.id, suggestion.message_id, suggestion.words)


def _note(services: Services, suggestion: Suggestion, turn: OpenTurn, state: str, **values: object) -> None:
    with services.transaction() as db:
        values |= {"answered_at": services.clock.now(), "answer_message_id": turn.texts[-1].id}
        move(db, Suggestion, state, Suggestion.id == suggestion.id, **values)


def _was_said_last(db: Session, suggestion: Suggestion, turn: OpenTurn) -> bool:
    """Whether nothing of ours went out since, and it did."""
    ours = select(Message.turn_id).where(
        Message.person_id == turn.person_id,
        Message.direction == "out",
        Message.id < turn.texts[0].id,
        Message.state.in_(("sent", "sending", "unknown")),
    )
    return db.scalar(ours.order_by(Message.id.desc()).limit(1)) == suggestion.turn_id


def _is_short(words: str) -> bool:
    return len(words.split()) <= MOST_WORDS and "?" not in words


def _is_plain_yes(words: str) -> bool:
    return _is_short(words) and says_yes(words) and not set(folded(words).split()) - _BESIDE_YES - _SYMBOLS


_SYMBOLS = frozenset(folded("👍 👌 ✅ 🙏 ☑ ✔ 🙂 😊 ❤️ はい うん お 願 い 是 好 可 以 行 对 네 응 그 래").split())
