"""`/memory`: a person's facts, listed and changed without the model."""

from app import people
from app.clock import spoken_date
from app.conversation.commands import memory_lists
from app.conversation.commands.command import NUMBER, NUMBERS, SOURCES, Command, command
from app.errors import NotFound
from app.memory import Forgotten, facts, forget, revise
from app.memory.forgotten import untouched
from app.memory.subjects import joined_subjects
from app.models import Conversation, Fact, Message
from app.routines import still_coming

_WAY_BACK = "/undo brings it back."

_TAKEN = "list|archived|pin|unpin|forget|why|off|on|more|next"
"""What begins another command: with a slip in it, it is not searched for."""
_WORD = r"[^\W\d_][\w'’-]{0,29}"
_WORDS = rf"(?!(?:{_TAKEN})\b){_WORD}(?: {_WORD}){{0,3}}?"


@command(
    rf"/memory(?: list)?(?: (?:page )?{NUMBER})?",
    help="/memory - what I know; /memory 2, work or archived shows parts",
)
def _list(asked: Command) -> str:
    return memory_lists.known(asked.services, asked.turn, asked.number_or(1))


@command(rf"/memory archived(?: (?:page )?{NUMBER})?")
def _list_archived(asked: Command) -> str:
    return memory_lists.archived(asked.services, asked.turn, asked.number_or(1))


@command(rf"/memory pin {NUMBER}")
def _pin(asked: Command) -> str:
    fact = _set_pinned(asked, pinned=True)
    return f"Pinned: {fact.sentence}. I will always keep it in mind."


@command(rf"/memory unpin {NUMBER}")
def _unpin(asked: Command) -> str:
    fact = _set_pinned(asked, pinned=False)
    return f"No longer pinned: {fact.sentence}. I still know it."


def _set_pinned(asked: Command, *, pinned: bool) -> Fact:
    try:
        return revise(asked.services, asked.person_id, asked.numbers[0], asked.origin, pinned=pinned)
    except NotFound:
        raise _unknown(asked.numbers) from None


@command(rf"/memory forget (?:(?:facts?|numbers?) )?{NUMBERS}")
def _forget(asked: Command) -> str:
    forgotten = forget(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = [f"{forgotten.sentence} {_WAY_BACK}{_still_coming(asked, forgotten)}"] if forgotten.removed else []
    if forgotten.unknown:
        said.append(str(_unknown(forgotten.unknown)))
    return " ".join(said)


def _still_coming(asked: Command, forgotten: Forgotten) -> str:
    with asked.services.reading() as db:
        told = still_coming.sentence(db, asked.person_id, forgotten.gone)
    return f" {told}" if told else ""


@command(r"/memory forget (?:my )?name")
def _forget_name(asked: Command) -> str:
    try:
        people.forget_name(asked.services, asked.person_id, asked.origin)
    except NotFound:
        return "I don't know your name."
    return f"Forgotten: your name. {_WAY_BACK}"


@command(r"/memory forget (?=\D*$)(?!and$).*\w\w.*")
def _forget_about(asked: Command) -> str:
    what = " ".join(asked.turn.texts[0].body.split()).split(maxsplit=2)[2]
    with asked.services.reading() as db:
        name = people.by_id(db, asked.person_id).name
    if name is not None and what.casefold() == name.casefold():
        return _forget_name(asked)
    forgotten = forget(asked.services, asked.person_id, [], asked.origin, about=[what])
    if forgotten.nothing_about:
        unknown = f"I don't know anything about {joined_subjects(forgotten.nothing_about)}, and find no word of it."
        return f"{unknown}{_still_coming(asked, forgotten)}"
    return f"{forgotten.sentence} {_WAY_BACK}{_still_coming(asked, forgotten)}"


@command(rf"/memory why {NUMBER}", help="/memory why 3, pin 3, unpin 3, forget 3, forget name, forget my exam")
def _why(asked: Command) -> str:
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
    how = SOURCES[fact.source]
    said = f"{fact.sentence}: {how} on {spoken_date(message.created_at if message else fact.recorded_at, zone)}"
    said += f': "{fact.quote}".' if fact.quote else "."
    earlier = [version.sentence for version in before if version.normalised != fact.normalised]
    return f"{said} Before that: {'; '.join(dict.fromkeys(earlier))}." if earlier else said


@command(r"/memory off", help="/memory off, /memory on - for this conversation")
def _off(asked: Command) -> str:
    _switch(asked, on=False)
    return "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."


@command(r"/memory on")
def _on(asked: Command) -> str:
    _switch(asked, on=True)
    return "Memory is on again."


def _switch(asked: Command, *, on: bool) -> None:
    with asked.services.transaction() as db:
        db.get_one(Conversation, asked.turn.conversation_id).memory_on = on


@command(rf"/memory (?:about )?(?P<words>{_WORDS})(?: #?(?P<page>\d{{1,9}}))?")
def _list_some(asked: Command) -> str:
    words, page = asked.words.group("words", "page")
    return memory_lists.speaking_of(asked.services, asked.turn, words, int(page or 1))
