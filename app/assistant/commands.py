"""The words a person can text that work without the model."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from app import people
from app.assistant.lane import OpenTurn
from app.clock import spoken_date
from app.errors import Conflict, KeepsakeError, NotFound
from app.memory import Origin, facts, forget, revise, undo
from app.memory.forgotten import untouched
from app.memory.subject_names import joined_subjects
from app.models import Conversation, Fact, Message
from app.services import Services

HELP = """\
Text me like a friend: I remember what matters about you.
/memory - what I know about you, numbered
/memory why 3 - how I know it
/memory pin 3 - always keep it in mind (/memory unpin 3)
/memory forget 3 - forget it (also: forget name, forget my exam)
/memory off, /memory on - leave memory out of this conversation
/undo - take back the last change of my memory
STOP, END, QUIT or CANCEL alone ends all texts from me, START begins again. To drop one thing, name it."""

_WAY_BACK = "/undo brings it back."

ARCHIVED_SHOWN = 100  # More do not fit into the texts that one reply may take.

_SOURCES = {
    "explicit": "You told me",
    "corrected": "You corrected it",
    "inferred": "I took it from what you wrote",
    "imported": "It was imported",
    "operator": "The operator of this service wrote it",
    "agent": "A program that you use wrote it",
}


@dataclass(frozen=True)
class _Asked:
    """One command as it was texted."""

    services: Services
    turn: OpenTurn
    numbers: list[int]

    @property
    def person_id(self) -> int:
        return self.turn.person_id

    @property
    def origin(self) -> Origin:
        return Origin("person", "explicit", self.turn.id, self.turn.texts[0].id, self.turn.words)


def run(services: Services, turn: OpenTurn) -> str:
    """What is answered to the command; what cannot be done is said, with what can."""
    words = " ".join(turn.texts[0].body.split()).casefold()
    for pattern, command in _COMMANDS:
        if re.fullmatch(pattern, words):
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            try:
                return command(_Asked(services, turn, numbers))
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


def _help(asked: _Asked) -> str:  # noqa: ARG001  (all commands have one signature)
    return HELP


def _list(asked: _Asked) -> str:
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


def _list_archived(asked: _Asked) -> str:
    with asked.services.reading() as db:
        archived = facts.archived(db, asked.person_id, asked.services.clock.now(), limit=ARCHIVED_SHOWN)
    if not archived:
        return "Nothing is archived: all I know about you is under /memory."
    lines = [f"{fact.number}. {fact.sentence}" for fact in archived]
    again = "Tell me one again and I keep it in mind. /memory forget and the number drops it."
    return "\n".join(["Archived, the latest first; I find it when you ask for it:", *lines, again])


def _pin(asked: _Asked) -> str:
    fact = _set_pinned(asked, pinned=True)
    return f"Pinned: {fact.sentence}. I will always keep it in mind."


def _unpin(asked: _Asked) -> str:
    fact = _set_pinned(asked, pinned=False)
    return f"No longer pinned: {fact.sentence}. I still know it."


def _set_pinned(asked: _Asked, *, pinned: bool) -> Fact:
    try:
        return revise(asked.services, asked.person_id, asked.numbers[0], asked.origin, pinned=pinned)
    except NotFound:
        raise _unknown(asked.numbers) from None


def _forget(asked: _Asked) -> str:
    forgotten = forget(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = [f"{forgotten.sentence} {_WAY_BACK}"] if forgotten.removed else []
    if forgotten.unknown:
        said.append(str(_unknown(forgotten.unknown)))
    return " ".join(said)


def _forget_about(asked: _Asked) -> str:
    what = " ".join(asked.turn.texts[0].body.split()).split(maxsplit=2)[2]
    with asked.services.reading() as db:
        name = people.by_id(db, asked.person_id).name
    if name is not None and what.casefold() == name.casefold():
        return _forget_name(asked)
    forgotten = forget(asked.services, asked.person_id, [], asked.origin, about=[what])
    if forgotten.nothing_about:
        return f"I don't know anything about {joined_subjects(forgotten.nothing_about)}, and find no word of it."
    return f"{forgotten.sentence} {_WAY_BACK}"


def _forget_name(asked: _Asked) -> str:
    try:
        people.forget_name(asked.services, asked.person_id, asked.origin)
    except NotFound:
        return "I don't know your name."
    return f"Forgotten: your name. {_WAY_BACK}"


def _why(asked: _Asked) -> str:
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        fact = facts.held_by_number(db, asked.person_id, asked.numbers[0])
        if fact is None:
            raise _unknown(asked.numbers)
        message = db.get(Message, fact.message_id) if fact.message_id else None
        before = untouched(db, asked.person_id, facts.versions(db, asked.person_id, fact.number)[:-1])
    return _explained(fact, message, before, zone)


def _unknown(numbers: list[int]) -> NotFound:
    return NotFound(f"I have no number {', '.join(map(str, numbers))}. Text /memory to see the numbers.")


def _explained(fact: Fact, message: Message | None, before: list[Fact], zone: str) -> str:
    how = _SOURCES[fact.source]
    said = f"{fact.sentence}: {how} on {spoken_date(message.created_at if message else fact.recorded_at, zone)}"
    said += f': "{fact.quote}".' if fact.quote else "."
    earlier = [version.sentence for version in before if version.normalised != fact.normalised]
    return f"{said} Before that: {'; '.join(dict.fromkeys(earlier))}." if earlier else said


def _off(asked: _Asked) -> str:
    _switch(asked, on=False)
    return "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."


def _on(asked: _Asked) -> str:
    _switch(asked, on=True)
    return "Memory is on again."


def _switch(asked: _Asked, *, on: bool) -> None:
    with asked.services.transaction() as db:
        db.get_one(Conversation, asked.turn.conversation_id).memory_on = on


def _undo(asked: _Asked) -> str:
    try:
        undone = undo(asked.services, asked.person_id, asked.turn.id)
    except Conflict as error:
        return f"That can't be undone: {error}"
    return undone.sentence if undone else "There is nothing to undo."


_TO_COME = frozenset({"/forget", "/routines", "/pause", "/resume", "/export"})
"""Words of the contract whose parts are not built yet."""

_NUMBER = r"#?\d{1,9}"

_COMMANDS: tuple[tuple[str, Callable[[_Asked], str]], ...] = (
    (r"/help", _help),
    (r"/memory( list)?", _list),
    (r"/memory archived", _list_archived),
    (rf"/memory pin {_NUMBER}", _pin),
    (rf"/memory unpin {_NUMBER}", _unpin),
    (rf"/memory forget {_NUMBER}(?:(?:, ?and |, ?| and | ){_NUMBER})*", _forget),
    (r"/memory forget (?:my )?name", _forget_name),
    (r"/memory forget (?=\D*$)(?!and$).*\w\w.*", _forget_about),
    (rf"/memory why {_NUMBER}", _why),
    (r"/memory off", _off),
    (r"/memory on", _on),
    (r"/undo", _undo),
)
