"""The pages' questions to the database beyond the verbs: a fixed number of queries a page."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, Select, func, or_, select, tuple_, union_all
from sqlalchemy.orm import Session

from app.memory.facts import is_live
from app.models import Change, Episode, EpisodeMessage, Fact, Message, Person, Routine, Rule, Spending
from app.routines.rows import spoken
from app.web.admin.masking import LAST_DIGITS

PEOPLE_ON_A_PAGE = 50
FACTS_ON_A_PAGE = 50
EPISODES_ON_A_PAGE = 50
DIGITS_OF_A_NUMBER = 10  # Of a whole one without its country: fewer would do for a guess at the rest.


@dataclass(frozen=True)
class PersonRow:
    """A person as the list shows them."""

    person: Person
    last_text: Message | None
    """Of theirs; None before the first."""
    texts: int
    facts: int
    spent_cents: float
    """Of the budget in the month of the page."""


@dataclass(frozen=True)
class PeoplePage:
    rows: list[PersonRow]
    next_key: str | None
    """Names the last row, for the page after this one; None on the last page."""
    waiting: list[PersonRow]
    """The first of those who wait to be let in, where they were asked for apart."""


def people(
    db: Session,
    now: datetime,
    *,
    words: str = "",
    access: Sequence[str],
    key: str = "",
    limit: int = PEOPLE_ON_A_PAGE,
    month: Sequence[date] = (),
    waiting: int = 0,
) -> PeoplePage:
    """People with one of these kinds of access, who texted last first; apart, so many who are `waiting` to be let in.

    `words` are looked for in the name, and as the last digits of the number or all of it. What somebody cost is that of
    the days in `month`.
    """
    found = _newest_first(db, access, words, limit + 1, key)
    shown = found[:limit]
    first = _newest_first(db, ("waiting",), words, waiting) if waiting else []
    rows = _rows(db, [*shown, *first], now, month)
    next_key = f"{shown[-1][1]}-{shown[-1][0]}" if len(found) > limit else None
    return PeoplePage(rows[: len(shown)], next_key, rows[len(shown) :])


def _newest_first(
    db: Session, access: Sequence[str], words: str, limit: int, key: str = ""
) -> Sequence[tuple[int, int]]:
    """The ids of people and of their last texts, from behind the one that the key names."""
    wanted = _matching(words)
    if after := re.fullmatch(r"(\d{1,18})-(\d{1,18})", key):
        wanted.append(tuple_(Person.last_text_id, Person.id) < (int(after[1]), int(after[2])))
    newest = select(Person.id, Person.last_text_id).order_by(Person.last_text_id.desc(), Person.id.desc()).limit(limit)
    # Each kind of access by itself: so the index has them in order, and nobody is read who is not shown.
    each = (newest.where(Person.access == one, *wanted).subquery() for one in access)
    found = union_all(*map(select, each)).subquery()
    page = select(found).order_by(found.c.last_text_id.desc(), found.c.id.desc()).limit(limit)
    return [(row.id, row.last_text_id) for row in db.execute(page)]


def count_people(db: Session, *, words: str = "", access: Sequence[str]) -> int:
    return db.scalar(select(func.count(Person.id)).where(Person.access.in_(access), *_matching(words))) or 0


def _matching(words: str) -> list[ColumnElement[bool]]:
    if not words:
        return []
    tests = [Person.name.icontains(words, autoescape=True), Person.address == words]
    # People write numbers with spaces, dots and brackets; the carrier writes digits alone. A part that is not shown
    # finds nothing: a number could otherwise be read off by trying one digit after the other.
    if re.fullmatch(r"[a-z:]*[\d\s().+/-]+", words):
        digits = re.sub(r"\D", "", words)
        is_whole = len(digits) >= DIGITS_OF_A_NUMBER
        tests.append(Person.address.endswith(digits if is_whole or len(digits) == LAST_DIGITS else f"+{digits}"))
    return [or_(*tests)]


def _rows(db: Session, shown: Sequence[tuple[int, int]], now: datetime, month: Sequence[date]) -> list[PersonRow]:
    ids = [person_id for person_id, _ in shown]
    found = {person.id: person for person in db.scalars(select(Person).where(Person.id.in_(ids)))}
    last = {one.id: one for one in db.scalars(select(Message).where(Message.id.in_([key for _, key in shown])))}
    texts = _counted(db, select(Message.person_id, func.count()).where(Message.person_id.in_(ids)))
    facts = _counted(db, select(Fact.person_id, func.count()).where(Fact.person_id.in_(ids), is_live(now)))
    spent = spent_by(db, ids, month)
    return [
        PersonRow(found[one], last.get(key), texts.get(one, 0), facts.get(one, 0), spent.get(one, 0.0))
        for one, key in shown
    ]


def spent_by(db: Session, person_ids: Sequence[int], days: Sequence[date]) -> dict[int, float]:
    """What each of them cost on these days of the budget, in US cents; nothing for who cost nothing."""
    # Each day by its name, so that the index by day and person is asked for them and for nobody else.
    of_them = (Spending.day.in_(days), Spending.person_id.in_(person_ids))
    rows = select(Spending.person_id, func.sum(Spending.cents)).where(*of_them).group_by(Spending.person_id)
    return dict(db.execute(rows).all())


def _counted(db: Session, rows: Select[int, int]) -> dict[int, int]:
    return dict(db.execute(rows.group_by(rows.selected_columns[0])).all())


def categories(db: Session, person_id: int, now: datetime) -> list[str]:
    """The categories of the person's live facts, by name."""
    live = select(Fact.category).where(Fact.person_id == person_id, is_live(now))
    return [name for name in db.scalars(live.distinct().order_by(Fact.category)) if name]


def source_message(db: Session, person_id: int, message_id: int | None) -> Message | None:
    """The text that a fact was learned from, if it is kept."""
    if message_id is None:
        return None
    return db.scalars(select(Message).where(Message.id == message_id, Message.person_id == person_id)).one_or_none()


def facts_of_changes(db: Session, changes: Iterable[Change]) -> dict[int, Fact]:
    """Every fact version that the changes touched, by row id."""
    items = [item for change in changes for item in change.items]
    ids = {one for item in items for one in (item.added_fact_id, item.retired_fact_id, item.fact_id) if one}
    return {fact.id: fact for fact in db.scalars(select(Fact).where(Fact.id.in_(ids)))}


def episodes_of_changes(db: Session, changes: Iterable[Change]) -> dict[int, Episode]:
    """The same of episodes."""
    ids = {item.retired_episode_id for change in changes for item in change.items if item.retired_episode_id}
    return {one.id: one for one in db.scalars(select(Episode).where(Episode.id.in_(ids)))}


def rules_of_changes(db: Session, changes: Iterable[Change]) -> dict[int, Rule]:
    """The same of rules."""
    items = [item for change in changes for item in change.items]
    ids = {one for item in items for one in (item.added_rule_id, item.retired_rule_id) if one}
    return {rule.id: rule for rule in db.scalars(select(Rule).where(Rule.id.in_(ids)))}


def routines_of_changes(db: Session, changes: Iterable[Change]) -> dict[int, str]:
    """The routines that the changes touched, each in a few words, as it is now."""
    ids = {item.routine_id for change in changes for item in change.items if item.routine_id}
    return {one.id: spoken(db, one) for one in db.scalars(select(Routine).where(Routine.id.in_(ids)))}


def told_again(db: Session, episode: Episode) -> list[Episode]:
    """The live episodes that tell of any of the messages that this version told of, in the order of what happened."""
    theirs = select(EpisodeMessage.message_id).where(EpisodeMessage.episode_id == episode.id)
    covering = select(EpisodeMessage.episode_id).where(EpisodeMessage.message_id.in_(theirs))
    live = select(Episode).where(Episode.person_id == episode.person_id, Episode.retired_at.is_(None))
    return list(db.scalars(live.where(Episode.id.in_(covering)).order_by(Episode.started_at, Episode.number)))
