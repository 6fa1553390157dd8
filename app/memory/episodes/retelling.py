"""Retell episodes without forgotten things, and bring them back as they were: rows in and out.

An episode that may tell of a forgotten thing is retired at once, and its conversation is summarised again without the
sentences about it. The texts leave the index and are indexed again as far as they may still be found.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from app.memory import episodes, forgotten, index
from app.memory.changes import EPISODE, QUOTE, TELLS_FORGOTTEN, TEXTS
from app.memory.episodes import batches
from app.memory.forgotten import Fence, ForgottenThing, Said, mentions_forgotten, tellable_in_turns, without_name
from app.memory.index import IndexQuery
from app.memory.index.documents import Kind
from app.models import (
    ChangeItem,
    Conversation,
    Episode,
    EpisodeFact,
    EpisodeMessage,
    Fact,
    Message,
    Routine,
    Rule,
    Turn,
    move,
)
from app.text.wording import sentences, subjects

LOOKED_THROUGH = 10_000  # Search results per subject, best first: enough for years of daily talk about it.

Place = tuple[int, int]  # `cut_to` and `summarised_to` of a conversation.


def retell_without(
    db: Session, person_id: int, gone: Sequence[ForgottenThing], now: datetime, *, numbers: Collection[int] = ()
) -> tuple[list[ChangeItem], list[ForgottenThing]]:
    """Retell episodes, reindex texts and shorten quotes without these forgotten things and these facts' numbers.

    Returns the items for the record, and those of the things that a text or an episode told of.
    """
    if not gone:
        return [], []
    _stop_telling(db, person_id, gone, now)
    hidden = _texts_losing_words(db, person_id, gone)
    telling = _episodes_telling(db, person_id, gone, numbers, hidden)
    told = [one.words for one in hidden] + [episodes.text_of(one) for one in telling]
    told_of = [one for one in gone if any(mentions_forgotten(words, Fence([one]), now) for words in told)]
    turns = {one.turn_id for one in hidden}
    items = [*_index_again(db, person_id, turns), *_shorten_quotes(db, turns, gone, now, but=numbers)]
    for episode in telling:
        items += _tell_again(db, episode, {one.id for one in telling}, now)
    versions = select(Fact.id).where(Fact.person_id == person_id, Fact.number.in_(numbers))
    db.execute(delete(EpisodeFact).where(EpisodeFact.fact_id.in_(versions)))
    return items, told_of


def retell_without_name(db: Session, person_id: int, name: str, now: datetime) -> list[ChangeItem]:
    """Reword episodes and quotes and reindex texts without the person's own name, which is now forgotten."""
    gone = [ForgottenThing(now, name=name)]
    _stop_telling(db, person_id, gone, now)
    turns = {one.turn_id for one in _texts_losing_words(db, person_id, gone)}
    items = [*_index_again(db, person_id, turns), *_shorten_quotes(db, turns, gone, now)]
    for episode in episodes.by_ids(db, person_id, _alike(db, person_id, "episode", gone)):
        told = (episode.summary, episode.narrative, *episode.topics, *episode.key_facts)
        if any(without_name(words, name) != words for words in told):
            episodes.add_version(db, episode, lambda words: without_name(words, name), now)
            items.append(ChangeItem(field=EPISODE, retired_episode_id=episode.id, after=TELLS_FORGOTTEN))
    return items


def _stop_telling(db: Session, person_id: int, gone: Sequence[ForgottenThing], now: datetime) -> None:
    """Stop summaries that are being written, and what the model wrote for a routine, if it tells of these, unsent."""
    batches.revoke_leases(db, person_id, now)
    queued = (Message.UNDER_WAY, Message.person_id == person_id, Message.state == "queued")
    unasked = select(Message).join(Turn).where(*queued, Turn.kind == "routine", Turn.outcome.in_(Turn.SPOKEN))
    telling = {one.turn_id for one in db.scalars(unasked) if mentions_forgotten(one.body, Fence(gone), one.created_at)}
    move(db, Message, "refused", *queued, Message.turn_id.in_(telling), note="It spoke of something forgotten since.")


def shorten_quotes_of_turn(db: Session, person_id: int, turn_id: int, since: datetime) -> None:
    """Shorten the quotes of a turn's texts by what was forgotten since they came: one may ask for it, and tell more."""
    if gone := forgotten.forgotten_things(db, person_id, since=since):
        _shorten_quotes(db, [turn_id], gone, since)


def undo_retelling(db: Session, person_id: int, items: Sequence[ChangeItem], now: datetime) -> None:
    """Undo the retelling that these items record, without telling of other things that are still forgotten."""
    if not items:
        return
    batches.revoke_leases(db, person_id, now)
    for item in items:
        if item.field == TEXTS:
            _index_again(db, person_id, json.loads(item.before or "[]"))
    fence = Fence(forgotten.forgotten_things(db, person_id))
    told: dict[int, list[tuple[Episode, Place]]] = defaultdict(list)
    for item in items:
        if item.field == EPISODE:
            episode = db.get_one(Episode, item.retired_episode_id)
            if item.before is None:
                _reworded_back(db, episode, fence, now)
            else:
                told[episode.conversation_id].append((episode, json.loads(item.before)))
    for conversation_id, before in told.items():
        _tell_as_before(db, db.get_one(Conversation, conversation_id), before, fence, now)


def bring_back(db: Session, forgotten_: Episode, now: datetime) -> None:
    """Bring back an episode forgotten by number, unless its texts were retold meanwhile or wait to be."""
    told_to = db.get_one(Conversation, forgotten_.conversation_id).summarised_to
    texts = [one.id for one in episodes.messages(db, forgotten_)]
    covering = episodes.of_messages(db, forgotten_.person_id, texts)
    if told_to >= forgotten_.upto_turn_id and not covering:
        episodes.bring_back(db, forgotten_, now)
        batches.close_up_to(db, forgotten_.conversation_id, forgotten_.upto_turn_id)


def texts_naming(db: Session, person_id: int, words: str) -> list[str]:
    """Sentences of facts, episodes and texts that may share a word with these, to find who bears which name."""
    asked = IndexQuery(words, pool=LOOKED_THROUGH, reach=0)
    ids: dict[Kind, list[int]] = {
        kind: index.search(db, person_id, kind, asked).items.tolist() for kind in ("episode", "message")
    }
    known = db.scalars(select(Fact.sentence).where(Fact.person_id == person_id))
    happened = [episodes.text_of(one) for one in episodes.by_ids(db, person_id, ids["episode"])]
    said = db.scalars(select(Message.body).where(Message.id.in_(ids["message"]), Message.person_id == person_id))
    fresh = (
        select(Message.body)
        .join(Turn, Turn.id == Message.turn_id)
        .where(Turn.UNINDEXED, Turn.person_id == person_id, Turn.memory_on)
    )
    return [one for text in (*known, *happened, *said, *db.scalars(fresh)) for one in sentences(text)]


def _alike(db: Session, person_id: int, kind: Kind, gone: Iterable[ForgottenThing]) -> list[int]:
    """Ids of episodes or messages that share words with the forgotten things."""
    found: set[int] = set()
    for words in {one.searched for one in gone}:
        found.update(index.search(db, person_id, kind, IndexQuery(words, pool=LOOKED_THROUGH, reach=0)).items.tolist())
    return sorted(found)


def _texts_losing_words(db: Session, person_id: int, gone: Sequence[ForgottenThing]) -> list[Said]:
    """Texts, as told until now, that lose some of their words."""
    fresh = select(Turn.conversation_id).where(Turn.UNINDEXED, Turn.person_id == person_id)
    alike = select(Turn.conversation_id).join(Message, Message.turn_id == Turn.id)
    taught = [one.source for one in gone if one.source is not None]
    alike = alike.where(Message.id.in_([*_alike(db, person_id, "message", gone), *taught]), Turn.person_id == person_id)
    talked = {*db.scalars(fresh), *db.scalars(alike)}
    around = Turn.conversation_id.in_(talked) & (Turn.kind == "reply") & (Turn.state == "done")
    before = [one for one in forgotten.forgotten_things(db, person_id) if one not in gone]
    left = {one.message_id: one.words for one in tellable_in_turns(db, around, [*before, *gone])}
    return [one for one in tellable_in_turns(db, around, before) if left.get(one.message_id) != one.words]


def _episodes_telling(
    db: Session, person_id: int, gone: Sequence[ForgottenThing], numbers: Collection[int], hidden: Sequence[Said]
) -> list[Episode]:
    """Live episodes in which one of the facts was learned, that cover a hidden text, or that say a forgotten thing."""
    found = {episode.id: episode for number in numbers for episode in episodes.of_fact(db, person_id, number)}
    found |= {one.id: one for one in episodes.of_messages(db, person_id, [one.message_id for one in hidden])}
    fence = Fence(gone)  # Built once: the transaction blocks other writers.
    others = episodes.by_ids(db, person_id, [one for one in _alike(db, person_id, "episode", gone) if one not in found])
    found |= {one.id: one for one in others if mentions_forgotten(episodes.text_of(one), fence, one.started_at)}
    return sorted(found.values(), key=lambda episode: episode.number)


def _index_again(db: Session, person_id: int, turns: Collection[int]) -> list[ChangeItem]:
    """Remove the texts of these turns from the index and queue them to be indexed as far as they may be found."""
    if not turns:
        return []
    said = db.scalars(select(Message.id).where(Message.turn_id.in_(turns), Message.person_id == person_id))
    index.remove(db, person_id, "message", said.all())
    db.execute(update(Turn).where(Turn.id.in_(turns)).values(indexed=False, index_after=None))
    return [ChangeItem(field=TEXTS, before=json.dumps(sorted(turns)))]


def _shorten_quotes(
    db: Session, turns: Collection[int], gone: Sequence[ForgottenThing], now: datetime, but: Collection[int] = ()
) -> list[ChangeItem]:
    """Shorten the quotes that memories and routines have of these turns, in all versions; facts `but` keep theirs."""
    quoted = Message.turn_id.in_(turns)
    told = select(Fact).join(Message, Message.id == Fact.message_id).where(quoted, Fact.number.not_in(but))
    ruled = select(Rule).join(Message, Message.id == Rule.message_id).where(quoted)
    set_by = select(Routine).join(Message, Message.id == Routine.message_id).where(quoted)
    items = []
    for row in (*db.scalars(told.order_by(Fact.id)), *db.scalars(ruled.order_by(Rule.id)), *db.scalars(set_by)):
        said = Said(row.message_id or 0, 0, by_person=True, words=row.quote or "", at=now)
        quote = next((one.words for one in forgotten.tellable_parts([said], gone)), None)
        if isinstance(row, Fact) and quote != row.quote and not subjects(quote or "") & subjects(row.sentence):
            quote = None  # What is left of it does not tell the fact.
        if quote != row.quote:
            is_routine = isinstance(row, Routine)  # Its changes are stored as JSON.
            before, after = (json.dumps(one) if is_routine else one for one in (row.quote, quote))
            whose = "routine_id" if is_routine else "fact_id" if isinstance(row, Fact) else "retired_rule_id"
            items.append(ChangeItem(field=QUOTE, before=before, after=after, **{whose: row.id}))
            row.quote = quote
    return items


def _tell_again(db: Session, episode: Episode, telling: Collection[int], now: datetime) -> list[ChangeItem]:
    """Retire an episode and the later ones of its conversation, so that all their texts are summarised again."""
    if episode.retired_at is not None:
        return []  # Retired already, as a later one.
    conversation = db.get_one(Conversation, episode.conversation_id)
    place = json.dumps([conversation.cut_to, conversation.summarised_to])
    items = []
    first = _first_turn(db, episode)
    for one in episodes.of_conversation(db, episode.conversation_id):
        if one.upto_turn_id >= episode.upto_turn_id:
            episodes.retire(db, one, now)
            after = TELLS_FORGOTTEN if one.id in telling else None
            items.append(ChangeItem(field=EPISODE, retired_episode_id=one.id, before=place, after=after))
    batches.reopen_from(db, episode.conversation_id, first)
    return items


def _tell_as_before(
    db: Session, conversation: Conversation, told: Sequence[tuple[Episode, Place]], fence: Fence, now: datetime
) -> None:
    before = sorted((one for one, _ in told), key=lambda one: one.upto_turn_id)
    first = min(_first_turn(db, one) for one in before)
    for one in episodes.of_conversation(db, conversation.id):
        if one.upto_turn_id >= first:
            episodes.retire(db, one, now)  # These are the retold ones.
    if any(mentions_forgotten(episodes.text_of(one), fence, one.started_at) for one in before):
        batches.reopen_from(db, conversation.id, first)
        return
    for one in before:
        episodes.bring_back(db, one, now)
    # The largest place is the original one: each retelling only moved it back.
    conversation.cut_to, conversation.summarised_to = max(place for _, place in told)
    conversation.summarised_at = None  # Texts since then are looked at again.
    db.flush()


def _reworded_back(db: Session, before: Episode, fence: Fence, now: datetime) -> None:
    """Give an episode its old words back; if it has grown since or tells of a forgotten thing, retell all of it."""
    episode = episodes.held_by_number(db, before.person_id, before.number)
    if episode is None:
        return
    if episode.upto_turn_id == before.upto_turn_id and not mentions_forgotten(
        episodes.text_of(before), fence, before.started_at
    ):
        episodes.retire(db, episode, now)
        episodes.bring_back(db, before, now)
    else:
        _tell_again(db, episode, (), now)


def _first_turn(db: Session, episode: Episode) -> int:
    covered = select(func.min(Message.turn_id)).join(EpisodeMessage, EpisodeMessage.message_id == Message.id)
    return db.scalar(covered.where(EpisodeMessage.episode_id == episode.id)) or episode.upto_turn_id
