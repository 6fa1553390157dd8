"""`/memory`: lists a person's facts in pages of one text each, and changes them without the model."""

from collections.abc import Sequence

from app import people
from app.conversation.commands.command import NUMBER, NUMBERS, Command, command, ended_sentence, learned_sentence
from app.errors import NotFound, Refused
from app.memory import changes, facts, forget, revise
from app.memory.forgotten import ForgottenThing, without_forgotten
from app.memory.subjects import joined_subjects
from app.models import Conversation, Fact
from app.routines import still_coming

LINES_MAX_UNITS = 1100  # Per page: with the lines above and below it makes one text of at most 1,600 units.

_WAY_BACK = "/undo brings it back."

_OTHER_COMMANDS = "list|archived|pin|unpin|forget|why|off|on|more|next"
"""First words of other commands: a mistyped one is not taken for a search."""
_WORD = r"[^\W\d_][\w'’-]{0,29}"
_WORDS = rf"(?!(?:{_OTHER_COMMANDS})\b){_WORD}(?: {_WORD}){{0,3}}?"


@command(
    rf"/memory(?: list)?(?: (?:page )?{NUMBER})?", help="/memory - what I know; /memory 2, work or archived shows parts"
)
def _list(asked: Command) -> str:
    """A page of the live facts by number; page 1 starts with the person's name and time zone."""
    with asked.services.reading() as db:
        person = people.by_id(db, asked.person_id)
        now = asked.services.clock.now()
        live = facts.live(db, asked.person_id, now)
        archived_count = facts.count_archived(db, asked.person_id, now)
        memory_on = db.get_one(Conversation, asked.turn.conversation_id).memory_on
    about = f"You are {person.name}. " if person.name else ""
    zone = {"told": "Your time zone is", "guessed": "Going by your number, your time zone is"}
    about += f"{zone[person.timezone_source]} {person.timezone}. " if person.timezone_source in zone else ""
    off = "" if memory_on else "Memory is off for this conversation (/memory on). "
    if not live and not archived_count:
        return f"{off}{about}I don't know anything else about you yet. Tell me something!"
    place, lines = _page(live, "/memory", asked.page)
    head = f"{off}{about if asked.page == 1 else ''}What I know about you{place}:"
    more = [f"And {archived_count} archived: /memory archived."] if archived_count else []
    wrong = f"Wrong? /memory forget and the number{', or /memory forget name' if person.name else ''}."
    return "\n".join([head, *lines, *more, wrong])


@command(rf"/memory archived(?: (?:page )?{NUMBER})?")
def _list_archived(asked: Command) -> str:
    """A page of the archived facts, the last archived first."""
    with asked.services.reading() as db:
        found = facts.archived(db, asked.person_id, asked.services.clock.now())
    if not found:
        return "Nothing is archived: all I know about you is under /memory."
    place, lines = _page(found, "/memory archived", asked.page)
    head = f"Archived, the latest first{place}; I find it when you ask for it:"
    return "\n".join([head, *lines, "Tell me one again and I keep it in mind. /memory forget and the number drops it."])


def _page(listed: Sequence[Fact], command: str, number: int) -> tuple[str, list[str]]:
    """The page's place in the list, in words, and its lines.

    If there is a next page, the last line says how to ask for it; `more` reads that line.

    Raises:
        Refused: there is no such page.
    """
    pages: list[list[str]] = [[]]
    room = LINES_MAX_UNITS
    for fact in listed:
        line = f"{fact.number}. {fact.sentence}{' (pinned)' if fact.pinned else ''}"
        units = len(line.encode("utf-16-le")) // 2 + 1
        if pages[-1] and units > room:
            pages.append([])
            room = LINES_MAX_UNITS
        pages[-1].append(line)
        room -= units
    last = len(pages)
    if last == 1 and number != 1:
        raise Refused(f"There is no page {number}: all of it fits on one. Text {command}.")
    if not 0 < number <= last:
        raise Refused(f"There is no page {number}: the last is {last}. Text {command} {last}.")
    following = [f"Next: {command} {number + 1}, or just text: more."] if number < last else []
    place = f", page {number} of {last}" if last > 1 else ""
    return place, [*pages[number - 1], *following]


@command(rf"/memory (?P<un>un)?pin {NUMBER}")
def _pin(asked: Command) -> str:
    pinned = asked.words["un"] is None
    fact = revise(asked.services, asked.person_id, asked.numbers[0], asked.origin, pinned=pinned)
    if pinned:
        return f"Pinned: {fact.sentence}. I will always keep it in mind."
    return f"No longer pinned: {fact.sentence}. I still know it."


@command(rf"/memory forget (?:(?:facts?|numbers?) )?{NUMBERS}")
def _forget(asked: Command) -> str:
    forgotten = forget(asked.services, asked.person_id, asked.numbers, asked.origin)
    said = f"{forgotten.sentence} {_WAY_BACK}{_still_coming(asked, forgotten.gone)}" if forgotten.removed else ""
    return ended_sentence(said, asked, forgotten.unknown)


def _still_coming(asked: Command, gone: Sequence[ForgottenThing]) -> str:
    with asked.services.reading() as db:
        told = still_coming.sentence(db, asked.person_id, gone)
    return f" {told}" if told else ""


@command(r"/memory forget (?:my )?name")
def _forget_name(asked: Command) -> str:
    try:
        gone = people.forget_name(asked.services, asked.person_id, asked.origin)
    except NotFound:
        return "I don't know your name."
    return f"Forgotten: your name. {_WAY_BACK}{_still_coming(asked, [gone])}"


@command(r"/memory forget (?=\D*$)(?!and$).*\w\w.*")
def _forget_about(asked: Command) -> str:
    what = " ".join(asked.turn.texts[0].body.split()).split(maxsplit=2)[2]
    with asked.services.reading() as db:
        name = people.by_id(db, asked.person_id).name
    if name is not None and what.casefold() == name.casefold():
        return _forget_name.answer(asked)
    forgotten = forget(asked.services, asked.person_id, [], asked.origin, about=[what])
    said = f"{forgotten.sentence} {_WAY_BACK}"
    if forgotten.nothing_about:
        said = f"I don't know anything about {joined_subjects(forgotten.nothing_about)}, and find no word of it."
    return f"{said}{_still_coming(asked, forgotten.gone)}"


@command(rf"/memory why {NUMBER}", help="/memory why 3, pin 3, unpin 3, forget 3, forget name, forget my exam")
def _why(asked: Command) -> str:
    with asked.services.reading() as db:
        fact = changes.expect_held(Fact, db, asked.person_id, asked.numbers[0], asked.origin)
        said = f"{fact.sentence}: {learned_sentence(db, fact)}"
        before = without_forgotten(db, asked.person_id, facts.versions(db, asked.person_id, fact.number)[:-1])
    earlier = [version.sentence for version in before if version.valid_to and version.normalised != fact.normalised]
    return f"{said} Before that: {'; '.join(dict.fromkeys(earlier))}." if earlier else said


@command(r"/memory (?P<to>off|on)", help="/memory off, /memory on - for this conversation")
def _switch(asked: Command) -> str:
    is_on = asked.words["to"] == "on"
    with asked.services.transaction() as db:
        db.get_one(Conversation, asked.turn.conversation_id).memory_on = is_on
    if is_on:
        return "Memory is on again."
    return "Memory is off for this conversation: I use nothing from it and keep nothing. /memory on turns it back on."


@command(rf"/memory (?:about )?(?P<words>{_WORDS})(?: #?(?P<page>\d{{1,9}}))?")
def _list_some(asked: Command) -> str:
    """A page of the live facts in the category of that name or with all the words in any form, by number."""
    words, number = asked.words.group("words", "page")
    with asked.services.reading() as db:
        live = facts.live(db, asked.person_id, asked.services.clock.now())
        named = {fact.id for fact in facts.find(db, asked.person_id, words)}
    found = [fact for fact in live if fact.id in named or (fact.category or "").casefold() == words]
    if not found:
        return f'I know nothing about you that says "{words}". /memory shows all I know, /help what else you can text.'
    place, lines = _page(found, f"/memory {words}", int(number or 1))
    return "\n".join([f'What I know about you and "{words}"{place}:', *lines])
