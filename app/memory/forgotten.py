"""All that a person has had forgotten, and the part of what was said that may still be told.

A sentence that speaks of it is left out, and so are those that go on about it ("She is moving to Berlin") until
something else is named: where it is in doubt what they speak of, they are left out. What asks to forget, and the
answer to it, are never told; nor are commands and their answers, texts of ours that only say that something is in the
way or that never went out, and what was said while memory was off.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import ColumnElement, Row, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session

from app.memory.changes import SUBJECT
from app.memory.episodes.triggers import HISTORY_MESSAGES
from app.memory.subjects import Subject, goes_on, named_in, pronoun_at_start, pronoun_of
from app.models import Change, ChangeItem, Fact, Message, Turn
from app.text.own_words import Written
from app.text.secrets import without_despair, without_secrets
from app.text.telling import tells_something
from app.text.wording import MEASURES, normalise, sentences, stems, subjects, things

PERSON = "User"  # What stands in the place of the person's own name, once it is forgotten.
FORGOTTEN = "[forgotten]"
"""What stands in the history in the place of words that are forgotten: the texts around it keep their places."""

# Beside these a sentence that tells a name tells nothing.
_TELLS_A_NAME = subjects(f"{PERSON} name called call hi hello hey nice meet know here first full nick people everyone")
_FORGETTING = re.compile(
    r"\b(?:forget(?!\w)|unremember|delet\w*|remov\w*|eras\w*|wipe\b|unlearn|no longer remember|stop remembering|"
    r"(?:do not|don['’]?t) (?:want you to )?(?:remember|know|keep)\b|"
    r"olvid\w*|borr\w*|elimin\w*|oubli\w*|supprim\w*|effac\w*|vergiss\w*|vergess\w*|l[oö]sch\w*|entfern\w*|esque[cç]\w*|"
    r"apag\w*|dimentic\w*|cancell\w*|vergeet\w*|verwijder\w*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Gone:
    """Something that was forgotten: a version of a fact, a subject, or the person's own name."""

    at: datetime  # When: what is told later is not forgotten.
    fact: str = ""
    subject: Subject | None = None
    name: str = ""
    source: int | None = None  # The text that taught the fact: it is not told either, in whatever words it did.

    @property
    def about(self) -> frozenset[str]:
        """The subjects that a sentence has to name to say the fact."""
        return things(self.fact) - MEASURES or subjects(self.fact)

    @property
    def pronoun(self) -> str | None:
        """*she* or *he*, where it is somebody of whom that is known."""
        return pronoun_of(self.subject.kin if self.subject is not None else stems(self.fact))

    @property
    def searched(self) -> str:
        """The words by which whatever tells of it may be found."""
        return self.subject.searched if self.subject is not None else self.fact or self.name


@dataclass(frozen=True)
class Said:
    message_id: int
    turn_id: int
    by_person: bool
    words: str
    at: datetime
    forwarded: bool = False  # Whether its carrier calls it forwarded.


class Fence:
    """All that was forgotten, made ready for many sentences."""

    def __init__(self, gone: Iterable[Gone]) -> None:
        self._facts: dict[str, list[tuple[frozenset[str], Gone]]] = defaultdict(list)
        self._subjects: list[tuple[Subject, Gone]] = []
        self._names: list[tuple[re.Pattern[str], Gone]] = []
        for one in gone:
            if one.name:
                self._names.append((_own_name(one.name), one))
            elif one.subject is not None:
                self._subjects.append((one.subject, one))
            elif about := one.about:
                self._facts[min(about)].append((about, one))  # Hundreds of them: nearly none shares its first word.

    def spoken_of_in(self, sentence: str, at: datetime) -> Gone | None:
        """What was forgotten since that time and the sentence speaks of."""
        if self._facts:
            said = subjects(sentence)
            for word in said:
                for about, one in self._facts.get(word, ()):
                    if one.at >= at and about <= said:
                        return one
        return next((one for subject, one in self._subjects if one.at >= at and subject.is_named_in(sentence)), None)

    def nameless(self, words: str, at: datetime) -> str:
        """The words without the person's own name, where that was forgotten since; nothing where they told it alone."""
        for pattern, one in self._names:
            if one.at >= at and pattern.search(words):
                words = pattern.sub(PERSON, words)
                words = "" if subjects(words) <= _TELLS_A_NAME else words
        return words


def says(words: str, fence: Fence, at: datetime) -> bool:
    """Whether any sentence of the words speaks of what was forgotten since that time, or holds the name that was."""
    if any(fence.spoken_of_in(one, at) is not None for one in sentences(words)):
        return True
    return fence.nameless(words, at) != words


def was_forgotten(sentence: str, at: datetime, gone: Sequence[Gone]) -> bool:
    """Whether a sentence that was told at that time says again what was forgotten since."""
    since = [one for one in gone if one.at >= at]
    return normalise(sentence) in {normalise(one.fact) for one in since} or says(sentence, Fence(since), at)


def nameless(words: str, name: str) -> str:
    """The words with `PERSON` in the place of the person's name; nothing where they are the name, as a topic may be."""
    if {*words.casefold().split()} <= {*name.casefold().split()}:
        return ""
    return _own_name(name).sub(PERSON, words)


def _own_name(name: str) -> re.Pattern[str]:
    parts = "|".join(re.escape(part) for part in sorted(name.split(), key=len, reverse=True) if len(part) > 1)
    either = f"(?:{parts or re.escape(name)})"
    # In any case where it is told as a name; "will" and "may" are words.
    told = "|".join(rf"(?<=\b(?i:{lead}) )" for lead in ("i'm", "i’m", "im", "i am", "name is", "name's", "call me"))
    return re.compile(rf"\b{either}(?:\s+{either})*\b|(?:{told})(?i:{either})\b")


def tellable(texts: Sequence[Said], gone: Sequence[Gone], forgot_in: Collection[int] = ()) -> list[Said]:
    """What of the texts of one conversation may still be told; in the turns `forgot_in` something was forgotten."""
    listener = _Listener(Fence(gone))
    taught = {one.source for one in gone if one.source is not None}
    found = []
    for turn_id, together in groupby(texts, key=lambda text: text.turn_id):
        whole = True
        for text in together:
            if not (whole or text.by_person):
                continue  # Whoever answers says again what was said, in other words, or that it was to be forgotten.
            pieces = sentences(text.words)
            left = [one for one in pieces if listener.may_tell(one, text, forgot=turn_id in forgot_in)]
            if left == pieces and text.message_id in taught:
                left = []  # It said it in other words: which of them is not known.
            whole = whole and left == pieces
            told = [listener.fence.nameless(one, text.at) for one in left]
            words = text.words if told == pieces else "\n".join(filter(None, told))
            if words.strip():
                found.append(replace(text, words=words))
    return found


class _Listener:
    """Whoever hears the sentences of one conversation in their order, and knows of what they go on."""

    def __init__(self, fence: Fence) -> None:
        self.fence = fence
        self._follows = False
        self._about: Gone | None = None
        """What was spoken of last; None where it was asked to be forgotten, in whatever words."""
        self._pronoun: str | None = None
        self._aside = False
        """As `goes_on` has both."""

    def may_tell(self, sentence: str, text: Said, *, forgot: bool) -> bool:
        asks = _FORGETTING.search(sentence) is not None and (forgot or not tells_something(sentence))
        if text.by_person and asks:
            self._follows, self._about, self._pronoun, self._aside = True, None, None, False
            return False
        spoken_of = self.fence.spoken_of_in(sentence, text.at)
        if spoken_of is not None:
            if not self._follows or spoken_of is not self._about:
                self._pronoun = spoken_of.pronoun
            self._follows, self._about, self._aside = True, spoken_of, False
            return False
        if not self._follows or (self._about is not None and self._about.at < text.at):
            return True
        is_of_it = goes_on(sentence, self._pronoun, aside=self._aside)
        if text.by_person and is_of_it and not self._aside:
            self._pronoun = self._pronoun or pronoun_at_start(sentence)
        elif text.by_person and not is_of_it and (named := named_in(sentence)):
            self._follows = self._pronoun is not None and not named & {self._pronoun, "any"}
            self._aside = True
        return not is_of_it  # Whom our answers name is not whom they go on about.


def gone(db: Session, person_id: int, *, since: datetime | None = None) -> list[Gone]:
    """What was forgotten, or what was since that time: nothing of it that was said before is to be told."""
    return gone_and_where(db, person_id, since=since)[0]


def gone_and_where(db: Session, person_id: int, *, since: datetime | None) -> tuple[list[Gone], set[int]]:
    """As `gone`, and the turns in which something was forgotten, be it taken back since or not."""
    items = and_(ChangeItem.change_id == Change.id, ChangeItem.field.in_((SUBJECT, "name")))
    rows = (
        select(Change.turn_id, Change.undone_at, ChangeItem.field, ChangeItem.before, ChangeItem.after, Change.at)
        .outerjoin(ChangeItem, items)
        .where(Change.person_id == person_id, Change.verb == "forget")
    )
    found, turns = facts_gone(db, person_id, since=since), set()
    for row in db.execute(rows.where(Change.at >= since) if since is not None else rows):
        if row.turn_id is not None:
            turns.add(row.turn_id)
        if row.field == SUBJECT and row.undone_at is None:
            found.append(Gone(row.at, subject=Subject.of_text(str(row.after))))
        elif row.field is not None and row.undone_at is None:
            found.append(Gone(row.at, name=str(row.before)))
    return found, turns


def facts_gone(
    db: Session, person_id: int, numbers: Collection[int] | None = None, *, since: datetime | None = None
) -> list[Gone]:
    """All versions of those facts that were forgotten: of all, of these numbers, or since that time."""
    wanted = {
        number: at
        for number, at in numbers_gone(db, person_id).items()
        if (since is None or at >= since) and (numbers is None or number in numbers)
    }
    if not wanted:
        return []
    rows = select(Fact.number, Fact.sentence, Fact.message_id).where(Fact.person_id == person_id)
    if numbers is not None or since is not None:
        rows = rows.where(Fact.number.in_(wanted))
    told = [row for row in db.execute(rows) if row.number in wanted]
    return [Gone(wanted[number], fact=sentence, source=message_id) for number, sentence, message_id in told]


def forgot_in(db: Session, turns: Collection[int]) -> set[int]:
    """Those of these turns in which something was forgotten, be it taken back since or not."""
    forgot = select(Change.turn_id).where(Change.turn_id.in_(turns), Change.verb == "forget")
    return {turn for turn in db.scalars(forgot) if turn is not None}


def untouched(db: Session, person_id: int, versions: Sequence[Fact]) -> list[Fact]:
    """Those versions of held facts that speak of nothing that was forgotten since they were told."""
    if not versions:
        return []
    fence = Fence(gone(db, person_id, since=min(one.recorded_at for one in versions)))
    return [one for one in versions if fence.spoken_of_in(one.sentence, one.recorded_at) is None]


def with_merged(db: Session, person_id: int, numbers: Collection[int]) -> list[int]:
    """These facts, and all that were merged into them: whoever forgets the one forgets what it says of the others."""
    into = {fact.number: fact.merged_into for fact in _last_retired(db, person_id) if fact.merged_into is not None}
    return [*numbers, *(one for one in into if one not in numbers and _said_by(one, into) in numbers)]


def numbers_gone(db: Session, person_id: int) -> dict[int, datetime]:
    """Since when each fact that the person had is forgotten, by its number."""
    retired = _last_retired(db, person_id)
    into = {fact.number: fact.merged_into for fact in retired if fact.merged_into is not None}
    ended = {fact.number: fact.retired_at for fact in retired if fact.merged_into is None}
    # What was merged is forgotten when what says it since is, and not before.
    at = {fact.number: ended.get(_said_by(fact.number, into)) for fact in retired}
    return {number: gone_at for number, gone_at in at.items() if gone_at is not None}


def _said_by(number: int, into: Mapping[int, int]) -> int:
    """The number of the fact that says it now, or said it last: the end of a chain of mergings."""
    for _ in into:
        number = into.get(number, number)
    return number


def _last_retired(db: Session, person_id: int) -> Sequence[Row[int, datetime | None, int | None]]:
    """Number, `retired_at` and `merged_into` of the last version of each fact that is not held."""
    newest = select(func.max(Fact.id)).where(Fact.person_id == person_id).group_by(Fact.number)
    rows = select(Fact.number, Fact.retired_at, Fact.merged_into)
    return db.execute(rows.where(Fact.id.in_(newest), Fact.retired_at.is_not(None))).all()


# Made once: to build a question takes longer than to answer it.
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
    .where(Message.person_id == bindparam("person"), Turn.id < bindparam("turn"))
    .where(Turn.id > bindparam("since"), Turn.kind != "command", Turn.state == "done")
    .where(or_(Turn.memory_on, Turn.conversation_id == bindparam("off_in")))
    # What a routine was to say and never went out was not said.
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
    """The texts between these turns, the newest first, without commands; those with memory off only of `off_in`."""
    asked = {"person": person_id, "turn": turn_id, "since": since, "off_in": off_in}
    texts = [EarlierText(*row) for row in db.execute(_EARLIER, asked)]
    if not texts:
        return []
    found, forgot = gone_and_where(db, person_id, since=min(text.created_at for text in texts))
    if not found:
        return texts
    said = [Said(one.id, one.turn_id, one.direction == "in", one.body, one.created_at) for one in reversed(texts)]
    left = {one.message_id: one.words for one in tellable(said, found, forgot)}

    def shown(text: EarlierText) -> str:
        if text.direction == "out" and text.turn_id in forgot:
            return FORGOTTEN  # It says what was forgotten.
        words = left.get(text.id, "")
        return text.body if words == text.body else f"{words}\n{FORGOTTEN}".lstrip()

    return [one._replace(body=shown(one)) if one.body.strip() else one for one in texts]


def is_said() -> ColumnElement[bool]:
    """Which messages, of turns that are joined, are the person's words, or the model's that went out."""
    went_out = Turn.outcome.in_(Turn.SPOKEN) & (Message.state != "refused")
    return Turn.memory_on & ((Message.direction == "in") | went_out)


def findable(db: Session, person_id: int, which: ColumnElement[bool]) -> list[Said]:
    """What of these messages of the person's conversations may be found and told again; no despair."""
    spoken_in = select(Message.id, Turn.id, Turn.conversation_id, Message.created_at)
    spoken_in = spoken_in.join(Turn, Turn.id == Message.turn_id)
    rows = db.execute(spoken_in.where(Message.person_id == person_id, which)).all()
    if not rows:
        return []
    ids, turns, conversations, times = map(set, zip(*rows, strict=True))
    forgotten = gone(db, person_id, since=min(times))
    # Whether a sentence goes on about what was forgotten is told by what was said before it.
    around = Turn.conversation_id.in_(conversations) if forgotten else Turn.id.in_(turns)
    found = [one for one in told_in(db, around, forgotten) if one.message_id in ids]
    return [replace(one, words=words) for one in found if (words := without_despair(one.words))]


def told_in(db: Session, which: ColumnElement[bool], forgotten: Sequence[Gone]) -> list[Said]:
    """What of the texts of these turns may be told, conversation by conversation; secrets never."""
    rows = db.execute(SPOKEN.add_columns(Turn.conversation_id).where(which, is_said())).all()
    asked = forgot_in(db, {row.turn_id for row in rows})
    found: list[Said] = []
    for _, together in groupby(sorted(rows, key=lambda row: row.conversation_id), key=lambda row: row.conversation_id):
        texts_ = [
            Said(row.id, row.turn_id, row.direction == "in", words, row.created_at)
            for row in together
            if (words := without_secrets(row.body).strip())
        ]
        found += tellable(texts_, forgotten, asked)
    return found


def written_before(db: Session, message: Message, count: int) -> list[Written]:
    """As many texts of the message's person that came before it while memory was on, the newest first."""
    rows = select(Message.body, Message.forwarded).join(Turn, Turn.id == Message.turn_id)
    rows = rows.where(Message.person_id == message.person_id, Turn.memory_on)
    newest = rows.where(Message.direction == "in", Message.id < message.id).order_by(Message.id.desc()).limit(count)
    return [Written(words, forwarded) for words, forwarded in db.execute(newest)]
