"""Texts that code answers without the model: commands, a few questions in plain words, and wishes to stop."""

import re

from sqlalchemy import select

from app import people
from app.clock import local, spoken_date
from app.conversation import claim
from app.conversation.claim import MORE, OpenTurn
from app.conversation.commands import memory, routines, rules
from app.conversation.commands.command import NUMBER, Command, Handler, command, unknown_numbers_sentence
from app.conversation.finish import Reply
from app.errors import Conflict, KeepsakeError, NotFound
from app.memory import undo
from app.models import AuditEntry, Message, Person, Turn
from app.operations import audit
from app.services import Services
from app.text import kind_words, opt_out

ASKED_WHAT_TO_STOP = "asked_what_to_stop"  # The outcome of a turn that asks what is to stop.
LOOKS_TOLD = 3  # Per text: each line costs money.
PAGES_MOST = 100  # Nobody needs more, and all rows up to the page are read.
REASON_CHARS = 60
NOTHING_MORE = "There is nothing more to show. Text /memory to see what I know about you."

_NOT_BUILT_YET = ("/forget", "/export", "/memory link")  # Commands of the contract that are not built yet.

_NEXT = re.compile(r"^Next: (/(?:memory|who looked)[^,\n]*),", re.MULTILINE)


def answer(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply to a command, a bare "more" after a list, "who looked?" in any words, or a wish to stop; else None."""
    if (asked := _ask_what_to_stop(services, turn)) is not None:
        return asked
    asked_for = turn.command
    if asked_for == MORE and not turn.is_command:  # After anything but a list, "more" is for the model.
        asked_for = _command_for_more(services, turn)
    return None if asked_for is None else Reply(_run(services, turn, asked_for), "command")


def _ask_what_to_stop(services: Services, turn: OpenTurn) -> Reply | None:
    """The question of what to stop, if a text wishes to stop without saying what; any other text settles it.

    `people.stop_text_id` is set to that text when it is stored; until the person answers, nothing is sent unasked.
    "All of it", or a second such wish, ends all texts as a plain STOP does (`inbox.py`). Any other text is answered
    normally, with the question before it in the history. Reasons: docs/decisions/0014.
    """
    unclear = [text.id for text in turn.texts if opt_out.opt_out_wish(text.body) == "unclear"]
    if unclear or (turn.stop_text_id is not None and turn.texts[0].id > turn.stop_text_id):
        with services.transaction() as db:
            person = db.get_one(Person, turn.person_id)
            if claim.owns_turn(db, turn) and person.stop_text_id == turn.stop_text_id:  # If not, they wrote more since.
                person.stop_text_id = unclear[-1] if unclear else None
    return Reply(kind_words.WHAT_TO_STOP, ASKED_WHAT_TO_STOP) if unclear else None


def _run(services: Services, turn: OpenTurn, words: str) -> str:
    """The answer to a command in lower case; for one that does not work, a sentence on what does."""
    if (coming := next((one for one in _NOT_BUILT_YET if words.startswith(one)), None)) is not None:
        return f"{coming} does not work yet; it comes with a later version. Text /help to see what works."
    for handler in HANDLERS:
        if found := handler.pattern.fullmatch(words):
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            try:
                return handler.answer(Command(services, turn, found, numbers))
            except NotFound:
                return unknown_numbers_sentence(words, numbers)
            except KeepsakeError as error:
                if error.is_fault:
                    raise
                return str(error)
    word = words.split(maxsplit=1)[0][:30]  # It came from outside and is sent back, so it is kept short.
    return f"I don't know {word} in that form. Text /help to see what works."


@command(r"/(?:memory )?(?:more|next)")
def _more(asked: Command) -> str:
    following = _command_for_more(asked.services, asked.turn)
    return NOTHING_MORE if following is None else _run(asked.services, asked.turn, following)


def _command_for_more(services: Services, turn: OpenTurn) -> str | None:
    """The command for the next page of the list just sent; None if the last reply was no list, or its last page."""
    before = select(Turn.id, Turn.kind).where(
        Turn.person_id == turn.person_id, Turn.conversation_id == turn.conversation_id, Turn.id < turn.id
    )
    with services.reading() as db:
        last = db.execute(before.order_by(Turn.id.desc()).limit(1)).one_or_none()
        if last is None or last.kind != "command":
            return None
        sent = select(Message.body).where(Message.turn_id == last.id, Message.direction == "out").order_by(Message.id)
        found = _NEXT.search("\n".join(db.scalars(sent)))
    return found[1] if found else None


@command(r"/undo", help="/undo - take back my last change")
def _undo(asked: Command) -> str:
    try:
        undone = undo(asked.services, asked.person_id, asked.turn.id)
    except Conflict as error:
        return f"That can't be undone: {error}"
    return undone or "There is nothing to undo."


@command(rf"/who(?: has)? looked(?: {NUMBER})?\??", help="/who looked - who saw your words, why")
def _looked(asked: Command) -> str:
    """A page of the looks at the person's words: by whom, when and why."""
    page = max(1, asked.page)
    with asked.services.reading() as db:
        zone = people.by_id(db, asked.person_id).timezone
        found = audit.views_of_words(db, asked.person_id, LOOKS_TOLD * min(page, PAGES_MOST) + 1)
    if not found:
        return "Nobody has looked at what you wrote or what I know about you."
    told = found[LOOKS_TOLD * (page - 1) : LOOKS_TOLD * page]
    if not told:
        return f"There is no page {page} of who looked. /who looked tells the last ones."
    # All looks can be listed; otherwise a few harmless ones could hide another.
    has_more = len(found) > LOOKS_TOLD * page and page < PAGES_MOST
    earlier = [f"Next: /who looked {page + 1}, or just text: more."] if has_more else []
    return "\n".join(["Your words were shown to:", *(_look(one, zone) for one in told), *earlier])


def _look(entry: AuditEntry, zone: str) -> str:
    at = f"{spoken_date(entry.at, zone)}, {local(entry.at, zone):%H:%M}"
    if entry.who == audit.TERMINAL:
        return f"{at}: whoever runs this, by keepsake {entry.did}"
    why = entry.reason if len(entry.reason) <= REASON_CHARS else f"{entry.reason[: REASON_CHARS - 3].rstrip()}..."
    return f"{at}: {entry.who}. Reason: {why}"


@command(r"/help")
def _help(_: Command) -> str:
    return HELP


_NOUN_HANDLERS = (one for noun in (memory, rules, routines) for one in vars(noun).values())
HANDLERS = [_help, _more, *(one for one in _NOUN_HANDLERS if isinstance(one, Handler)), _undo, _looked]

# Three segments at most, because each one costs money.
HELP = "\n".join(
    [
        "Text me like a friend: I remember.",
        *(one.help for one in HANDLERS if one.help is not None),
        "STOP, END, QUIT or CANCEL alone ends all texts, START begins again.",
    ]
)
