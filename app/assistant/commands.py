"""The words a person can text that work without the model."""

import re
from collections.abc import Callable

from app import people
from app.assistant.asked import NUMBER, NUMBERS, SOURCES, Asked
from app.assistant.lane import OpenTurn
from app.assistant.routine_commands import ROUTINE_COMMANDS
from app.assistant.rule_commands import RULE_COMMANDS
from app.clock import spoken_date
from app.errors import Conflict, KeepsakeError, NotFound
from app.memory import facts, forget, revise, undo
from app.models import Conversation, Fact, Message
from app.services import Services

HELP = """\
Text me like a friend: I remember what matters about you.
/memory - what I know about you, numbered
/memory why 3 - how I know it
/memory pin 3 - always keep it in mind (/memory unpin 3)
/memory forget 3 - forget it (/memory forget name)
/memory off, /memory on - leave memory out of this conversation
/rules - how you want things done (/rules pause 3, /rules forget 3)
/routines - what I text you by myself (/routines skip 2, /routines forget 2)
/pause, /resume - all of it, or one: /pause 2
/undo - take back the last change
STOP, END, QUIT or CANCEL alone ends all texts from me, START begins again. To drop one thing, name it."""

ARCHIVED_SHOWN = 100  # More do not fit into the texts that one reply may take.


def run(services: Services, turn: OpenTurn) -> str:
    """What is answered to the command; what cannot be done is said, with what can."""
    words = " ".join(turn.texts[0].body.split()).casefold()
    for pattern, command in _COMMANDS:
        if re.fullmatch(pattern, words):
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            try:
                return command(Asked(services, turn, numbers))
            except KeepsakeError as error:
                if error.is_fault:
                    raise
                return str(error)
    return _not_known(words)


def _not_known(words: str) -> str:
    word = words.split(maxsplit=1)[0][:30]  # Not more: it came from outside, and is sent back.
    if word in _TO_COME:
        return f"{word} does not work yet; it comes with a later version. Text /help to see what works."
    return f"I don't know {word} in that form. Text /help to see what works."


def _help(asked: Asked) -> str:  # noqa: ARG001  (all commands have one signature)
    return HELP


def _list(asked: Asked) -> str:
    with asked.services.reading() as db:
        person = people.by_id(db, asked.person_id)
        now = asked.services.clock.now()
        known = facts.live(db, asked.person_id, now)
        archived = facts.count_archived(db, asked.person_id, now)
        memory_on = db.get_one(Conversation, asked.turn.conversation_id).memory_on
    lines = [f"{fact.number}. {fact.sentence}{' (pinned)' if fact.pinned else ''}" for fact in known]
    about = f"You are {person.name}. " if person.name else ""
    zone = {"told": "Your time zone is", "guessed": "Going by your number, your time zone is"}
    clock = f"{zone[person.timezone_source]} {person.timezone}. " if person.timezone_source in zone else ""
    off = "" if memory_on else "Memory is off for this conversation (/memory on). "
    if not lines and not archived:
        return f"{off}{about}{clock}I don't know anything else about you yet. Tell me something!"
    more = [f"And {archived} archived: /memory archived."] if archived else []
    wrong = f"Wrong? /memory forget and the number{', or /memory forget name' if person.name else ''}."
    return "\n".join([f"{off}{about}{clock}What I know about you:", *lines, *more, wrong])


def _list_archived(asked: Asked) -> str:
    with asked.services.reading() as db:
        archived = facts.archived(db, asked.person_id, asked.services.clock.now(), limit=ARCHIVED_SHOWN)
    if not archived:
        return "Nothing is archived: all I know about you is under /memory."
    lines = [f"{fact.number}. {fact.sentence}" for fact in archived]
    again = "Tell me one again and I keep it in mind. /memory forget and the number drops it."
    return "\n".join(["Archived, the latest first; I find it when you ask for it:", *lines, again])


def _pin(asked: Asked) -> str:
    fact = _set_pinned(asked, pinned=True)
    return f"Pinned: {fact.sentence}. I will always keep it in mind."


def _unpin(asked: Asked) -> str:
    fact = _set_pinned(asked, pinned=False)
    return f"No longer pinned: {fact.sentence}. I still know it."


def _set_pinned(asked: Asked, *, pinned: bool) -> Fact:
    try:
        return revise(asked.services, asked.person_id, asked.numbers[0], asked.origin, pinned=pinned)
    except NotFound:
        raise _unknown(asked.numbers) from None


def _forget(asked: Asked) -> str:
    forgotten = forget(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = []
    if forgotten.removed:
        said.append(f"Forgotten: {'; '.join(fact.sentence for fact in forgotten.removed)}. /undo brings it back.")
    if forgotten.unknown:
        said.append(str(_unknown(forgotten.unknown)))
    return " ".join(said)


def _forget_name(asked: Asked) -> str:
    try:
        people.forget_name(asked.services, asked.person_id, asked.origin)
    except NotFound:
        return "I don't know your name."
    return "Forgotten: your name. /undo brings it back."


def _why(asked: Asked) -> str:
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        fact = facts.held_by_number(db, asked.person_id, asked.numbers[0])
        if fact is None:
            raise _unknown(asked.numbers)
        message = db.get(Message, fact.message_id) if fact.message_id else None
        before = facts.versions(db, asked.person_id, fact.number)[:-1]
    return _explained(fact, message, before, zone)


def _unknown(numbers: list[int]) -> NotFound:
    return NotFound(f"I have no number {', '.join(map(str, numbers))}. Text /memory to see the numbers.")


def _explained(fact: Fact, message: Message | None, before: list[Fact], zone: str) -> str:
    how = SOURCES[fact.source]
    said = f"{fact.sentence}: {how} on {spoken_date(message.created_at if message else fact.recorded_at, zone)}"
    said += f': "{fact.quote}".' if fact.quote else "."
    earlier = [version.sentence for version in before if version.normalised != fact.normalised]
    return f"{said} Before that: {'; '.join(dict.fromkeys(earlier))}." if earlier else said


def _off(asked: Asked) -> str:
    _switch(asked, on=False)
    return "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."


def _on(asked: Asked) -> str:
    _switch(asked, on=True)
    return "Memory is on again."


def _switch(asked: Asked, *, on: bool) -> None:
    with asked.services.transaction() as db:
        db.get_one(Conversation, asked.turn.conversation_id).memory_on = on


def _undo(asked: Asked) -> str:
    try:
        undone = undo(asked.services, asked.person_id, asked.turn.id)
    except Conflict as error:
        return f"That can't be undone: {error}"
    return undone.sentence if undone else "There is nothing to undo."


_TO_COME = frozenset({"/forget", "/export"})
"""Words of the contract whose parts are not built yet."""

_COMMANDS: tuple[tuple[str, Callable[[Asked], str]], ...] = (
    (r"/help", _help),
    (r"/memory( list)?", _list),
    (r"/memory archived", _list_archived),
    (rf"/memory pin {NUMBER}", _pin),
    (rf"/memory unpin {NUMBER}", _unpin),
    (rf"/memory forget {NUMBERS}", _forget),
    (r"/memory forget (?:my )?name", _forget_name),
    (rf"/memory why {NUMBER}", _why),
    (r"/memory off", _off),
    (r"/memory on", _on),
    (r"/undo", _undo),
    *RULE_COMMANDS,
    *ROUTINE_COMMANDS,
)
