"""The words a person can text that work without the model."""

import re
from collections.abc import Callable

from app import people
from app.clock import spoken_date
from app.conversation.claim import OpenTurn
from app.conversation.commands import memory_lists
from app.conversation.commands.command import NUMBER, NUMBERS, SOURCES, Command
from app.conversation.commands.routines import ROUTINE_COMMANDS
from app.conversation.commands.rules import RULE_COMMANDS
from app.conversation.commands.who import WHO_COMMANDS, asks_who_looked
from app.errors import Conflict, KeepsakeError, NotFound
from app.memory import Forgotten, facts, forget, revise, undo
from app.memory.facts.subject_names import joined_subjects
from app.memory.forgotten import untouched
from app.models import Conversation, Fact, Message
from app.routines import still_coming
from app.services import Services

HELP = """\
Text me like a friend: I remember.
/memory - what I know; /memory 2, work or archived shows parts
/memory why 3, pin 3, unpin 3, forget 3, forget name, forget my exam
/memory off, /memory on - for this conversation
/rules - how you want things done
/routines - what I text by myself (skip 2, forget 2); /pause, /resume
/undo - take back my last change
/who looked - who saw your words, why
STOP, END, QUIT or CANCEL alone ends all texts, START begins again."""  # Three segments: who asks for help pays for it.

_WAY_BACK = "/undo brings it back."


def answer(services: Services, turn: OpenTurn) -> str | None:
    """What is answered to a command, to a bare "more" after a list, or to who has looked; None for all other texts.

    What cannot be done is said, with what can.
    """
    if turn.is_command:
        return _run(services, turn, " ".join(turn.texts[0].body.split()).casefold())
    if asks_who_looked(turn.words):
        return _run(services, turn, "/who looked")
    return _run(services, turn, "/memory more") if memory_lists.asks_for_more(services, turn) else None


def _run(services: Services, turn: OpenTurn, words: str) -> str:
    for pattern, command in _COMMANDS:
        found = re.fullmatch(pattern, words)
        if found:
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            try:
                return command(Command(services, turn, found, numbers))
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


def _help(asked: Command) -> str:  # noqa: ARG001  (all commands have one signature)
    return HELP


def _list(asked: Command) -> str:
    return memory_lists.known(asked.services, asked.turn, asked.number_or(1))


def _list_archived(asked: Command) -> str:
    return memory_lists.archived(asked.services, asked.turn, asked.number_or(1))


def _list_some(asked: Command) -> str:
    words, page = asked.words.group("words", "page")
    return memory_lists.speaking_of(asked.services, asked.turn, words, int(page or 1))


def _more(asked: Command) -> str:
    following = memory_lists.command_for_more(asked.services, asked.turn)
    if following is None:
        return "There is nothing more to show. Text /memory to see what I know about you."
    return _run(asked.services, asked.turn, following)


def _pin(asked: Command) -> str:
    fact = _set_pinned(asked, pinned=True)
    return f"Pinned: {fact.sentence}. I will always keep it in mind."


def _unpin(asked: Command) -> str:
    fact = _set_pinned(asked, pinned=False)
    return f"No longer pinned: {fact.sentence}. I still know it."


def _set_pinned(asked: Command, *, pinned: bool) -> Fact:
    try:
        return revise(asked.services, asked.person_id, asked.numbers[0], asked.origin, pinned=pinned)
    except NotFound:
        raise _unknown(asked.numbers) from None


def _forget(asked: Command) -> str:
    forgotten = forget(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = [f"{forgotten.sentence} {_WAY_BACK}{_still_coming(asked, forgotten)}"] if forgotten.removed else []
    if forgotten.unknown:
        said.append(str(_unknown(forgotten.unknown)))
    return " ".join(said)


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


def _still_coming(asked: Command, forgotten: Forgotten) -> str:
    with asked.services.reading() as db:
        told = still_coming.sentence(db, asked.person_id, forgotten.gone)
    return f" {told}" if told else ""


def _forget_name(asked: Command) -> str:
    try:
        people.forget_name(asked.services, asked.person_id, asked.origin)
    except NotFound:
        return "I don't know your name."
    return f"Forgotten: your name. {_WAY_BACK}"


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


def _off(asked: Command) -> str:
    _switch(asked, on=False)
    return "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."


def _on(asked: Command) -> str:
    _switch(asked, on=True)
    return "Memory is on again."


def _switch(asked: Command, *, on: bool) -> None:
    with asked.services.transaction() as db:
        db.get_one(Conversation, asked.turn.conversation_id).memory_on = on


def _undo(asked: Command) -> str:
    try:
        undone = undo(asked.services, asked.person_id, asked.turn.id)
    except Conflict as error:
        return f"That can't be undone: {error}"
    return undone.sentence if undone else "There is nothing to undo."


_TO_COME = frozenset({"/forget", "/export"})
"""Words of the contract whose parts are not built yet."""

_TAKEN = "list|archived|pin|unpin|forget|why|off|on|more|next"
"""What begins another command: with a slip in it, it is not searched for."""
_WORD = r"[^\W\d_][\w'’-]{0,29}"
_WORDS = rf"(?!(?:{_TAKEN})\b){_WORD}(?: {_WORD}){{0,3}}?"

_COMMANDS: tuple[tuple[str, Callable[[Command], str]], ...] = (
    (r"/help", _help),
    (rf"/memory(?: list)?(?: (?:page )?{NUMBER})?", _list),
    (rf"/memory archived(?: (?:page )?{NUMBER})?", _list_archived),
    (r"/(?:memory )?(?:more|next)", _more),
    (rf"/memory pin {NUMBER}", _pin),
    (rf"/memory unpin {NUMBER}", _unpin),
    (rf"/memory forget (?:(?:facts?|numbers?) )?{NUMBERS}", _forget),
    (r"/memory forget (?:my )?name", _forget_name),
    (r"/memory forget (?=\D*$)(?!and$).*\w\w.*", _forget_about),
    (rf"/memory why {NUMBER}", _why),
    (r"/memory off", _off),
    (r"/memory on", _on),
    (rf"/memory (?:about )?(?P<words>{_WORDS})(?: #?(?P<page>\d{{1,9}}))?", _list_some),
    (r"/undo", _undo),
    *RULE_COMMANDS,
    *ROUTINE_COMMANDS,
    *WHO_COMMANDS,
)
