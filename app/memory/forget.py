"""Forget: retire facts at once and retell episodes without them; restore brings facts back after a mistake."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from sqlalchemy import func, literal, select, union_all
from sqlalchemy.orm import Session, lazyload

from app.errors import NotFound, Refused
from app.memory import changes, episodes, facts
from app.memory.changes import EPISODE, QUOTE, SUBJECT, TELLS_FORGOTTEN, TEXTS, Origin, Removed
from app.memory.episodes import batches, retelling
from app.memory.facts.categories import is_constraint, relative_named
from app.memory.forgotten import ForgottenThing, forgotten_facts, with_merged
from app.memory.index import documents
from app.memory.index.documents import shelf_of
from app.memory.subjects import OWNED, Subject, holds_one_of, joined_subjects, subject, times, with_names
from app.models import Change, ChangeItem, Episode, Fact, Message, Person
from app.services import Services
from app.store.dialect import RawRows
from app.text.wording import normalise

_OF_A_KIND = re.compile(r"(?:Likes|Loves|Enjoys|Prefers|Dislikes|Hates|Does not like|Is fond of)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Forgotten(Removed[Fact]):
    """Result of `forget`: facts and subjects that were forgotten, and those that named nothing."""

    about: list[str] = field(default_factory=list)
    """Subjects, as the person put them, about which something was known or had been said."""
    nothing_about: list[str] = field(default_factory=list)  # Subjects about which there was nothing.
    episodes: int = 0  # Number of episodes that told of it; they are retold without it.
    was_said: bool = False
    """True if texts told of it; they stay in the thread, but are neither found nor retold."""
    gone: list[ForgottenThing] = field(default_factory=list)
    """The same facts and subjects, to recognise sentences about them."""
    unsure: list[Fact] = field(default_factory=list)
    """Facts that hold a subject's word but stay, as they may be about the kind alone: "Likes dogs" for "my dog"."""

    @property
    def sentence(self) -> str:
        """One sentence that tells the person what was forgotten; empty if nothing was."""
        of = f" about {joined_subjects(self.about)}" if self.about else ""
        told = "; ".join(fact.sentence for fact in self.removed)
        said = f"what we said {times(self.episodes)}{of}" if self.episodes and of else ""
        said = said or (f"what you said{of}" if self.was_said and of else "")
        return f"Forgotten: {'; and '.join(filter(None, (told, said)))}." if told or said else ""


@dataclass(frozen=True)
class Receipt:
    """Everything that one change removed together with a fact."""

    verb: str  # `forget`, `move` or `merge`; an undo gives no receipt.
    at: datetime
    actor: str
    facts: list[int]  # Numbers of the facts that were removed, this one included.
    subjects: list[str]  # As the person put them, if it was forgotten by subject.
    episodes: list[int]  # Numbers of the episodes that were retold without it.
    texts: int  # Number of texts that were reindexed without the sentences that say it.
    quotes: int  # Number of quotes, of other facts and of rules, that were shortened.
    left_in_index: int  # Rows of the index that still hold any version of the fact: 0.


def forget(
    services: Services, person_id: int, numbers: Sequence[int], origin: Origin, *, about: Sequence[str] = ()
) -> Forgotten:
    """Forget facts, and leave all that was said about them out of episodes; one undo brings everything back.

    `about` names subjects ("my sister"): each fact that names one is forgotten, with all that was said about it.

    Raises:
        Refused: an entry of `about` is no subject, or is the person's own name.
    """
    given = [subject(one) for one in dict.fromkeys(about)]
    now = services.clock.now()
    with services.transaction(person_id) as db:
        if origin.turn_id is not None and given:  # The turn may have done this in an earlier call, or before a crash.
            done = changes.forgot_subjects_in(db, origin.turn_id, {one.said for one in given})
            if done is not None and not facts.held_by_numbers(db, person_id, numbers):
                return forgotten_by_change(db, done)
            given = given if done is None else []
        name = db.get_one(Person, person_id).name
        if name is not None and any(normalise(one.said) == normalise(name) for one in given):
            raise Refused(
                f"{name} is the person's own name. It is forgotten by itself: with update_profile and an empty name, "
                "or by the text '/memory forget name'."
            )
        subjects = [with_names(one, retelling.texts_naming(db, person_id, one.searched)) for one in given]
        naming = _facts_naming(db, person_id, subjects)
        named = [fact.number for fact in naming if any(_is_about(fact, one) for one in subjects)]
        wanted = [*numbers, *named]
        went, items = changes.forget_each(db, Fact, person_id, wanted, origin, lambda fact: facts.retire(db, fact, now))
        removed = went.removed
        gone, retold, told = retell_all_without(db, person_id, [fact.number for fact in removed], now, subjects)
        told_of = [one.subject for one in told]
        found = [one for one in subjects if one in told_of or any(one.is_named_in(fact.sentence) for fact in removed)]
        items += [ChangeItem(field=SUBJECT, before=one.said, after=one.as_text()) for one in found]
        items += retold
        changes.record(db, person_id, "forget", origin, now, items)
    return replace(
        _forgotten(removed, [one.said for one in found], items, gone),
        unknown=went.unknown,
        nothing_about=[one.said for one in subjects if one not in found],
        unsure=[fact for fact in naming if fact not in removed],
    )


def forgotten_by_change(db: Session, change: Change) -> Forgotten:
    """The result of `forget` rebuilt from its recorded change."""
    items = change.items
    removed = [db.get_one(Fact, item.retired_fact_id) for item in items if item.retired_fact_id]
    gone = forgotten_facts(db, change.person_id, with_merged(db, change.person_id, [fact.number for fact in removed]))
    of_subjects = [item for item in items if item.field == SUBJECT]
    gone += [ForgottenThing(change.at, subject=Subject.of_text(item.after or "")) for item in of_subjects]
    return _forgotten(removed, [item.before or "" for item in of_subjects], items, gone)


def _forgotten(
    removed: list[Fact], about: list[str], items: Sequence[ChangeItem], gone: list[ForgottenThing]
) -> Forgotten:
    """The result of a forgetting, as far as its recorded items tell."""
    episodes_ = sum(item.field == EPISODE and item.after == TELLS_FORGOTTEN for item in items)
    was_said = any(item.field == TEXTS for item in items)
    return Forgotten(removed, [], about=about, episodes=episodes_, was_said=was_said, gone=gone)


def retell_all_without(
    db: Session, person_id: int, numbers: Collection[int], now: datetime, subjects: Sequence[Subject] = ()
) -> tuple[list[ForgottenThing], list[ChangeItem], list[ForgottenThing]]:
    """Retell episodes and shorten quotes without these facts and subjects: all of those, and as `retell_without`."""
    told = with_merged(db, person_id, numbers)
    gone = [*forgotten_facts(db, person_id, told), *(ForgottenThing(now, subject=one) for one in subjects)]
    return gone, *retelling.retell_without(db, person_id, gone, now, numbers=told)


def forget_episodes(services: Services, person_id: int, numbers: Sequence[int], origin: Origin) -> Removed[Episode]:
    """Forget episodes; their texts and the facts learned from them stay.

    Later texts of the same conversation make an episode of their own, which retells nothing of these.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:

        def retire(episode: Episode) -> None:
            episodes.retire(db, episode, now)
            batches.close_up_to(db, episode.conversation_id, episode.upto_turn_id)

        found, items = changes.forget_each(db, Episode, person_id, numbers, origin, retire)
        if items:
            batches.revoke_leases(db, person_id, now)  # Another process may be rewriting one of them right now.
            changes.record(db, person_id, "forget", origin, now, items)
    return found


def restore(services: Services, person_id: int, number: int, origin: Origin) -> Fact:
    """Make a forgotten or archived fact live again, in its last version.

    Raises:
        NotFound: the person never had a fact with that number.
        Conflict: it is live already, or another fact says the same.
    """
    now = services.clock.now()
    with services.transaction(person_id) as db:
        versions = facts.versions(db, person_id, number)
        if not versions:
            raise NotFound(f"No fact with id {number} was ever remembered.")
        back = versions[-1]
        if facts.is_archived(back, now):
            items = changes.make_live(back, now)
        else:
            back = facts.bring_back(db, back, now)
            changes.make_live(back, now)  # No items: undo removes the added version as a whole.
            items = [ChangeItem(added_fact_id=back.id)]
        facts.archive_beyond_limit(db, person_id, now, but=[number])
        changes.record(db, person_id, "restore", origin, now, items)
    return back


def receipt(db: Session, versions: Sequence[Fact]) -> Receipt | None:
    """The receipt of the last change that retired a fact for good, given all its versions; None after an undo."""
    retiring = select(func.max(ChangeItem.change_id)).where(ChangeItem.retired_fact_id == versions[-1].id)
    whole = select(Change, ChangeItem).join(ChangeItem).where(Change.id == retiring.scalar_subquery())
    found = db.execute(whole.options(lazyload(Change.items)).order_by(ChangeItem.id)).all()
    if not found:
        return None
    change, items = found[0].Change, [row.ChangeItem for row in found]
    retired = {item.retired_fact_id for item in items if item.retired_fact_id and item.added_fact_id is None}
    retold = [item.retired_episode_id for item in items if item.field == EPISODE]
    turns = {one for item in items if item.field == TEXTS for one in json.loads(item.before or "[]")}
    touched: dict[str, set[int]] = {"fact": set(), "episode": set(), "text": set()}
    for kind, number in db.execute(
        union_all(
            select(literal("fact"), Fact.number).where(Fact.id.in_(retired)),
            select(literal("episode"), Episode.number).where(Episode.id.in_(retold)),
            select(literal("text"), Message.id).where(Message.turn_id.in_(turns)),
        )
    ):
        touched[kind].add(number)
    indexed = documents.load(RawRows(db), shelf_of(versions[-1].person_id, "fact"))
    return Receipt(
        verb=change.verb,
        at=change.at,
        actor=change.actor,
        facts=sorted(touched["fact"]),
        subjects=[item.before or "" for item in items if item.field == SUBJECT],
        episodes=sorted(touched["episode"]),
        texts=len(touched["text"]),
        quotes=sum(item.field == QUOTE for item in items),
        left_in_index=int(np.isin(indexed.rows["item"], [one.id for one in versions]).sum()),
    )


def _facts_naming(db: Session, person_id: int, subjects: Sequence[Subject]) -> list[Fact]:
    """Held facts, archived ones included, that name one of the subjects, in the order of their numbers."""
    if not subjects:
        return []
    held = select(Fact).where(Fact.person_id == person_id, Fact.retired_at.is_(None)).order_by(Fact.number)
    return [fact for fact in db.scalars(held) if any(one.is_named_in(fact.sentence) for one in subjects)]


def _is_about(fact: Fact, one: Subject) -> bool:
    """True if the fact is about the subject: a taste for dogs or an allergy to them is not about "my dog"."""
    if not one.is_named_in(fact.sentence):
        return False
    is_taste = _OF_A_KIND.match(fact.sentence) and not holds_one_of(one.names, fact.sentence)
    if OWNED.match(one.said) and (is_taste or is_constraint(fact.sentence, fact.category)):
        return is_constraint(one.said) and relative_named(fact.sentence) is None
    return True
