"""A wish to stop that does not say what: its person is asked, and until they answer nothing comes unasked.

`people.stop_text_id` is the text that says it, from the transaction that keeps it on. The question is the reply to its
turn; "all of it", or a second such wish, ends all texts as a plain one does (`inbox.py`), and whatever else they text
next is theirs to be answered as ever, with the question before it in the history. Reasons: docs/decisions/0014.
"""

from app.conversation import claim
from app.conversation.claim import OpenTurn
from app.conversation.finish import Reply
from app.models import Person
from app.services import Services
from app.text import kind_words, opt_out

ASKED = "asked_what_to_stop"
"""The outcome of a turn that asks it."""


def answer(services: Services, turn: OpenTurn) -> Reply | None:
    """The question, where the turn holds such a wish; None for all else, by which the question is settled."""
    unclear = [text.id for text in turn.texts if opt_out.wish_of(text.body) == "unclear"]
    with services.reading() as db:
        asked_of = db.get_one(Person, turn.person_id).stop_text_id
    if unclear:
        _set(services, turn, unclear[-1])
        return Reply(kind_words.WHAT_TO_STOP, ASKED)
    if asked_of is not None and turn.texts and turn.texts[0].id > asked_of:
        _set(services, turn, None)
    return None


def _set(services: Services, turn: OpenTurn, text_id: int | None) -> None:
    with services.transaction() as db:
        if claim.holds(db, turn):
            db.get_one(Person, turn.person_id).stop_text_id = text_id
