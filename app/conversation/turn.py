"""The story of one text; read this first.

`claim` takes a person's waiting texts as a turn, `recall` and `context` gather what the model is shown, `loop` asks the
model and runs its tools, `finish` queues the reply, and `outbox` sends it. A due routine takes the same path.
"""

import logging
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial

from app import people
from app.conversation import budget, claim, commands, due_routines, finish, waiting
from app.conversation.claim import OpenTurn
from app.conversation.context import Prompt, build, files_of
from app.conversation.finish import Reply
from app.conversation.loop import apology, converse
from app.conversation.memory_shown import load_memory
from app.conversation.recall import recall
from app.delivery import inbox, outbox, reports
from app.errors import Conflict, ModelDown, OverBudget, Overtaken, Refused, RequestRefused
from app.models import Message, marks, move
from app.operations.alerts import clear
from app.services import Services, Span
from app.services.feature import first_result
from app.store.db import UNAVAILABLE
from app.store.faultpoints import reach
from app.text import kind_words

logger = logging.getLogger(__name__)

PUT_OFF, NOT_ANY_MORE = "put_off", "not_any_more"
"""Outcomes of a turn without a reply: it waits, or its routine is no longer wanted."""

LANE_POLL_SECONDS = 0.2  # The terminal checks this often if another process has finished with the person.


def start(services: Services) -> None:
    """Start answering: first the stored texts that have no answer, then each text as it arrives."""
    with services.transaction() as db:
        for tried in (waiting.TRY, reports.STOPPED):
            marks.hasten(db, tried, services.clock.now())
        waiting.end_rests(db, waiting.BUDGET)  # The operator may have raised the budgets.
        clear(db, "budget", services.clock.now())
    services.background.start(partial(answer, services))
    waiting.wake_waiting(services, quiet_seconds=0)
    outbox.wake_at_their_slots(services)


def answer(services: Services, person_id: int) -> None:
    """Answer the person's waiting texts, or else run their next due routine; then send what is queued for them."""
    turn = claim.claim(services, person_id)
    if turn is not None:
        _run(services, turn)
        return
    if due_routines.do_next(services, person_id, _run):
        services.background.wake_within(person_id, 0.0)  # New texts come before the next routine.
    else:
        any(feature.say(services, person_id) for feature in services.features)
    outbox.send_queued(services, person_id)


def _run(services: Services, turn: OpenTurn) -> None:
    """Run a claimed turn to its end and send its texts."""
    with _turn_span(services, turn) as span:
        if turn.texts:
            reach("turn.claimed")
            outbox.send_queued(services, turn.person_id)  # Texts that are ready do not wait for the model.
        outcome, _ = _carry_out(services, turn)
        span.note(outcome=outcome)
        if turn.texts:
            waiting.recheck_routines(services, turn.person_id)  # Some routines wait until the person texts.
        outbox.send_queued(services, turn.person_id)
    if turn.more_waiting:
        services.background.wake(turn.person_id, at_once=True)


def _carry_out(services: Services, turn: OpenTurn) -> tuple[str, list[Message]]:
    """Answer the turn and end it, or put it off. Returns its outcome and the texts queued; none if it was put off."""
    if turn.routine is not None and turn.taken_up and not due_routines.may_go_on(services, turn):
        return NOT_ANY_MORE, []
    try:
        reply = _reply_to(services, turn)
    except (ModelDown, OverBudget, RequestRefused) as error:
        logger.warning("Turn %s waits: %s", turn.id, error)
        _put_off(services, turn, error)
        reach("turn.put_off")
        return PUT_OFF if turn.routine is None else error.code, []
    end = finish.finish if turn.routine is None else due_routines.finish_routine
    if parts := end(services, turn, reply):
        services.apply_hooks(turn, "after_reply", reply)
    reach("turn.finished")
    return reply.outcome, parts


def _reply_to(services: Services, turn: OpenTurn) -> Reply:
    """The reply to a turn: from code for a command, else recall → context → loop.

    Raises:
        ModelDown: the turn has to wait until the model is back.
        RequestRefused: the turn has to wait until the operator has fixed the cause.
        OverBudget: the turn has to wait until there is money again.
        UNAVAILABLE, OSError: the lane takes the turn up again, as after the death of its process.
    """
    try:
        if turn.texts and turn.is_for_code and (by_code := _reply_by_code(services, turn)) is not None:
            return by_code
        files = files_of(services, turn)
        if not turn.words and (files.excuse or not files.named):
            return Reply(files.excuse or kind_words.EMPTY, "no_words")
        prompt = services.apply_hooks(turn, "before_prompt", Prompt(recall(services, turn)))
        memory = load_memory(services, turn.person_id, prompt.past.preferred, memory_on=turn.memory_on)
        context = build(services, turn, memory, files, prompt)
        reply = converse(services, turn, context)
        shown = frozenset(one.episode.number for one in context.recalled)
        return replace(
            reply,
            facts_used=finish.facts_used(reply, memory.shown, turn.texts),
            episodes_used=finish.episodes_found(reply) | shown,
            **prompt.past.columns(shown),
        )
    except (ModelDown, OverBudget, RequestRefused, OSError, *UNAVAILABLE):
        raise
    except Overtaken as error:  # The fence in `finish` discards everything of this attempt.
        logger.warning("Turn %s: %s", turn.id, error)
        return Reply(outcome=error.code)
    except Exception:  # The lane's last resort: the person gets a kind sentence and the lane goes on.
        logger.exception("Turn %s failed", turn.id)
        return Reply(apology(services, turn), "failed")


def _reply_by_code(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply, if code answers this turn without the model; else None."""
    if turn.is_spent:
        return Reply(apology(services, turn), "given_up")
    by_command = commands.answer(services, turn)
    return by_command or first_result(services.features, lambda feature: feature.answer(services, turn))


def _put_off(services: Services, turn: OpenTurn, error: ModelDown | OverBudget | RequestRefused) -> None:
    if turn.routine is not None:
        due_routines.put_off(services, turn, error)
    elif isinstance(error, OverBudget):
        budget.put_off(services, turn, error)
    elif isinstance(error, ModelDown):
        finish.put_off_for_outage(services, turn, error)
    else:
        finish.put_off_for_refusal(services, turn, error)


def _turn_span(services: Services, turn: OpenTurn) -> AbstractContextManager[Span]:
    return services.span(
        "turn",
        turn=turn.id,
        person=turn.person_id,
        kind="reply" if turn.routine is None else "routine",
        carrier=turn.carrier,
        attempt=turn.attempt,
        texts=len(turn.texts),
    )


def run_turn(services: Services, address: str, body: str) -> Reply:
    """Run one turn in this thread, as the terminal does, and return the reply as it would be sent.

    Raises:
        Conflict: another process was answering this person the whole time.
        Refused: the text is a word that the carrier handles, or the person has opted out; it is kept unanswered.
    """
    now = services.clock.now()
    with services.transaction() as db:
        person = people.by_address(db, address) or people.add(db, address, access="allowed", now=now)
        text = inbox.keep_for_terminal(db, person, body, now)
    if text.state == "unanswered":
        raise Refused(text.note)
    give_up_at = services.clock.monotonic() + services.settings.turn_max_seconds + claim.LEASE_MARGIN.total_seconds()
    while services.clock.monotonic() < give_up_at:
        turn = claim.claim(services, person.id, terminal_text=text.id)
        if turn is None:
            if _given_up_in_outage(services, text):
                return Reply(kind_words.apology(changed=False), ModelDown.code)
            services.clock.wait(LANE_POLL_SECONDS)
            continue
        with _turn_span(services, turn) as span:
            outcome, parts = _carry_out(services, turn)
            span.note(outcome=outcome)
            outbox.send_queued(services, person.id, carriers=("terminal",))
        # Otherwise this was a turn left by a dead process, or it waits.
        if outcome != PUT_OFF and text.id in {one.id for one in turn.texts}:
            return Reply("\n".join(part.body for part in parts), outcome)
    raise Conflict(f"Another process is answering {address}. Try again in a minute.")


def _given_up_in_outage(services: Services, text: Message) -> bool:
    """During an outage, mark a text that has no turn as unanswered. True if so: its terminal is told that now."""
    with services.transaction(text.person_id) as db:
        if waiting.outage(db) is None:
            return False
        unclaimed = (Message.id == text.id, Message.turn_id.is_(None))
        why = "The model was down, and the terminal was told so."
        return move(db, Message, "unanswered", *unclaimed, note=why) == 1
