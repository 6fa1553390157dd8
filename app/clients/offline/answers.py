"""What is answered to the questions of a text: from facts, from earlier talk, or that it is not known."""

import re

from app.clients.offline import questions, small_talk, told
from app.clients.offline.matching import normal
from app.clients.offline.plan import listed
from app.clients.offline.scene import Scene
from app.clients.offline.understood import Reading
from app.sentences import sentences as parted

_NO_ANSWER = "Sorry, I can't answer that offline: I only know what you tell me about yourself. "
MEMORY_OFF = (
    "Memory is off for this conversation: I use nothing from it and keep nothing. Text /memory on to turn it on again."
)
_KNOWS_NOBODY = "I don't know anything about you yet. Tell me something, such as where you live or what you like."
BESIDE_MOST = 3  # Facts that are said where what was asked for has no answer.


def answers(reading: Reading, scene: Scene) -> list[str]:
    """The answers as one part of the reply; nothing where nothing was asked."""
    facts = listed(scene)
    sentences = scene.facts if facts is None else [fact.sentence for fact in facts if not fact.archived]
    known = questions.Known(scene.name, scene.timezone, sentences)
    asked = list(dict.fromkeys(reading.questions))
    helped = [answer for question in asked if (answer := _answer(question, known, scene))]
    if len(helped) < len(asked):
        helped = [_first_sentences(answer) for answer in helped]  # What was asked for is something else.
        helped.append(_NO_ANSWER.strip() if helped else _NO_ANSWER + small_talk.CAN_DO)
    return _said_once(helped)


def _first_sentences(answer: str) -> str:
    return " ".join(parted(answer)[:BESIDE_MOST])


def _said_once(answers: list[str]) -> list[str]:
    """The answers without the sentences that an earlier one has said."""
    said: dict[str, None] = {}
    for answer in answers:
        said |= dict.fromkeys(re.split(r"(?<=[.!?]) (?=[A-Z])", answer))
    return [" ".join(said)] if said else []


def _answer(question: str, known: questions.Known, scene: Scene) -> str | None:
    """The answer; that it is not known, for what the person could have told; None for the world at large."""
    looks_back = questions.looks_back(question)
    may_be_told = looks_back or questions.may_have_been_told(question)
    if scene.memory_off and (looks_back or questions.wants_everything(question)):
        return MEMORY_OFF
    earlier = _of_earlier_talk(question, scene) if may_be_told else None
    if earlier and told.asks_when(question):
        return earlier  # No fact says when it was told.
    searches = [step for step in scene.steps_of("recall_memory") if not step.failed]
    recalled = [item for step in searches for item in step.result.get("facts") or [] if isinstance(item, dict)]
    found = questions.answer_from_recall(question, recalled)
    if not questions.wants_the_past(question):
        found = questions.answer(question, known) or found
    if questions.wants_everything(question):
        talk = _found_of_talk(question, scene) or _said_just_now(scene)
        return found or told.latest(talk, scene.today) or _KNOWS_NOBODY
    if found or not looks_back:
        return _known_and_told(found, earlier, question)
    return earlier or told.nothing(question) or questions.DONT_KNOW


def _known_and_told(found: str | None, earlier: str | None, question: str) -> str | None:
    """The facts; with them what was told, where words are asked for, or that alone, where no fact says it."""
    if not (found and earlier):
        return found or earlier
    if found.startswith(questions.DONT_KNOW):
        return earlier
    return f"{found} {earlier}" if told.asks_what_was_said(question) else found


def _of_earlier_talk(question: str, scene: Scene) -> str | None:
    """What the person told that answers the question, with its day."""
    if questions.wants_the_former(question):
        return None  # What was said of what is so now is no answer to what was so before.
    found = _found_of_talk(question, scene)
    words = {normal(one.words) for one in found}
    newest = [one for one in _said_just_now(scene) if normal(one.words) not in words]
    return told.answer(question, [*found, *newest], scene.today, scene.earlier)


def _said_just_now(scene: Scene) -> list[told.Told]:
    """The texts that the request still shows, the newest last: no search may have found them yet."""
    return [told.Told(text, None) for text in reversed(told.not_forgotten(scene.earlier))]


def _found_of_talk(question: str, scene: Scene) -> list[told.Told]:
    asked = questions.search(question, scene.today)
    searches = [step for step in scene.steps_of("recall_memory") if not step.failed and step.input == asked]
    shown = [one for episode in scene.episodes for one in told.of_episode(episode)]
    return [*told.of_results(step.result for step in searches), *shown]
