"""Texts that are answered by code: `/help`, `/memory`, `/rules`, `/routines`, `/undo`. They work without the model."""

import re

from app.conversation.claim import OpenTurn
from app.conversation.commands import memory, memory_lists, routines, rules, undo, who
from app.conversation.commands.command import Command, handlers_of
from app.conversation.commands.who import asks_who_looked
from app.errors import KeepsakeError
from app.services import Services

HANDLERS = handlers_of(memory, rules, routines, undo, who)

# Three segments: whoever asks for help pays for it.
HELP = "\n".join(
    [
        "Text me like a friend: I remember.",
        *(one.help for one in HANDLERS if one.help is not None),
        "STOP, END, QUIT or CANCEL alone ends all texts, START begins again.",
    ]
)

_TO_COME = frozenset({"/forget", "/export"})
"""Words of the contract whose parts are not built yet."""

NOTHING_MORE = "There is nothing more to show. Text /memory to see what I know about you."

_MORE = re.compile(r"/(?:memory )?(?:more|next)")


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
    if words == "/help":
        return HELP
    if _MORE.fullmatch(words):
        following = memory_lists.command_for_more(services, turn)
        return _run(services, turn, following) if following is not None else NOTHING_MORE
    for handler in HANDLERS:
        found = handler.pattern.fullmatch(words)
        if found:
            numbers = [int(number) for number in re.findall(r"\d+", words)]
            try:
                return handler.answer(Command(services, turn, found, numbers))
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
