"""Everything a person asked to forget, and the parts of past texts that may still be told.

A sentence about a forgotten thing is left out, and so are those that go on about it ("She is moving to Berlin") until
something else is named; a doubtful sentence is left out too. Never told are requests to forget and their answers,
commands and their answers, error texts of ours, texts that never went out, and texts from while memory was off.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, Row, and_, bindparam, or_, select
from sqlalchemy.orm import Session

from app.memory.changes import SUBJECT, last_retired
from app.memory.episodes.triggers import HISTORY_MESSAGES
from app.memory.subjects import Subject, continues_subject, pronoun_at_start, pronoun_of, pronouns_for
from app.models import Change, ChangeItem, Fact, Message, Turn
from app.text.own_words import Written
from app.text.secrets import without_despair, without_secrets
from app.text.telling import tells_something
from app.text.wording import MEASURES, normalise, sentences, stems, subjects, things

NAME = "[name]"  # Replaces the person's own name once it is forgotten, in brackets because they did not say it.
FORGOTTEN = "[forgotten]"
"""Replaces forgotten words in the history, so that the texts around them keep their places."""

# A sentence with a name and no words but these tells only the name.
_TELLS_A_NAME = subjects("I'm name called call hi hello hey nice meet know here first full nick people everyone")
_FORGETTING = re.compile(
    r"\b(?:forget(?!\w)|unremember|delet\w*|remov\w*|eras\w*|wipe\b|unlearn|no longer remember|stop remembering|"
    r"(?:do not|don['’]?t) (?:want you to )?(?:remember|know|keep)\b|"
    r"olvid\w*|borr\w*|elimin\w*|oubli\w*|supprim\w*|effac\w*|vergiss\w*|vergess\w*|l[oö]sch\w*|entfern\w*|esque[cç]\w*|"
    r"apag\w*|dimentic\w*|cancell\w*|vergeet\w*|verwijder\w*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ForgottenThing:
    """Something that was forgotten: a version of a fact, a subject, or the person's own name."""

    at: datetime  # The time of forgetting; sentences told later are kept.
    fact: str = ""
    subject: Subject | None = None
    name: str = ""
    source: int | None = None  # The text that taught the fact; it is never told, whatever its words.

    @property
    def about(self) -> frozenset[str]:
        """Subjects that a sentence must all name to say the fact."""
        return things(self.fact) - MEASURES or subjects(self.fact)

    @property
    def pronoun(self) -> str | None:
        """*she* or *he* for somebody whose pronoun is known, else None."""
        return pronoun_of(self.subject.kin if self.subject is not None else stems(self.fact))

    @property
    def searched(self) -> str:
        """Search words that find texts and episodes about it."""
        return self.subject.searched if self.subject is not None else self.fact or self.name


@dataclass(frozen=True)
class Said:
    message_id: int
    turn_id: int
    by_person: bool
    words: str
    at: datetime
    forwarded: bool = False  # True if the carrier marks the text as forwarded.


class Fence:
    """Everything forgotten, indexed so that many sentences can be checked."""

    def __init__(self, gone: Iterable[ForgottenThing]) -> None:
        self._facts: dict[str, list[tuple[frozenset[str], ForgottenThing]]] = defaultdict(list)
        self._subjects: list[tuple[Subject, ForgottenThing]] = []
        self._names: list[tuple[re.Pattern[str], ForgottenThing]] = []
        for one in gone:
            if one.name:
                self._names.append((_own_name(one.name), one))
            elif one.subject is not None:
                self._subjects.append((one.subject, one))
            elif about := one.about:
                self._facts[min(about)].append((about, one))  # Keyed by one word: of hundreds of facts few share it.

    def find_mentioned(self, sentence: str, at: datetime) -> ForgottenThing | None:
        """The thing forgotten since `at` that the sentence speaks of, if any."""
        if self._facts:
            said = subjects(sentence)
            for word in said:
                for about, one in self._facts.get(word, ()):
                    if one.at >= at and about <= said:
                        return one
        return next((one for subject, one in self._subjects if one.at >= at and subject.is_named_in(sentence)), None)

    def nameless(self, words: str, at: datetime) -> str:
        """The words without the person's own name if it was forgotten since `at`; empty if they told only the name."""
        for pattern, one in self._names:
            if one.at >= at and pattern.search(words):
                words = pattern.sub(NAME, words)
                words = "" if subjects(words) <= _TELLS_A_NAME else words
        return words


def mentions_forgotten(words: str, fence: Fence, at: datetime) -> bool:
    """True if a sentence speaks of something forgotten since `at`, or holds the person's name forgotten since."""
    if any(fence.find_mentioned(one, at) is not None for one in sentences(words)):
        return True
    return fence.nameless(words, at) != words


def was_forgotten(sentence: str, at: datetime, gone: Sequence[ForgottenThing]) -> bool:
    """True if a sentence told at `at` repeats something forgotten since."""
    since = [one for one in gone if one.at >= at]
    return normalise(sentence) in {normalise(one.fact) for one in since} or mentions_forgotten(
        sentence, Fence(since), at
    )


def without_name(words: str, name: str) -> str:
    """The words with `NAME` in place of the name; empty if they are only the name, as a topic can be."""
    if {*words.casefold().split()} <= {*name.casefold().split()}:
        return ""
    return _own_name(name).sub(NAME, words)


def _own_name(name: str) -> re.Pattern[str]:
    parts = "|".join(re.escape(part) for part in sorted(name.split(), key=len, reverse=True) if len(part) > 1)
    either = f"(?:{parts or re.escape(name)})"
    # Upper or lower case only behind a lead such as "name is": "will" and "may" are also common words.
    told = "|".join(rf"(?<=\b(?i:{lead}) )" for lead in ("i'm", "i’m", "im", "i am", "name is", "name's", "call me"))
    return re.compile(rf"\b{either}(?:\s+{either})*\b|(?:{told})(?i:{either})\b")


def tellable_parts(
    texts: Sequence[Said], gone: Sequence[ForgottenThing], forgot_in: Collection[int] = ()
) -> list[Said]:
    """The parts of one conversation's texts that may still be told; `forgot_in` are turns that forgot something."""
    listener = _Listener(Fence(gone))
    taught = {one.source for one in gone if one.source is not None}
    found = []
    for turn_id, together in groupby(texts, key=lambda text: text.turn_id):
        whole, heard = True, _EVER
        for text in together:
            if not (whole or text.by_person):
                continue  # Our answer repeats the hidden words, or the request to forget them.
            # An answer may tell what was forgotten while it was written.
            heard = text.at if text.by_person or heard == _EVER else heard
            pieces = sentences(text.words)
            known = replace(text, at=heard)
            left = [one for one in pieces if listener.may_tell(one, known, forgot=turn_id in forgot_in)]
            if left == pieces and text.message_id in taught:
                left = []  # It said the fact in other words, and we do not know which.
            whole = whole and left == pieces
            told = [listener.fence.nameless(one, heard) for one in left]
            words = text.words if told == pieces else "\n".join(filter(None, told))
            if words.strip():
                found.append(replace(text, words=words))
    return found


class _Listener:
    """State for reading one conversation sentence by sentence: the forgotten thing that the next may go on about."""

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._follows = False
        self._about: ForgottenThing | None = None
        """The forgotten thing spoken of last; None after a request to forget, which may use any words."""
        self._pronoun: str | None = None
        self._aside = False
        """`_pronoun` and `_aside` are the arguments of `continues_subject`."""

    def may_tell(self, sentence: str, text: Said, *, forgot: bool) -> bool:
        asks = _FORGETTING.search(sentence) is not None and (forgot or not tells_something(sentence))
        if text.by_person and asks:
            self._follows, self._about, self._pronoun, self._aside = True, None, None, False
            return False
        spoken_of = self.fence.find_mentioned(sentence, text.at)
        if spoken_of is not None:
            if not self._follows or spoken_of is not self._about:
                self._pronoun = spoken_of.pronoun
            self._follows, self._about, self._aside = True, spoken_of, False
            return False
        if not self._follows or (self._about is not None and self._about.at < text.at):
            return True
        is_of_it = continues_subject(sentence, self._pronoun, aside=self._aside)
        if text.by_person and is_of_it and not self._aside:
            self._pronoun = self._pronoun or pronoun_at_start(sentence)
        elif text.by_person and not is_of_it and (named := pronouns_for(sentence)):
            self._follows = self._pronoun is not None and not named & {self._pronoun, "any"}
            self._aside = True
        return not is_of_it  # A name in our own answer does not change what is spoken of.


def forgotten_things(db: Session, person_id: int, *, since: datetime | None = None) -> list[ForgottenThing]:
    """Everything forgotten, or forgotten since `since`; words said about it before must not be told."""
    return forgotten_things_by_turn(db, person_id, since=since)[0]


def forgotten_things_by_turn(
    db: Session, person_id: int, *, since: datetime | None
) -> tuple[list[ForgottenThing], set[int]]:
    """Same as `forgotten_things`, with the turns that forgot something, even if that was undone."""
    found, turns = forgotten_facts(db, person_id, since=since), set()
    for row in db.execute(_FORGETTINGS, {"person": person_id, "since": since or _EVER}):
        if row.turn_id is not None:
            turns.add(row.turn_id)
        if row.field == SUBJECT and row.undone_at is None:
            found.append(ForgottenThing(row.at, subject=Subject.of_text(str(row.after))))
        elif row.field is not None and row.undone_at is None:
            found.append(ForgottenThing(row.at, name=str(row.before)))
    return found, turns


def forgotten_subjects(db: Session, person_id: int) -> list[tuple[str, datetime]]:
    """Forgotten subjects, as the person put them, each with its time; the latest first."""
    forgot = (Change.person_id == person_id, Change.undone_at.is_(None), Change.verb == "forget")
    rows = select(ChangeItem.before, Change.at).join(Change, Change.id == ChangeItem.change_id)
    rows = rows.where(*forgot, ChangeItem.field == SUBJECT).order_by(Change.id.desc(), ChangeItem.id)
    return [(said or "", at) for said, at in db.execute(rows)]


def forgotten_facts(
    db: Session, person_id: int, numbers: Collection[int] | None = None, *, since: datetime | None = None
) -> list[ForgottenThing]:
    """All versions of forgotten facts; with `numbers` or `since`, only of these facts or those forgotten since."""
    wanted = {
        number: at
        for number, at in forgotten_at(db, person_id).items()
        if (since is None or at >= since) and (numbers is None or number in numbers)
    }
    if not wanted:
        return []
    rows = select(Fact.number, Fact.sentence, Fact.message_id).where(Fact.person_id == person_id)
    if numbers is not None or since is not None:
        rows = rows.where(Fact.number.in_(wanted))
    told = [row for row in db.execute(rows) if row.number in wanted]
    return [ForgottenThing(wanted[number], fact=sentence, source=message_id) for number, sentence, message_id in told]


def turns_that_forgot(db: Session, turns: Collection[int]) -> set[int]:
    """Those of these turns that forgot something, even if that was undone."""
    forgot = select(Change.turn_id).where(Change.turn_id.in_(turns), Change.verb == "forget")
    return {turn for turn in db.scalars(forgot) if turn is not None}


def without_forgotten(db: Session, person_id: int, versions: Sequence[Fact]) -> list[Fact]:
    """Those of these versions that speak of nothing forgotten since they were recorded."""
    if not versions:
        return []
    fence = Fence(forgotten_things(db, person_id, since=min(one.recorded_at for one in versions)))
    return [one for one in versions if fence.find_mentioned(one.sentence, one.recorded_at) is None]


def with_merged(db: Session, person_id: int, numbers: Collection[int]) -> list[int]:
    """These facts and all that were merged into them: to forget the one is to forget what it took from the others."""
    into = {fact.number: fact.merged_into for fact in _retired(db, person_id) if fact.merged_into is not None}
    return [*numbers, *(one for one in into if one not in numbers and _said_by(one, into) in numbers)]


def forgotten_at(db: Session, person_id: int) -> dict[int, datetime]:
    """The time at which each forgotten fact of the person was forgotten, by number."""
    retired = _retired(db, person_id)
    into = {fact.number: fact.merged_into for fact in retired if fact.merged_into is not None}
    ended = {fact.number: fact.retired_at for fact in retired if fact.merged_into is None}
    # A merged fact counts as forgotten only once the fact that it was merged into is.
    at = {fact.number: ended.get(_said_by(fact.number, into)) for fact in retired}
    return {number: gone_at for number, gone_at in at.items() if gone_at is not None}


def _said_by(number: int, into: Mapping[int, int]) -> int:
    """Number of the fact at the end of a chain of merges: the one that says it now, or said it last."""
    for _ in into:
        number = into.get(number, number)
    return number


def _retired(db: Session, person_id: int) -> Sequence[Row[int, datetime | None, int | None]]:
    """Number, `retired_at` and `merged_into` of the last version of each fact that is not held."""
    return db.execute(_RETIRED, {"person": person_id}).all()


# Built once: building these queries takes longer than running them.
_RETIRED = last_retired(Fact, bindparam("person")).with_only_columns(Fact.number, Fact.retired_at, Fact.merged_into)
_EVER = datetime(1, 1, 1, tzinfo=UTC)
_FORGETTINGS = (
    select(Change.turn_id, Change.undone_at, ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.at)
    .outerjoin(ChangeItem, and_(ChangeItem.change_id == Change.id, ChangeItem.field.in_((SUBJECT, "name"))))
    .where(Change.person_id == bindparam("person"), Change.verb == "forget", Change.at >= bindparam("since"))
)
SPOKEN = (
    select(Message.id, Message.turn_id, Message.direction, Message.body, Message.created_at)
    .add_columns(Message.media_count, Message.forwarded)
    .join(Turn, Turn.id == Message.turn_id)
    .order_by(Message.turn_id, Message.direction, Message.id)
)
_EARLIER = (
    select(
        *(Message.id, Message.direction, Message.body, Message.media_count, Message.created_at),
        *(Turn.id.label("turn_id"), Turn.kind),
    )
    .join(Turn, Turn.id == Message.turn_id)
    .where(Turn.person_id == bindparam("person"), Turn.id < bindparam("turn"))
    .where(Turn.id > bindparam("since"), Turn.kind != "command", Turn.state == "done")
    .where(or_(Turn.memory_on, Turn.conversation_id == bindparam("off_in")))
    # A text of a routine that never went out was not said.
    .where(or_(Turn.kind == "reply", Message.state != "refused"))
    .order_by(Turn.id.desc(), Message.direction.desc(), Message.id.desc())
    .limit(HISTORY_MESSAGES)
)


class EarlierText(NamedTuple):
    """One text of an earlier turn, ours or the person's, as the model may be shown it."""

    id: int
    direction: str
    body: str
    media_count: int
    created_at: datetime
    turn_id: int
    kind: str


def texts_before(db: Session, person_id: int, turn_id: int, *, since: int, off_in: int | None) -> list[EarlierText]:
    """Texts after turn `since` and before `turn_id`, newest first, no commands; memory-off ones only of `off_in`."""
    asked = {"person": person_id, "turn": turn_id, "since": since, "off_in": off_in}
    texts = [EarlierText(*row) for row in db.execute(_EARLIER, asked)]
    if not texts:
        return []
    found, forgot = forgotten_things_by_turn(db, person_id, since=min(text.created_at for text in texts))
    if not found:
        return texts
    said = [Said(one.id, one.turn_id, one.direction == "in", one.body, one.created_at) for one in reversed(texts)]
    left = {one.message_id: one.words for one in tellable_parts(said, found, forgot)}

    def shown(text: EarlierText) -> str:
        if text.direction == "out" and text.turn_id in forgot:
            return FORGOTTEN  # Our answer there says what was forgotten.
        words = left.get(text.id, "")
        return text.body if words == text.body else f"{words}\n{FORGOTTEN}".lstrip()

    return [one._replace(body=shown(one)) if one.body.strip() else one for one in texts]


def is_said() -> ColumnElement[bool]:
    """SQL condition for messages joined to turns: the person's words, or the model's that went out, with memory on."""
    went_out = Turn.outcome.in_(Turn.SPOKEN) & (Message.state != "refused")
    return Turn.memory_on & ((Message.direction == "in") | went_out)


def findable_parts(db: Session, person_id: int, which: ColumnElement[bool]) -> list[Said]:
    """The parts of these messages of a person that a search may find and tell; sentences of despair are left out."""
    spoken_in = select(Message.id, Turn.id, Turn.conversation_id, Message.created_at)
    spoken_in = spoken_in.join(Turn, Turn.id == Message.turn_id)
    rows = db.execute(spoken_in.where(Message.person_id == person_id, which)).all()
    if not rows:
        return []
    ids, turns, conversations, times = map(set, zip(*rows, strict=True))
    forgotten = forgotten_things(db, person_id, since=min(times))
    # Read whole conversations: earlier sentences show if a later one goes on about a forgotten thing.
    around = Turn.conversation_id.in_(conversations) if forgotten else Turn.id.in_(turns)
    found = [one for one in tellable_in_turns(db, around, forgotten) if one.message_id in ids]
    return [replace(one, words=words) for one in found if (words := without_despair(one.words))]


def tellable_in_turns(db: Session, which: ColumnElement[bool], forgotten: Sequence[ForgottenThing]) -> list[Said]:
    """The parts of the texts of these turns that may be told, grouped by conversation and without secrets."""
    rows = db.execute(SPOKEN.add_columns(Turn.conversation_id).where(which, is_said())).all()
    asked = turns_that_forgot(db, {row.turn_id for row in rows})
    found: list[Said] = []
    for _, together in groupby(sorted(rows, key=lambda row: row.conversation_id), key=lambda row: row.conversation_id):
        texts_ = [
            Said(row.id, row.turn_id, row.direction == "in", words, row.created_at)
            for row in together
            if (words := without_secrets(row.body).strip())
        ]
        found += tellable_parts(texts_, forgotten, asked)
    return found


def written_before(db: Session, message: Message, count: int) -> list[Written]:
    """Up to `count` texts that the person sent before this one while memory was on, newest first."""
    rows = select(Message.body, Message.forwarded).join(Turn, Turn.id == Message.turn_id)
    rows = rows.where(Message.person_id == message.person_id, Turn.memory_on)
    newest = rows.where(Message.direction == "in", Message.id < message.id).order_by(Message.id.desc()).limit(count)
    return [Written(words, forwarded) for words, forwarded in db.execute(newest)]
