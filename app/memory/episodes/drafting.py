"""A draft of an episode, asked for and paid for, until one can be kept."""

import logging
from dataclasses import replace

from app.errors import ModelDown, ModelError, OverBudget, Overtaken, Refused
from app.memory.episodes import Summary, allowance, batches, drafts
from app.memory.episodes.batches import Taken
from app.services import Services
from app.services.summaries import Draft, Summariser, ToSummarise
from app.store.faultpoints import reach

logger = logging.getLogger(__name__)

ASKED = 3  # Times for one draft that can be used; then somebody else writes it.
SECONDS = 60.0  # For one draft. Nobody waits for it.
TIMED_OUT = 12  # Failures, in about seven hours: then it is this conversation that takes so long, and not the model.


def drafted(
    services: Services, summariser: Summariser, taken: Taken, conversation: ToSummarise
) -> tuple[Draft, str | None, Summary] | None:
    """A draft that can be kept, why it is not the summariser's own where it is not, and what is kept of it.

    None where nobody finds anything to tell.

    Raises:
        ModelDown, OverBudget: nobody can write it now.
        Overtaken: somebody else has taken the part over.
    """
    if taken.draft is not None:  # Written before its process died.
        try:
            return taken.draft, taken.note, drafts.checked(taken.draft.fields, conversation, leave_out=True)
        except Refused as refusal:  # The rules have changed since.
            logger.warning("Conversation %s: the draft that was kept is not used: %s", taken.conversation_id, refusal)
    writer: Summariser | None = summariser
    note = None
    while writer is not None:
        found = _asked(services, writer, taken, conversation)
        if isinstance(found, tuple):
            draft, summary = found
            with services.transaction() as db:
                if not batches.keep_draft(db, taken, draft, note, services.clock.now()):
                    raise Overtaken
            reach("draft.kept")
            return draft, note, summary
        note, writer = f"{writer.name} was of no use: {found}", writer.otherwise
        logger.warning("Conversation %s: %s", taken.conversation_id, note)
    return None


def _asked(
    services: Services, writer: Summariser, taken: Taken, conversation: ToSummarise
) -> tuple[Draft, Summary] | str:
    """A draft of this writer and what is kept of it, or why there is none, in a sentence.

    Raises:
        ModelDown: nobody would be answered now.
        OverBudget, Overtaken: it was not asked.
    """
    problem = ""
    for _ in range(ASKED):
        asked = replace(conversation, problem=problem, deadline=services.clock.monotonic() + SECONDS)
        try:
            draft = _paid(services, writer, taken, asked)
        except ModelDown as error:
            if error.timed_out and taken.failures >= TIMED_OUT and writer.otherwise is not None:
                return f"it took too long {taken.failures + 1} times."
            raise
        except ModelError as error:
            problem = str(error)
            continue
        problem = draft.problem
        if not problem:
            try:
                return draft, drafts.checked(draft.fields, asked, leave_out=writer.otherwise is None)
            except Refused as refusal:
                problem = str(refusal)
        if draft.is_final:
            break
    return problem


def _paid(services: Services, writer: Summariser, taken: Taken, conversation: ToSummarise) -> Draft:
    """The writer's draft, paid for from the day's budgets, each attempt for itself.

    Raises:
        OverBudget, Overtaken: it was not asked.
        ModelError: as `Summariser.summarise`.
    """
    cents = writer.reserve_cents(conversation)
    paid = _Paid(services, taken, cents)
    paid.set_aside()
    try:
        draft = writer.summarise(replace(conversation, may_ask_again=paid.once_more))
    except ModelError as error:
        if not error.may_be_charged:
            paid.settle(0.0)
        raise
    reach("draft.written")
    paid.settle(draft.cents)
    return draft


class _Paid:
    """What was set aside for one draft: the last attempt's is settled, those before it stay counted in full."""

    def __init__(self, services: Services, taken: Taken, cents: float) -> None:
        self._services = services
        self._taken = taken
        self._cents = cents
        self._spending_id: int | None = None

    def set_aside(self) -> None:
        """Set the most that one attempt may cost aside; nothing is written where nothing is charged.

        Raises:
            OverBudget: the day has no room for it.
            Overtaken: somebody else has taken the part over.
        """
        if self._cents <= 0:
            return
        services = self._services
        with services.transaction() as db:
            if batches.held(db, self._taken) is None:
                raise Overtaken
            row = allowance.set_aside(db, services.settings, self._taken.person_id, self._cents, services.clock.now())
        if row is None:
            raise OverBudget("What may be spent on work in the background today is spent.", is_spent=True)
        self._spending_id = row
        reach("draft.paid")

    def once_more(self) -> bool:
        try:
            self.set_aside()
        except (OverBudget, Overtaken):
            return False
        return True

    def settle(self, cents: float) -> None:
        if self._spending_id is not None:
            with self._services.transaction() as db:
                allowance.settle(db, self._spending_id, cents)
