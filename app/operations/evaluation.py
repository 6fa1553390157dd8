"""The quality of recall on chats with questions, measured with the product's own index in a separate database.

The chats have the form of LoCoMo's file: https://github.com/snap-research/locomo, `data/locomo10.json`. Missing values
are filled in if they do not affect the result; otherwise the file is refused.
"""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np
from sqlalchemy.orm import Session

from app.errors import Refused
from app.memory import index
from app.memory.index import IndexQuery
from app.memory.index.documents import Document
from app.memory.index.query import Query, prepare
from app.memory.index.ranking import Ranking
from app.memory.index.vectors import Vector
from app.services import Embedder
from app.store.db import Database
from app.text.telling import signs

Part = Literal["words", "meaning"]
Key = str | tuple[int, int]  # The id of a turn in a question's evidence.
Seen = Callable[[int], None]  # Called with the number of further texts that are done.

TEXTS_AT_ONCE = 32
DEPTHS = (1, 5, 10, 25)
GAIN_DEPTH = 10
METRICS = (*(f"recall@{depth}" for depth in DEPTHS), "mrr", f"ndcg@{GAIN_DEPTH}")
"""The share of the evidence among the first found; 1 / the rank of its first piece; and the discounted gain of the
first ten, as a share of the best possible (nDCG, each piece counting 1)."""
WITH_ASSISTANT = frozenset({"user", "assistant"})
"""Speakers of a chat between a person and an assistant, in lower case; other names mean two people."""
PERSON = "user"
ADVERSARIAL = "5"  # The category of questions that the chat does not answer.

_DATE_FORM = "%I:%M %p on %d %B, %Y"  # "1:56 pm on 8 May, 2023".
_WITHOUT_DATE = datetime(2023, 1, 1, 12, 0)  # noqa: DTZ001  (local to the chat, as all its times)
_SESSION = re.compile(r"session_\d{1,9}")
_TURN = re.compile(r"(\d+)\s*:\s*(\d+)")


@dataclass(frozen=True)
class Said:
    """One turn of a chat."""

    session: int
    at: datetime  # Start of its session, by the speakers' own clock.
    speaker: str
    text: str  # With a description of its picture, if captions are wanted or there are no words.


@dataclass(frozen=True)
class Question:
    text: str
    evidence: frozenset[int]  # The turns that answer it, by their place in the chat, from 0; never empty.
    category: str


@dataclass(frozen=True)
class Sample:
    """One chat and the questions about it."""

    said: Sequence[Said]
    questions: Sequence[Question]
    left_out: int  # Number of questions whose evidence names no turn.

    @property
    def speakers(self) -> list[str]:
        return list(dict.fromkeys(turn.speaker for turn in self.said))

    @property
    def is_with_assistant(self) -> bool:
        return {speaker.casefold() for speaker in self.speakers} <= WITH_ASSISTANT

    @property
    def names(self) -> list[str]:
        """Names that a question may use; a person and their assistant are not named in theirs."""
        return [] if self.is_with_assistant else self.speakers


def read_samples(path: Path, *, captions: bool = False) -> list[Sample]:
    """The chats of a file; with `captions`, descriptions of their pictures are part of the texts.

    Raises:
        Refused: the file is not in this form, or has no question that can be measured.
        OSError: the file cannot be read.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8-sig"))
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
    places: dict[Key, int] = {}
    at = _WITHOUT_DATE
    for key in sorted(filter(_SESSION.fullmatch, chat), key=lambda key: int(key[8:])):
        session, turns = int(key[8:]), chat[key]
        if not isinstance(turns, list) or not turns:
            continue
        at = _date(chat.get(f"{key}_date_time")) or at  # Without a readable date it has that of the session before.
        for number, turn in enumerate(turns, 1):
            name = turn.get("dia_id") if isinstance(turn, dict) else None
            places.setdefault(_keys(name)[0] if isinstance(name, str) else (session, number), len(said))
            said.append(_said(turn, session, at, f"{where}, session_{session}, turn {number}", captions=captions))
    if not said:
        raise Refused(f"{where}: nothing is said in it. Turns stand in lists under session_1, session_2 …")
    read = [_question(one, places, f"{where}, question {number}") for number, one in enumerate(asked, 1)]
    questions = [one for one in read if one is not None]
    return Sample(said, questions, len(read) - len(questions))


def _said(turn: object, session: int, at: datetime, where: str, *, captions: bool) -> Said:
    if not isinstance(turn, dict) or not isinstance(turn.get("speaker"), str):
        raise Refused(f"{where}: it has no speaker.")
    text, shown = turn.get("text") or "", turn.get("blip_caption")
    if not isinstance(text, str):
        raise Refused(f"{where}: its text is no text.")
    if isinstance(shown, str) and shown and (captions or not text.strip()):
        text = f"{text} [shared a photo: {shown}]".strip()
    return Said(session, at, turn["speaker"].strip(), text)


def _keys(name: str) -> list[Key]:
    """The turns that are named: two numbers each, since files also write D1:03 for D1:3, or else the name as it is."""
    return [(int(session), int(number)) for session, number in _TURN.findall(name)] or [name.strip()]


def _question(given: object, places: Mapping[Key, int], where: str) -> Question | None:
    """A question; None if its evidence names no turn."""
    if not isinstance(given, dict) or not isinstance(given.get("question"), str):
        raise Refused(f"{where}: it has no question.")
    evidence = given.get("evidence")
    named = [evidence] if isinstance(evidence, str) else evidence if isinstance(evidence, list) else []
    keys = [key for name in named if isinstance(name, str) for key in _keys(name)]
    turns = frozenset(places[key] for key in keys if key in places)
    return Question(given["question"], turns, str(given.get("category", "none"))) if turns else None


def _date(given: object) -> datetime | None:
    text = " ".join(given.split()) if isinstance(given, str) else ""
    for read in (datetime.fromisoformat, lambda text: datetime.strptime(text, _DATE_FORM)):  # noqa: DTZ007  (local)
        with suppress(ValueError):
            return read(text).replace(tzinfo=None)
    return None


@dataclass(frozen=True)
class Score:
    """The result of one question."""

    category: str
    values: Mapping[str, float]  # By the names of `METRICS`, each 0 to 1, higher is better.


def score(question: Question, order: Iterable[int]) -> Score:
    """The question's score; `order` has the turns that were found, best first, each once."""
    evidence = question.evidence
    ranks = [rank for rank, turn in enumerate(order, 1) if turn in evidence]
    recall = [sum(rank <= depth for rank in ranks) / len(evidence) for depth in DEPTHS]
    gain = sum(1 / math.log2(rank + 1) for rank in ranks if rank <= GAIN_DEPTH)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(len(evidence), GAIN_DEPTH) + 1))
    values = [*recall, 1 / ranks[0] if ranks else 0.0, gain / best]
    return Score(question.category, dict(zip(METRICS, values, strict=True)))


def averages(scores: Sequence[Score]) -> dict[str, float]:
    """Percentages by the names of `METRICS`, averaged over all questions; 0 if there are none."""
    count = max(len(scores), 1)
    return {name: round(100 * math.fsum(one.values[name] for one in scores) / count, 2) for name in METRICS}


@dataclass(frozen=True)
class Prepared:
    """A chat with its vectors."""

    sample: Sample
    texts: Sequence[str]  # The text of each turn that is embedded.
    queries: Sequence[Query]
    model: str | None  # The embedder's name; None without vectors.
    of_texts: Sequence[Vector | None]
    of_queries: Sequence[Vector | None]


def prepare_chat(sample: Sample, embedder: Embedder | None, seen: Seen) -> Prepared:
    """The chat with its vectors and queries.

    Raises:
        EmbeddingError: the vectors cannot be made now.
    """
    # With two people each text begins with its speaker, whom a question names. With an assistant it does not.
    texts = [turn.text if sample.is_with_assistant else f"{turn.speaker}: {turn.text}" for turn in sample.said]
    asked_at = max(turn.at for turn in sample.said) + timedelta(days=1)
    queries = [prepare(question.text, sample.names, asked_at) for question in sample.questions]
    said = vectors(embedder, texts, seen)
    asked = vectors(embedder, [query.meaning for query in queries], seen, is_query=True)
    return Prepared(sample, texts, queries, embedder.name if embedder else None, said, asked)


def vectors(
    embedder: Embedder | None, texts: Sequence[str], seen: Seen, *, is_query: bool = False
) -> list[Vector | None]:
    """One vector for each text, embedded a few at a time; None for each without an embedder.

    Raises:
        EmbeddingError: the vectors cannot be made now.
    """
    made: list[Vector | None] = []
    for first in range(0, len(texts), TEXTS_AT_ONCE):
        some = texts[first : first + TEXTS_AT_ONCE]
        made += [None] * len(some) if embedder is None else list(embedder.embed(some, is_query=is_query))
        seen(len(some))
    return made


def index_chat(db: Session, person_id: int, chat: Prepared) -> None:
    """Index the chat as the memory of a person; each turn is the item numbered by its place, from 1."""
    names = chat.sample.names
    documents = [
        Document(
            item=item,
            text=turn.text,
            day=turn.at.date(),
            own=turn.speaker.casefold() == PERSON,
            speaker=turn.speaker if names else "",
            conversation=turn.session + 1,  # There may be a session 0, and 0 means none.
            signs=signs(turn.text, names),
            vector=vector,
        )
        for item, (turn, vector) in enumerate(zip(chat.sample.said, chat.of_texts, strict=True), 1)
        if turn.text.strip()
    ]
    index.add(db, person_id, "message", documents, chat.model)


def scores(db: Session, person_id: int, chat: Prepared, ranking: Ranking, only: Part | None = None) -> Iterator[Score]:
    """The score of each of the chat's questions, by words, by meaning or by both."""
    speakers = np.array([turn.speaker for turn in chat.sample.said])
    for question, query, vector in zip(chat.sample.questions, chat.queries, chat.of_queries, strict=True):
        asked = IndexQuery("" if only == "meaning" else query.words, None if only == "words" else vector, chat.model)
        found = index.search(db, person_id, "message", asked)
        if not chat.sample.is_with_assistant:
            found = replace(found, own=np.isin(speakers[found.items - 1], list(query.about)))
        yield score(question, found.items[ranking(found, query.days).order] - 1)


def score_chats(store: Database, chats: Iterable[Prepared], ranking: Ranking, only: Part | None = None) -> list[Score]:
    """Scores of all questions of all chats, each chat as the memory of its own person."""
    results: list[Score] = []
    for person_id, chat in enumerate(chats, 1):
        with store.transaction() as db:
            index_chat(db, person_id, chat)
        with store.reading() as db:
            results += scores(db, person_id, chat, ranking, only)
    return results
