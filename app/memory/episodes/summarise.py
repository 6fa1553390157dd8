"""Summarise: what happened in conversations that have gone quiet, kept as episodes.

Taken in hand, weighed, written by the summariser, checked, kept: each step is a transaction of its own, and nothing is
open while the model is asked. Whoever dies between two of them leaves the texts as they are: not summarised yet.
"""

import logging
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from app.errors import ModelDown, OverBudget, Overtaken
from app.memory import changes, episodes
from app.memory.episodes import Covered, Summary, batches, drafts, said
from app.memory.episodes.batches import Taken
from app.memory.episodes.drafting import drafted
from app.memory.episodes.drafts import Told
from app.memory.episodes.significance import ENOUGH_TO_ADD, Significance, weigh
from app.memory.episodes.triggers import Rules
from app.memory.forgotten import was_forgotten
from app.memory.origin import Origin
from app.memory.remember import NewFact, learn
from app.models import Conversation, Episode
from app.operations.alerts import clear, raise_alert
from app.services import Services
from app.services.summaries import Draft, Summariser, ToSummarise
from app.store.faultpoints import reach

logger = logging.getLogger(__name__)

FAILURES_TO_ALERT = 5  # About half an hour.
ALERT = "summaries"
GIVEN_UP_AFTER = 12  # Tries, each later than the one before: somebody has had half a day to mend it.
ALERT_BROKEN = "summary_broken"
BROKEN = (
    "A conversation could not be summarised, whoever tried, and stays without an episode. Its texts are kept and are "
    "found. The log tells what broke."
)


def waiting(services: Services, *, among: Collection[int] | None = None) -> list[int]:
    """Conversations to be summarised now, those that have waited longest first; at most one of each person.

    With `among` only those of the people whose conversations these are.
    """
    if services.summariser is None:
        return []
    with services.reading() as db:
        return batches.waiting(db, Rules.of(services.settings), services.clock.now(), among=among)


def summarise(services: Services, conversation_id: int) -> bool:
    """Whether a part of the conversation was dealt with, as an episode or as not worth one.

    False when nothing of it is due, somebody else has it in hand, or the day has no money for it.

    Raises:
        ModelDown: nobody can write it now; it waits, and so may all others.
    """
    summariser = services.summariser
    taken = _take(services, conversation_id, Rules.of(services.settings)) if summariser is not None else None
    if summariser is None or taken is None:
        return False
    weight = _weighed(taken)
    try:
        episode = _written(services, summariser, taken) if weight.is_enough else None
        if episode is None:
            with services.transaction() as db:
                batches.finish(db, taken)
    except ModelDown as why:
        _put_off(services, taken, why)
        raise
    except OverBudget as why:
        with services.transaction() as db:
            batches.wait_for_money(db, taken, Rules.of(services.settings), services.clock.now())
        logger.info("Conversation %s waits to be summarised: %s", conversation_id, why)
        return False
    except Overtaken:
        logger.warning("Conversation %s is in other hands, or nothing of it is to be kept.", conversation_id)
        return False
    except Exception:  # Whatever it is of the texts, it must not hold back all that the person says later.
        logger.exception("Conversation %s could not be summarised", conversation_id)
        _set_back(services, taken)
        return False
    outcome = episode.name if episode else "no episode"
    logger.info("Conversation %s: %s (%s).", conversation_id, outcome, weight.reason)
    return True


def _take(services: Services, conversation_id: int, rules: Rules) -> Taken | None:
    with services.transaction() as db:
        taken = batches.take(db, conversation_id, rules, services.clock.now())
    if taken is not None:
        reach("batch.taken")
    return taken


def _weighed(taken: Taken) -> Significance:
    """What the person's words weigh; an episode that is there is made anew only for words that add something to it."""
    if not taken.reopens:
        return weigh([one.words for one in taken.texts if one.by_person])
    enough = 0.0 if taken.due.is_cut else ENOUGH_TO_ADD  # What is cut off is summed up in any case.
    return weigh([one.words for one in taken.fresh if one.by_person], enough=enough)


def _written(services: Services, summariser: Summariser, taken: Taken) -> Episode | None:
    """The episode, once it is kept; None where nothing is left to be told.

    Raises:
        ModelDown, OverBudget: nobody can write it now.
        Overtaken: somebody else has taken it over.
    """
    texts = said.as_shown(taken.texts, taken.timezone, taken.forgotten)
    if not any(text.by_person for text in texts):
        return None
    conversation = ToSummarise(
        texts=texts,
        person_key=taken.person_key,
        person_name=taken.person_name,
        importance=weigh([text.words for text in texts if text.by_person]).importance,
        deadline=services.clock.monotonic(),
        before=taken.before,
    )
    found = drafted(services, summariser, taken, conversation)
    if found is None:
        return None
    draft, note, summary = found
    facts = drafts.told(draft.fields, taken.texts, texts)
    with services.transaction() as db:
        episode = _kept(db, taken, summary, draft, note, facts, services.clock.now())
        if episode is None:
            raise Overtaken
        clear(db, ALERT, services.clock.now())
    reach("episode.kept")
    return episode


def _kept(
    db: Session,
    taken: Taken,
    summary: Summary,
    draft: Draft,
    note: str | None,
    told: Sequence[Told],
    now: datetime,
) -> Episode | None:
    """The episode as it is kept, with what was learned from it; None where nothing of the part may be kept any more."""
    before = batches.reopened(db, db.get_one(Conversation, taken.conversation_id))
    if not batches.finish(db, taken):
        return None
    learned = _learned(db, taken, told, now)
    return episodes.add(
        db,
        taken.person_id,
        summary,
        _covered(taken),
        now,
        written_by=draft.written_by,
        note=note,
        before=before,
        learned=learned,
    )


def _learned(db: Session, taken: Taken, told: Sequence[Told], now: datetime) -> list[int]:
    """The ids of facts that the texts told and no turn had kept; learned once, however often the part is told."""
    call = f"episode:{taken.conversation_id}:{taken.upto}"
    change = changes.made_by(db, call)
    if change is not None:
        return [item.added_fact_id for item in change.items if item.added_fact_id is not None]
    at = {one.message_id: one.at for one in taken.texts}
    new = [
        NewFact(one.fact, one.category, Origin("assistant", "inferred", None, one.message_id, one.quote))
        for one in told
        if not was_forgotten(one.fact, at[one.message_id], taken.forgotten)
    ]
    if not new:
        return []
    return [fact.id for fact in learn(db, taken.person_id, new, Origin("assistant", "inferred", call=call), now).stored]


def _covered(taken: Taken) -> Covered:
    """From the first text to the last, and its answer; one that was answered hours later ended nothing."""
    last = max(one.at for one in taken.texts if one.by_person)
    return Covered(
        conversation_id=taken.conversation_id,
        upto_turn_id=taken.upto,
        trigger=taken.due.trigger,
        message_ids=tuple(one.message_id for one in taken.texts),
        started_at=min(one.at for one in taken.texts),
        ended_at=max(one.at for one in taken.texts if one.at - last <= batches.LATE),
    )


def _set_back(services: Services, taken: Taken) -> None:
    """Have it tried later and from the beginning; after many times it stays without an episode, and the texts stay."""
    now = services.clock.now()
    with services.transaction() as db:
        if taken.failures + 1 < GIVEN_UP_AFTER:
            batches.put_off(db, taken, now, from_the_beginning=True)
        elif batches.finish(db, taken):
            raise_alert(db, ALERT_BROKEN, BROKEN, now)


def _put_off(services: Services, taken: Taken, why: ModelDown) -> None:
    asked_for = timedelta(seconds=why.retry_after_seconds or 0.0)
    now = services.clock.now()
    with services.transaction() as db:
        batches.put_off(db, taken, now, at_least=asked_for)
        if taken.failures + 1 >= FAILURES_TO_ALERT:
            raise_alert(
                db, ALERT, f"Conversations wait to be summarised; their texts are kept, and answers go on. {why}", now
            )
    logger.warning("Conversation %s waits to be summarised: %s", taken.conversation_id, why)
