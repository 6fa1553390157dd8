"""The lists of what is known of a person, in pages of one text each."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from app import people
from app.conversation.claim import OpenTurn
from app.memory import facts
from app.models import Conversation, Fact, Message, Turn
from app.services import Services

LINES_MAX_UNITS = 1100  # Of a page: with what stands above and below them, one text of at most 1,600 units.
ARCHIVED_MOST = 500  # The last archived; nobody leafs through more, and an archive has no end.

_MORE = re.compile(
    r"(?:ok(?:ay)?,? |yes,? |and )?(?:(?:show|send|give|tell)(?: me)? )?(?:the |some )?"
    r"(?:more|rest|next(?: (?:page|one))?|others?|go on|continue)(?: of (?:it|them|the list))?(?:,? please)?"
)
_NEXT = re.compile(r"^Next: (/(?:memory|who looked)[^,\n]*),", re.MULTILINE)


@dataclass(frozen=True)
class _Page:
    """Some lines of a list, and where in it they stand."""

    lines: Sequence[str]
    number: int
    of: int

    @property
    def place(self) -> str:
        return f", page {self.number} of {self.of}" if self.of > 1 else ""

    def following(self, command: str) -> list[str]:
        """How the next page is asked for, where there is one; `command_for_more` reads it."""
        return [f"Next: {command} {self.number + 1}, or just text: more."] if self.number < self.of else []


def known(services: Services, turn: OpenTurn, page: int) -> str:
    """A page of all that is live, by number; the first with name and zone before it."""
    with services.reading() as db:
        person = people.by_id(db, turn.person_id)
        now = services.clock.now()
        live = facts.live(db, turn.person_id, now)
        archived_count = facts.count_archived(db, turn.person_id, now)
        memory_on = db.get_one(Conversation, turn.conversation_id).memory_on
    about = f"You are {person.name}. " if person.name else ""
    zone = {"told": "Your time zone is", "guessed": "Going by your number, your time zone is"}
    about += f"{zone[person.timezone_source]} {person.timezone}. " if person.timezone_source in zone else ""
    off = "" if memory_on else "Memory is off for this conversation (/memory on). "
    if not live and not archived_count:
        return f"{off}{about}I don't know anything else about you yet. Tell me something!"
    shown = _page(_lines(live), page)
    if shown is None:
        return _no_page("/memory", page, _lines(live))
    head = f"{off}{about if page == 1 else ''}What I know about you{shown.place}:"
    more = [f"And {archived_count} archived: /memory archived."] if archived_count else []
    wrong = f"Wrong? /memory forget and the number{', or /memory forget name' if person.name else ''}."
    return "\n".join([head, *shown.lines, *shown.following("/memory"), *more, wrong])


def archived(services: Services, turn: OpenTurn, page: int) -> str:
    """A page of what is held and out of sight, the last archived first."""
    with services.reading() as db:
        now = services.clock.now()
        found = facts.archived(db, turn.person_id, now, limit=ARCHIVED_MOST)
        left_out = facts.count_archived(db, turn.person_id, now) - len(found)
    if not found:
        return "Nothing is archived: all I know about you is under /memory."
    shown = _page(_lines(found), page)
    if shown is None:
        return _no_page("/memory archived", page, _lines(found))
    head = f"Archived, the latest first{shown.place}; I find it when you ask for it:"
    older = [f"And {left_out} older ones: ask me about what they say."] if left_out and page == shown.of else []
    again = "Tell me one again and I keep it in mind. /memory forget and the number drops it."
    return "\n".join([head, *shown.lines, *shown.following("/memory archived"), *older, again])


def speaking_of(services: Services, turn: OpenTurn, words: str, page: int) -> str:
    """A page of what is live in the category of that name, or has all the words in any form, by number."""
    with services.reading() as db:
        live = facts.live(db, turn.person_id, services.clock.now())
        named = {fact.id for fact in facts.find(db, turn.person_id, words)}
    found = [fact for fact in live if fact.id in named or (fact.category or "").casefold() == words]
    if not found:
        return f'I know nothing about you that says "{words}". /memory shows all I know, /help what else you can text.'
    shown = _page(_lines(found), page)
    if shown is None:
        return _no_page(f"/memory {words}", page, _lines(found))
    head = f'What I know about you and "{words}"{shown.place}:'
    return "\n".join([head, *shown.lines, *shown.following(f"/memory {words}")])


def asks_for_more(services: Services, turn: OpenTurn) -> bool:
    """Whether the text is no more than a wish to go on with the list that was sent just before it."""
    said = " ".join(turn.words.split()).casefold().rstrip(".!?")
    return _MORE.fullmatch(said) is not None and command_for_more(services, turn) is not None


def command_for_more(services: Services, turn: OpenTurn) -> str | None:
    """The command for what follows the list that was sent last; None where the last reply was none, or its end."""
    with services.reading() as db:
        found = _NEXT.search(_last_answer(db, turn))
    return found[1] if found else None


def _last_answer(db: Session, turn: OpenTurn) -> str:
    """What code answered to the last command; empty where anything else was said since."""
    before = select(Turn.id, Turn.kind).where(
        Turn.person_id == turn.person_id, Turn.conversation_id == turn.conversation_id, Turn.id < turn.id
    )
    last = db.execute(before.order_by(Turn.id.desc()).limit(1)).one_or_none()
    if last is None or last.kind != "command":
        return ""
    sent = select(Message.body).where(Message.turn_id == last.id, Message.direction == "out").order_by(Message.id)
    return "\n".join(db.scalars(sent))


def _lines(listed: Sequence[Fact]) -> list[str]:
    return [f"{fact.number}. {fact.sentence}{' (pinned)' if fact.pinned else ''}" for fact in listed]


def _page(lines: Sequence[str], number: int) -> _Page | None:
    pages = _pages(lines)
    return _Page(pages[number - 1], number, len(pages)) if 0 < number <= len(pages) else None


def _pages(lines: Sequence[str]) -> list[list[str]]:
    """At least one; as many lines on each as its room holds."""
    pages: list[list[str]] = [[]]
    room = LINES_MAX_UNITS
    for line in lines:
        units = len(line.encode("utf-16-le")) // 2 + 1
        if pages[-1] and units > room:
            pages.append([])
            room = LINES_MAX_UNITS
        pages[-1].append(line)
        room -= units
    return pages


def _no_page(command: str, page: int, lines: Sequence[str]) -> str:
    last = len(_pages(lines))
    if last == 1:
        return f"There is no page {page}: all of it fits on one. Text {command}."
    return f"There is no page {page}: the last is {last}. Text {command} {last}."
