"""Long chats with questions, each with the turns that answer it, in the form of LoCoMo's file: read, pure but for that.

The form: https://github.com/snap-research/locomo, `data/locomo10.json`. Where a file leaves out what can be made up, it
is; where it leaves out what is measured, it is refused.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from app.errors import Refused

WITH_ASSISTANT = frozenset({"user", "assistant"})
"""Who speaks where a person talks with an assistant, in lower case; by other names they are two people."""
PERSON = "user"
ADVERSARIAL = "5"
"""The category of questions that the chat does not answer."""

_DATE_FORMS = (
    "%I:%M %p on %d %B, %Y",  # As LoCoMo has them: "1:56 pm on 8 May, 2023".
    "%d %B, %Y",
    "%d %B %Y",
    "%B %d, %Y",
    "%Y/%m/%d (%a) %H:%M",
    "%Y/%m/%d",
    "%d.%m.%Y, %H:%M:%S",
    "%d.%m.%Y",
)
_WITHOUT_DATE = datetime(2023, 1, 1, 12, 0)  # noqa: DTZ001  (local to the chat, as all its times)
_TURN = re.compile(r"(\d+)\s*:\s*(\d+)")


@dataclass(frozen=True)
class Said:
    """One turn of a chat."""

    session: int
    at: datetime
    """When its session began, by the speakers' own clock."""
    speaker: str
    text: str
    """With what a picture that came with it shows, where it was asked for or where there is nothing else."""


@dataclass(frozen=True)
class Question:
    text: str
    evidence: frozenset[int]
    """The turns that answer it, as they stand in the chat, from 0; never none."""
    category: str


@dataclass(frozen=True)
class Sample:
    """One chat and what is asked about it."""

    said: Sequence[Said]
    questions: Sequence[Question]
    left_out: int
    """Questions whose evidence names no turn."""
    undated: int
    """Sessions without a date that can be read: they count as held when the one before them was."""

    @property
    def speakers(self) -> list[str]:
        return list(dict.fromkeys(turn.speaker for turn in self.said))

    @property
    def is_with_assistant(self) -> bool:
        return {speaker.casefold() for speaker in self.speakers} <= WITH_ASSISTANT

    @property
    def asked_at(self) -> datetime:
        """The day after its last session."""
        return max(turn.at for turn in self.said) + timedelta(days=1)


def read_samples(path: Path, *, captions: bool = False) -> list[Sample]:
    """The chats of a file; with `captions`, what their pictures show is part of what was said.

    Raises:
        Refused: the file is not in this form, or there is no question in it that can be measured.
        OSError: it cannot be read.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise Refused(f"{path} is not JSON. It has to be a list of samples in the form of LoCoMo.") from None
    if not isinstance(given, list) or not given:
        raise Refused(f"{path} is not a list of samples in the form of LoCoMo, with at least one.")
    samples = [_sample(one, f"{path}, sample {number}", captions=captions) for number, one in enumerate(given, 1)]
    if not any(question.category != ADVERSARIAL for sample in samples for question in sample.questions):
        raise Refused(
            f"{path} has no question to measure: each needs a category other than {ADVERSARIAL}, and evidence that "
            'names turns of its chat by their dia_id, as ["D1:3"].'
        )
    return samples


def _sample(given: object, where: str, *, captions: bool) -> Sample:
    chat, asked = (given.get("conversation"), given.get("qa")) if isinstance(given, dict) else (None, None)
    if not isinstance(chat, dict):
        raise Refused(f"{where}: it has no conversation with session_1, session_2 …")
    if not isinstance(asked, list):
        raise Refused(f"{where}: it has no list of questions under qa.")
    said: list[Said] = []
    places: dict[str | tuple[int, int], int] = {}
    at, undated = None, 0
    for session, turns in _sessions(chat):
        found = _date(chat.get(f"session_{session}_date_time"))
        undated += found is None
        at = found or at or _WITHOUT_DATE
        for number, turn in enumerate(turns, 1):
            for name in _names_of(turn, session, number):
                places.setdefault(name, len(said))
            said.append(_said(turn, session, at, f"{where}, session_{session}, turn {number}", captions=captions))
    if not said:
        raise Refused(f"{where}: nothing is said in it. Turns stand in lists under session_1, session_2 …")
    read = [_question(one, places, f"{where}, question {number}") for number, one in enumerate(asked, 1)]
    questions = [one for one in read if one is not None]
    return Sample(said, questions, len(read) - len(questions), undated)


def _sessions(chat: Mapping[str, Any]) -> Iterator[tuple[int, list[Any]]]:
    numbers = sorted(int(key[8:]) for key in chat if re.fullmatch(r"session_\d{1,9}", key))
    for number in numbers:
        turns = chat[f"session_{number}"]
        if isinstance(turns, list) and turns:
            yield number, turns


def _said(turn: object, session: int, at: datetime, where: str, *, captions: bool) -> Said:
    if not isinstance(turn, dict) or not isinstance(turn.get("speaker"), str):
        raise Refused(f"{where}: it has no speaker.")
    text, shown = turn.get("text") or "", turn.get("blip_caption")
    if not isinstance(text, str):
        raise Refused(f"{where}: its text is no text.")
    if isinstance(shown, str) and shown and (captions or not text.strip()):
        text = f"{text} [shared a photo: {shown}]".strip()
    return Said(session, at, turn["speaker"].strip(), text)


def _names_of(turn: object, session: int, number: int) -> Iterator[str | tuple[int, int]]:
    """What evidence may call a turn: its dia_id as it is, and as two numbers, since files write D1:3 as D1:03 too."""
    name = turn.get("dia_id") if isinstance(turn, dict) else None
    if not isinstance(name, str):
        yield (session, number)
        return
    yield name.strip()
    if found := _TURN.search(name):
        yield (int(found[1]), int(found[2]))


def _question(given: object, places: Mapping[str | tuple[int, int], int], where: str) -> Question | None:
    """None where its evidence names no turn."""
    if not isinstance(given, dict) or not isinstance(given.get("question"), str):
        raise Refused(f"{where}: it has no question.")
    evidence = given.get("evidence")
    named = [evidence] if isinstance(evidence, str) else evidence if isinstance(evidence, list) else []
    turns: set[int] = set()
    for name in named:
        if not isinstance(name, str):
            continue
        if name.strip() in places:
            turns.add(places[name.strip()])
        else:  # Several may stand in one text: "D8:6; D9:17".
            pairs = ((int(session), int(number)) for session, number in _TURN.findall(name))
            turns |= {places[pair] for pair in pairs if pair in places}
    return Question(given["question"], frozenset(turns), str(given.get("category", "none"))) if turns else None


def _date(given: object) -> datetime | None:
    if not isinstance(given, str):
        return None
    text = " ".join(given.split())
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        pass
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(text, form)  # noqa: DTZ007  (local to the chat)
        except ValueError:
            continue
    return None
