"""What a text says and asks of relatives, friends and animals, be it by name or by `she`."""

from datetime import date

from app.clients.offline import birthdays
from app.clients.offline.beings import (
    SOMEBODY,
    asked_in_full,
    begun_with,
    name_told,
    pronoun_asked,
    pronoun_in,
    said_of,
)
from app.clients.offline.profile import dislikes_short_form
from app.clients.offline.questions import is_about_person
from app.clients.offline.statements import statement
from app.clients.offline.understood import Reading

NAME_TALK_TEXTS = 3  # After which a dislike is no longer taken for one of how one was just called.


def read_others(reading: Reading, clause: str, *, corrects: bool, today: date | None) -> bool:
    """Whether the clause speaks of somebody else and was read so."""
    known = reading.beings()
    pronoun = pronoun_in(clause)
    if pronoun is None:
        of_others = [
            said for being in begun_with(clause, known) for said in said_of(clause, being, today, corrects=corrects)
        ]
    else:
        being = reading.meant_by(pronoun)
        if being is None and said_of(clause, SOMEBODY, today, corrects=corrects):
            reading.unclear.append(pronoun)
            return True
        name = name_told(clause)
        if being and name and being.name is None:
            given = statement(f"my {being.kind} is called {name}", today)
            of_others = [given] if given else []
        else:
            of_others = said_of(clause, being, today, corrects=corrects) if being else []
    for said in of_others:
        reading.keep(said)
    return bool(of_others)


def ask(reading: Reading, question: str) -> None:
    """Keeps the question, with the name in the place of `she`."""
    question = birthdays.asked(question)
    pronoun = pronoun_asked(question)
    being = reading.meant_by(pronoun) if pronoun else None
    if being:
        reading.questions.append(asked_in_full(question, being))
    elif pronoun and not is_about_person(question):
        reading.unclear.append(pronoun)
    else:
        reading.questions.append(question)


def read_short_name(reading: Reading, text: str, name: str | None) -> None:
    """Whoever has just said their name, and dislikes a short form of it, tells what to call them and no taste."""
    talk = [text, *reading.earlier[:NAME_TALK_TEXTS]]
    if name is None or not any(name.lower() in one.lower() for one in talk):
        return
    others = {being.name.lower() for being in reading.beings() if being.name}
    tastes = [said for said in reading.said if dislikes_short_form(said.sentence, name)]
    if tastes and others.isdisjoint(tastes[0].sentence.lower().split()):
        reading.said = [said for said in reading.said if said not in tastes]
        reading.name = name
