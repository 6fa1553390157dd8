"""Summarise: turn conversations that have gone quiet into episodes.

No transaction is open during a call of the model; after a crash the texts still wait to be summarised. Money is
reserved before each call, as for replies: a small share of each day's budget, and never its last part.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.errors import ModelDown, ModelError, OverBudget, Overtaken, Refused
from app.memory import changes, episodes
from app.memory.changes import Origin
from app.memory.episodes import Covered, Summary, batches, drafts
from app.memory.episodes.batches import LeasedPart
from app.memory.episodes.significance import ENOUGH, ENOUGH_TO_ADD, Significance, weigh
from app.memory.forgotten import tellable_parts
from app.memory.remember import NewFact, learn
from app.models import Conversation, Episode, Fact, Message, Spending
from app.operations.alerts import clear, raise_alert
from app.services import Services
from app.services.model import Draft, SaidText, Summariser, ToSummarise
from app.settings import Settings
from app.store.faultpoints import reach
from app.text.days import day_words
from app.text.wording import normalise

logger = logging.getLogger(__name__)

FAILURES_TO_ALERT = 5  # About half an hour.
ALERT = "summaries"
GIVEN_UP_AFTER = 12  # Attempts, with growing pauses: that leaves half a day to fix the cause.
ALERT_BROKEN = "summary_broken"
BROKEN = (
    "A conversation could not be summarised, whoever tried, and stays without an episode. Its texts are kept and are "
    "found. The log tells what broke."
)

ASKED = 3  # Attempts to get a usable draft from one writer; then the next one writes.
SECONDS = 60.0  # For one draft; no person waits for it.
TIMED_OUT = 12  # Failures, over about seven hours: then this conversation is slow, and not the model.

OWN_SHARE = 0.25
"""Share of each day's budget, per person and in all; a backlog of weeks is spread over as many days as needed."""
SHARE_WITH_REPLIES = 0.75  # The same, with the day's replies included: the last quarter is for replies.
ROUNDING_CENTS = 1e-6  # Sums of fractions of a cent are not exact.


def waiting(services: Services) -> list[int]:
    """Conversations to be summarised now, longest waiting first, at most one per person."""
    if services.summariser is None:
        return []
    with services.reading() as db:
        return batches.waiting(db, services.settings, services.clock.now())


def summarise(services: Services, conversation_id: int) -> bool:
    """Summarise one part of the conversation; True if it became an episode or is not worth one.

    Raises:
        ModelDown: no writer is available now; this conversation waits, and the others may as well.
    """
    summariser, settings = services.summariser, services.settings
    if summariser is None:
        return False
    with services.transaction() as db:
        taken = batches.lease_part(db, conversation_id, settings, services.clock.now())
    if taken is None:
        return False
    reach("batch.taken")
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
            batches.postpone(db, taken, services.clock.now(), at_least=batches.LONGEST_PAUSE, has_failed=False)
        logger.info("Conversation %s waits to be summarised: %s", conversation_id, why)
        return False
    except Overtaken:
        logger.warning("Conversation %s is in other hands, or nothing of it is to be kept.", conversation_id)
        return False
    except Exception:  # An error with these texts must not block all later ones of the person.
        logger.exception("Conversation %s could not be summarised", conversation_id)
        _set_back(services, taken)
        return False
    logger.info("Conversation %s: %s (%s).", conversation_id, episode.name if episode else "no episode", weight.reason)
    return True


def _weighed(taken: LeasedPart) -> Significance:
    """The weight of the words that may be told; an existing episode gets a new version only for words that add."""
    texts, enough = tellable_parts(taken.texts, taken.forgotten), ENOUGH
    if taken.reopens:  # A part that is cut off is always summarised.
        texts = [one for one in texts if one.turn_id > taken.conversation.summarised_to]
        enough = 0.0 if taken.due.is_cut else ENOUGH_TO_ADD
    return weigh([one.words for one in texts if one.by_person], enough=enough)


def _written(services: Services, summariser: Summariser, taken: LeasedPart) -> Episode | None:
    """Write and keep the episode; None if no text of the person is left to tell.

    Raises:
        ModelDown, OverBudget: it cannot be written now.
        Overtaken: another process took the part over.
    """
    shown = [(one, local(one.at, taken.person.timezone)) for one in tellable_parts(taken.texts, taken.forgotten)]
    texts = tuple(SaidText(at, one.by_person, one.words, tuple(day_words(one.words, at))) for one, at in shown)
    if not any(text.by_person for text in texts):
        return None
    conversation = ToSummarise(
        texts=texts,
        person_key=taken.person.key,
        person_name=taken.person.name,
        importance=weigh([text.words for text in texts if text.by_person]).importance,
        deadline=services.clock.monotonic(),
        before=taken.before,
    )
    if (found := _drafted(services, summariser, taken, conversation)) is None:
        return None
    draft, summary, note = found
    facts = drafts.quoted_facts(draft.fields, taken.texts, texts, taken.forgotten)
    now = services.clock.now()
    with services.transaction() as db:
        before = batches.open_episode(db, db.get_one(Conversation, taken.conversation.id))
        if not batches.finish(db, taken):
            raise Overtaken
        learned = _learned(db, taken, facts, now)
        last = max(one.at for one in taken.texts if one.by_person)
        covered = Covered(
            conversation_id=taken.conversation.id,
            upto_turn_id=taken.upto,
            trigger=taken.due.trigger,
            message_ids=tuple(one.message_id for one in taken.texts),
            started_at=min(one.at for one in taken.texts),
            # The last answer counts, unless it came hours later.
            ended_at=max(one.at for one in taken.texts if one.at - last <= batches.LATE),
        )
        by = draft.written_by
        episode = episodes.add(
            db, taken.person.id, summary, covered, now, written_by=by, note=note, before=before, learned=learned
        )
        clear(db, ALERT, now)
    reach("episode.kept")
    return episode


def _drafted(
    services: Services, summariser: Summariser, taken: LeasedPart, conversation: ToSummarise
) -> tuple[Draft, Summary, str | None] | None:
    """A usable draft and its summary, with the reason if another than the summariser wrote it; errors as `_asked`."""
    writer: Summariser | None = summariser
    note = None
    while writer is not None:
        try:
            return *_asked(services, writer, taken, conversation), note
        except Refused as why:
            note, writer = f"{writer.name} was of no use: {why}", writer.otherwise
            logger.warning("Conversation %s: %s", taken.conversation.id, note)
    return None


def _asked(
    services: Services, writer: Summariser, taken: LeasedPart, conversation: ToSummarise
) -> tuple[Draft, Summary]:
    """A draft of this writer with its checked summary.

    Raises:
        Refused: it gave none that can be used, or took too long too often.
        ModelDown: the model answers nobody now.
        OverBudget, Overtaken: the writer was not asked.
    """
    problem = ""
    for _ in range(ASKED):
        asked = replace(conversation, problem=problem, deadline=services.clock.monotonic() + SECONDS)
        try:
            draft = _paid(services, writer, taken, asked)
        except ModelDown as error:
            if error.timed_out and taken.batch.failures >= TIMED_OUT and writer.otherwise is not None:
                raise Refused(f"it took too long {taken.batch.failures + 1} times.") from error
            raise
        except ModelError as error:
            problem = str(error)
            continue
        problem = draft.problem
        if not problem:
            try:
                return draft, drafts.check_summary(draft.fields, asked, leave_out=writer.otherwise is None)
            except Refused as refusal:
                problem = str(refusal)
        if draft.is_final:
            break
    raise Refused(problem)


def _paid(services: Services, writer: Summariser, taken: LeasedPart, conversation: ToSummarise) -> Draft:
    """The writer's draft, paid from the day's budgets: the last attempt is settled, earlier ones stay charged in full.

    Raises:
        OverBudget, Overtaken: the writer was not asked.
        ModelError: see `Summariser.summarise`.
    """
    cents = writer.reserve_cents(conversation)
    reserved: list[Spending] = []

    def pay() -> None:
        if cents <= 0:
            return  # A free writer needs no spending row.
        with services.transaction() as db:
            if batches.held(db, taken) is None:
                raise Overtaken
            reserved.append(_reserve(db, services.settings, taken.person.id, cents, services.clock.now()))
        reach("draft.paid")

    def may_ask_again() -> bool:
        try:
            pay()
        except (OverBudget, Overtaken):
            return False
        return True

    def settle(cents: float) -> None:
        if reserved:
            with services.transaction() as db:
                last = update(Spending).where(Spending.id == reserved[-1].id)
                db.execute(last.values(cents=cents, is_settled=True))

    pay()
    try:
        draft = writer.summarise(replace(conversation, may_ask_again=may_ask_again))
    except ModelError as error:
        if not error.may_be_charged:
            settle(0.0)
        raise
    reach("draft.written")
    settle(draft.cents)
    return draft


def _reserve(db: Session, settings: Settings, person_id: int, cents: float, now: datetime) -> Spending:
    """Reserve the cents in the person's and the shared budget of the day; raises OverBudget if one has no room."""
    day = local(now, settings.budget_timezone).date()
    for budget, whose in (
        (settings.daily_budget_cents, Spending.day == day),
        (settings.person_daily_budget_cents, (Spending.day == day) & (Spending.person_id == person_id)),
    ):
        spent = select(func.coalesce(func.sum(Spending.cents), 0.0)).where(whose)
        own, both = db.scalar(spent.where(Spending.is_background.is_(True))) or 0.0, db.scalar(spent) or 0.0
        # The first draft of a day may exceed the share: a small budget would never allow one otherwise.
        is_within = own == 0.0 or own + cents <= budget * OWN_SHARE + ROUNDING_CENTS
        if not is_within or both + cents > budget * SHARE_WITH_REPLIES + ROUNDING_CENTS:
            raise OverBudget("What may be spent on work in the background today is spent.", is_spent=True)
    spending = Spending(day=day, person_id=person_id, is_background=True, cents=cents, at=now)
    db.add(spending)
    db.flush()
    return spending


def _learned(db: Session, taken: LeasedPart, told: Sequence[NewFact], now: datetime) -> list[int]:
    """Ids of facts that the texts told and no turn had kept; stored only once, even if the part is retold."""
    call = f"episode:{taken.conversation.id}:{taken.upto}"
    change = changes.made_by(db, call)
    if change is not None:
        return [item.added_fact_id for item in change.items if item.added_fact_id is not None]
    still = [one for one in told if not _was_replaced(db, taken.person.id, one)]
    if not still:
        return []
    origin = Origin("assistant", "inferred", call=call)
    return [fact.id for fact in learn(db, taken.person.id, still, origin, now).stored]


def _was_replaced(db: Session, person_id: int, one: NewFact) -> bool:
    """True if a fact said this and was corrected, merged or forgotten after the text that tells it."""
    said_at = select(Message.created_at).where(Message.id == (one.origin and one.origin.message_id))
    same = (Fact.person_id == person_id, Fact.normalised == normalise(one.fact))
    return db.scalar(select(Fact.id).where(*same, Fact.retired_at >= said_at.scalar_subquery()).limit(1)) is not None


def _set_back(services: Services, taken: LeasedPart) -> None:
    """Retry the part later; after `GIVEN_UP_AFTER` failures it stays without an episode, and its texts stay."""
    now = services.clock.now()
    with services.transaction() as db:
        if taken.batch.failures + 1 < GIVEN_UP_AFTER:
            batches.postpone(db, taken, now)
        elif batches.finish(db, taken):
            raise_alert(db, ALERT_BROKEN, BROKEN, now)


def _put_off(services: Services, taken: LeasedPart, why: ModelDown) -> None:
    asked_for = timedelta(seconds=why.retry_after_seconds or 0.0)
    now = services.clock.now()
    with services.transaction() as db:
        batches.postpone(db, taken, now, at_least=asked_for)
        if taken.batch.failures + 1 >= FAILURES_TO_ALERT:
            says = f"Conversations wait to be summarised; their texts are kept, and answers go on. {why}"
            raise_alert(db, ALERT, says, now)
    logger.warning("Conversation %s waits to be summarised: %s", taken.conversation.id, why)
