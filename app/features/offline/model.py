"""The offline model: a request in, a message out, by rules alone. It says what it did not understand.

Words that call for help now come first: when somebody wants to die, any doubt counts as yes. A danger to the body
counts only if it is present: one that is years ago, in a film, or only searched for is handled like any other text.
These words are data: danger.toml.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from app.features.offline import alarm, lookups, memory, routines
from app.features.offline.answers import DONT_KNOW, NO_ANSWER, NOTHING_SET, holds, may_be_coming
from app.features.offline.english import read_toml, sentences, shortened, tidy
from app.features.offline.reading import Reading, answers, read
from app.features.offline.scene import Call, Scene, scene_of
from app.features.offline.wishes import wishes
from app.services import Clock, Embedder
from app.services.model import ModelRequest, ModelTrouble
from app.text.secrets import any_of_lines, is_despair

if TYPE_CHECKING:
    from anthropic.types import Message

REPLY_MAX_CHARS = 1500  # Twilio takes 1,600.
REPLIES_AFTER_HELP = 3  # During this many replies of a day, words that are not understood may be about the same danger.
SURELY_ALARMING = 0.6  # Two in three alarms written by others are above it, and one in 350 calm texts.
FAINTLY_ALARMING = -0.1  # All but 1 % of these alarms are above it, and 4 % of the calm texts.
STILL_ALARMING = -0.5  # The lower bar soon after words that sounded like danger: "forget it. u dont care".
NO_EYES = "I can't see or hear what you sent with it, so I went by your words alone."
HELP_IS_NEAR = (
    "I'm so sorry, that sounds serious. I'm only a simple offline program and can't help with this. "
    "Please contact your local emergency services (911, 112 or 999) now. In the US and Canada you can also call or "
    "text 988 at any hour. And talk to someone you trust."
)
# Source: poisonhelp.hrsa.gov. It answers at any hour, and is free.
POISON_HELP = " For anything swallowed, Poison Help in the US is 1-800-222-1222: call also if you still feel fine."
IF_IN_DANGER = (
    "If anyone is in danger or you can't go on, people can help at any hour: 911, 112 or 999; in the US and Canada "
    "call or text 988."
)
"""Follows on words that are not understood, if they sound like danger or come soon after a call for help."""
CANNOT_TELL = "I'm only a simple program and can't tell how serious this is."
"""Comes before that line if these words themselves sound like danger: many are a figure of speech, or long past."""
IN_AN_EMERGENCY = "In an emergency, call 911, 112 or 999; in a crisis in the US also 988."
"""Follows on such words that sound faintly so."""
STILL_IN_NEED = "If you still need help: 911, 112 or 999 at any hour, in the US also 988."
"""Follows on words that may go on about a danger that was met with help shortly before."""
GIVEN_AWAY = "I don't remember passwords, codes or card numbers, so nothing is kept of this but the text itself."
FIRST_TIME = "(I'm the built-in offline model: a few rules, no AI. Set ANTHROPIC_API_KEY for full replies.)"
MISSED = "I'm only a simple program and didn't get that."
"""The reply to anything that is not understood, a worry at night as well as a joke; short, as it is sent often."""
THE_REST = "I'm only a simple program and didn't get the rest."
TO_FORGET = "To have something forgotten, name it as: forget about my dog."
SAY_YES = "Text /resume: what waits for your yes comes then."
KEPT_AS_TEXT = "Your words are kept."
FINE = "OK."
ABROAD = {said: words.split() for said, words in read_toml("abroad.toml").items()}
"""The small words of each other language, by the reply in that language."""
FEWEST_FOREIGN = 2  # Words of another language in an ASCII text; there must also be more than English ones.
# Without those that are as frequent in Spanish, German or Portuguese.
_ENGLISH = frozenset(read_toml("shorthand.toml")["nothing_meant"].split()).difference("no so as an also has".split())


class OfflineModel:
    """Answers as Claude would, as far as rules can, from the request alone."""

    name = "offline"

    def __init__(self, clock: Clock, embedder: Embedder | None = None) -> None:
        self._clock = clock
        self._embedder = embedder

    def complete(self, request: ModelRequest) -> "Message":
        """Tool calls while there is something to look up or to change, then the reply."""
        scene = scene_of(request)
        scene = replace(scene, alarm=cache(partial(alarm.score, self._embedder, request.deadline)))
        if looked_up := lookups.calls(scene):
            made = scene.to_make(looked_up)
            return _calling(made, scene) if made else _saying(lookups.results_in_words(scene))
        if scene.is_routine:
            return _saying(routines.due_text(scene.words))
        if help_is_near := _help(scene.words):
            is_english = _ENGLISH.intersection(tidy(scene.words).lower().split())
            is_doubtful = is_english and -math.inf < scene.alarm(scene.words) <= FAINTLY_ALARMING
            return _saying(f"{CANNOT_TELL} {IF_IN_DANGER}" if is_doubtful else help_is_near)
        # The request has the person's date; without it the clock's is close enough to give "tomorrow" a date.
        return _answer(scene, scene.today or self._clock.now().date())

    def cost_cents(self, message: "Message") -> float:  # noqa: ARG002 (the protocol's shape; rules cost nothing)
        return 0.0

    def troubles(self) -> list[ModelTrouble]:
        """Always none: the offline model is part of the product."""
        return []

    def reserve_cents(self, request: ModelRequest) -> float:  # noqa: ARG002 (the protocol's shape; rules cost nothing)
        return 0.0


def _help(text: str) -> str:
    """The reply to words that call for help now; empty for any other words."""
    words = tidy(text)
    swallowing, body, despair, not_now = _dangers()
    now = "\n".join(sentence for sentence in sentences(words) if not not_now.search(sentence))
    wants_to_die = is_despair(words) or despair.search(words)
    if not wants_to_die and swallowing.search(now):
        return HELP_IS_NEAR + POISON_HELP
    return HELP_IS_NEAR if wants_to_die or body.search(now) else ""


@cache
def _dangers() -> tuple[re.Pattern[str], ...]:
    """Patterns for something swallowed, a body in danger, a wish to die, and a danger that is not present."""
    read = read_toml("danger.toml")
    lists = {f"{{{name}}}": words.replace("\n", "") for name, words in read["lists"].items()}
    swallowed, in_danger = read["swallowed"], read["in_danger"]
    for name, words in lists.items():
        swallowed, in_danger = swallowed.replace(name, words), in_danger.replace(name, words)
    return (
        re.compile(any_of_lines(swallowed), re.IGNORECASE | re.MULTILINE),
        re.compile(any_of_lines(in_danger, read["in_danger_abroad"]), re.IGNORECASE | re.MULTILINE),
        *(re.compile("|".join(read[name].strip().splitlines()), re.IGNORECASE) for name in ("despair", "not_now")),
    )


def _answer(scene: Scene, today: date) -> "Message":
    """Handles wishes about routines first, and then the rest of the text."""
    wanted, rest = wishes(scene.words, today, scene.earlier)
    if asked := routines.calls(wanted, scene):
        return _calling(asked, scene)
    told = routines.replies(wanted, scene) if wanted else []
    if wanted and not rest:
        goes_on = scene.alarm(scene.words) > 0 and _replies_with_help(scene)
        return _saying(" ".join([*told, *([IF_IN_DANGER] if goes_on else [])]))
    aside = routines.without_routine_steps(scene, rest) if wanted else scene
    is_foreign = _foreign_reply(rest) is not None
    reading = Reading(missed=[rest]) if is_foreign else read(rest, scene.earlier[0] if scene.earlier else "")
    if asked := memory.calls(reading, aside) or memory.zone_calls(reading, aside):
        return _calling(asked, scene)
    unknown = [one for one in reading.questions if may_be_coming(one, aside)]
    if unknown and (asked := scene.to_make([Call("change_routine", {"action": "list"})])):
        return _calling(asked, scene)
    coming = [one for one in (routines.list_naming(question, scene) for question in unknown) if one]
    return _saying(" ".join([*told, _reply(reading, aside, coming, is_more=bool(told))]))


def _reply(reading: Reading, scene: Scene, coming: Sequence[str], *, is_more: bool) -> str:
    parts = [*_small_talk(reading, scene), *memory.replies(reading, scene)]
    parts = [*(one for one in parts if not (coming and one == DONT_KNOW)), *coming]
    parts += [GIVEN_AWAY] if reading.secret else []
    missed = [one for one in reading.missed if not memory.zone_told(one)]
    unmet = [one for one in parts if one.startswith((DONT_KNOW, NO_ANSWER, memory.NO_WORD_OF))]
    nothing_got = not is_more and unmet == parts
    all_missed = bool(missed) and not is_more and {DONT_KNOW, NO_ANSWER}.issuperset(parts)
    if nothing_got and (missed or unmet) and scene.alarm(scene.words) > SURELY_ALARMING:
        return HELP_IS_NEAR
    said_back = " ".join(re.findall('"(.+?)"', " ".join(parts)))
    help_line = _help_line(scene, nothing_got=nothing_got, all_missed=all_missed) if missed or unmet else ""
    help_line = IF_IN_DANGER if said_back and scene.alarm(said_back) > 0 else help_line
    if parts == [FINE] and 0 in _replies_with_help(scene):  # A bare "OK." to their "no" would say that none is needed.
        help_line = STILL_IN_NEED
    if all_missed:
        parts = [_not_understood(scene, help_line)]
    elif missed:
        parts += [THE_REST, NOTHING_SET if holds("unset", tidy(" ".join(missed))) else ""]
    elif reading.missed and not parts:
        parts.append(memory.CANNOT)  # It names their zone, and no tool may set it.
    elif not parts and not is_more:
        parts.append("I'm here. /help lists what I can do." if scene.words.strip() else "")
    parts += [NO_EYES] if scene.unseen else []
    if help_line == IF_IN_DANGER:
        parts = [_missed(scene) if one in {DONT_KNOW, NO_ANSWER} else one for one in parts]
    parts.append(help_line)
    text = " ".join(dict.fromkeys(filter(None, parts)))
    note = f" {FIRST_TIME}" if scene.first_of_day and "who" not in reading.talk and not help_line else ""
    return shortened(text, REPLY_MAX_CHARS - len(note) - len("...")) + note


def _small_talk(reading: Reading, scene: Scene) -> list[str]:
    kinds = list(dict.fromkeys(reading.talk))
    is_business = bool(reading.told or reading.name or reading.forget or reading.questions or reading.missed)
    said = answers()
    parts = [said[kind] for kind in kinds if kind in said]
    parts += ["OK, I've left that."] if reading.takes_back else []
    if scene.waits and {"fine", "yes"}.intersection(kinds):
        parts = [*(one for one in parts if one != said["yes"]), SAY_YES]
    if "hello" in kinds and not reading.name:
        is_new = not (is_business or parts or scene.facts)
        parts = [f"Hi{f', {scene.name}' if scene.name else ''}!", *parts, *([said["help"]] if is_new else [])]
    return parts or ([FINE] if {"fine", "back"}.intersection(kinds) and not is_business else [])


def _not_understood(scene: Scene, help_line: str) -> str:
    words = tidy(scene.words)
    hint = "" if scene.memory_off or help_line == IF_IN_DANGER else KEPT_AS_TEXT
    hint = TO_FORGET if hint and holds("removal", words) else hint
    hint = NOTHING_SET if holds("reminder", words) else hint
    return _foreign_reply(scene.words) or f"{_missed(scene)} {hint}".strip()


def _missed(scene: Scene) -> str:
    return CANNOT_TELL if scene.alarm(scene.words) > 0 else MISSED


def _help_line(scene: Scene, *, nothing_got: bool, all_missed: bool) -> str:
    """The line on where help is, if words sound like danger or it was named shortly before; none once all is well."""
    words, alarm_, helped = tidy(scene.words), scene.alarm(scene.words), _replies_with_help(scene)
    other = "" if holds("reminder", words) or _foreign_reply(scene.words) else IN_AN_EMERGENCY
    if not nothing_got or not other or not helped:
        return IF_IN_DANGER if alarm_ > 0 else other if all_missed and alarm_ > FAINTLY_ALARMING else ""
    at_ease = re.compile(any_of_lines(read_toml("danger.toml")["at_ease"]), re.IGNORECASE)
    since = [part for words in (scene.words, *scene.earlier[: helped[0]]) for part in sentences(tidy(words))]
    if any(at_ease.search(part) and not holds("denied", part) for part in since):
        return ""
    if alarm_ > 0 or (alarm_ == -math.inf and any(scene.replies[at].startswith(HELP_IS_NEAR) for at in helped)):
        return IF_IN_DANGER
    return STILL_IN_NEED if alarm_ > STILL_ALARMING else ""


def _replies_with_help(scene: Scene) -> list[int]:
    """Places of the latest replies that named help, 0 the newest: so many texts came since then."""
    latest = scene.replies[: min(REPLIES_AFTER_HELP, scene.turns_lately)]
    return [at for at, one in enumerate(latest) if one.startswith(HELP_IS_NEAR) or IF_IN_DANGER in one]


def _foreign_reply(words: str) -> str | None:
    """The reply in the language with the most small words in the text, in several if they tie; None for English."""
    said = set(re.findall(r"[\w']+", tidy(words).lower()))
    counted = {reply: sum(word in small for word in said) for reply, small in ABROAD.items()}
    most = max(counted.values())
    fewest = FEWEST_FOREIGN if words.isascii() else 1
    is_foreign = most >= fewest and most > sum(word in _ENGLISH for word in said)
    return " ".join(reply for reply, count in counted.items() if count == most) if is_foreign else None


def _calling(calls: Sequence[Call], scene: Scene) -> "Message":
    uses = [
        {"type": "tool_use", "id": f"toolu_offline_{number}", "name": call.tool, "input": call.input}
        for number, call in enumerate(calls, len(scene.steps) + 1)
    ]
    return _message(uses, "tool_use")


def _saying(text: str) -> "Message":
    return _message([{"type": "text", "text": text}], "end_turn")


def _message(content: list[dict[str, Any]], stop_reason: str) -> "Message":
    from anthropic.types import Message  # noqa: PLC0415  (it takes a second to load and 60 MB, for the first text)

    fields = {"id": "msg_offline", "type": "message", "role": "assistant", "model": "offline", "content": content}
    usage = {"input_tokens": 0, "output_tokens": 0}
    return Message.model_validate({**fields, "stop_reason": stop_reason, "stop_sequence": None, "usage": usage})
