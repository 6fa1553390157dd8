"""The story of one text: claimed, remembered, shown to the model, answered, sent. Read this first.

And of what comes by itself: due, asked whether it may come, carried out, sent.
"""

import logging
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from app import people
from app.conversation import (
    budget,
    claim,
    commands,
    due_routines,
    finish,
    hooks,
    outage,
    waiting,
    what_to_stop,
)
from app.conversation.claim import OpenTurn
from app.conversation.context import NO_FILES, Files, build, files_of
from app.conversation.finish import Reply
from app.conversation.loop import converse
from app.conversation.shown import remembered
from app.delivery import inbox, outbox, pacing
from app.errors import Conflict, ModelDown, OverBudget, Overtaken, Refused, RequestRefused
from app.memory import changes
from app.models import Message
from app.services import Services
from app.services.tracing import UNTRACED, Span
from app.store.faultpoints import reach
from app.text import kind_words

logger = logging.getLogger(__name__)

PUT_OFF, NOT_ANY_MORE = "put_off", "not_any_more"
"""What came of a turn that has no reply: it waits, or what was begun is of no use by now."""

LANE_POLL_SECONDS = 0.2  # How often the terminal looks whether another process has finished with the person.


def start(services: Services) -> None:
    """Begin to answer: first whatever was stored and not answered, then each text as it comes."""
    with services.transaction() as db:
        outage.try_now(db, services.clock.now())
        pacing.try_sender_now(db, services.clock.now())
        budget.look_anew(db, services.clock.now())
    services.background.start(partial(answer, services))
    wake_waiting(services, quiet_seconds=0)
    outbox.wake_at_their_slots(services)


def wake_waiting(services: Services, *, quiet_seconds: float) -> None:
    """Wake everyone who has something waiting; the database, not a queue, knows who.

    People who texted within the last `quiet_seconds` may be in the middle of a thought, and are left to their lane.
    """
    outbox.settle_interrupted(services)
    now = services.clock.now()
    with services.reading() as db:
        people_waiting = waiting.people_to_answer(db, now, quiet=timedelta(seconds=quiet_seconds))
        just_over = outage.is_just_over(db, now)
    waiting.wake_all(services, people_waiting, apart_seconds=waiting.APART_SECONDS if just_over else 0.0)


def answer(services: Services, person_id: int) -> None:
    """Answer what the person has texted, if anything waits, else do what is due; and send what is queued for them."""
    turn = claim.claim(services, person_id)
    if turn is None:
        _do_what_is_due(services, person_id)
        return
    with _as_span(services, turn) as span:
        came_of_it = _answer_texts if turn.routine is None else _go_on_with_routine
        span.note(outcome=came_of_it(services, turn))
        outbox.send_queued(services, person_id)
    if turn.more_waiting:
        services.background.wake(person_id, at_once=True)


def _as_span(services: Services, turn: OpenTurn) -> AbstractContextManager[Span]:
    return services.span(
        "turn",
        turn=turn.id,
        person=turn.person_id,
        kind="reply" if turn.routine is None else "routine",
        carrier=turn.carrier,
        attempt=turn.attempt,
        texts=len(turn.texts),
    )


def _answer_texts(services: Services, turn: OpenTurn) -> str:
    """What came of it, as `Reply.outcome`."""
    reach("turn.claimed")
    outbox.send_queued(services, turn.person_id)  # What is ready already does not wait behind a call of the model.
    reply = _reply_or_put_off(services, turn)
    if reply is not None:
        _finish(services, turn, reply)
        reach("turn.finished")
    due_routines.look_again(services, turn.person_id)
    if turn.is_a_try:
        _let_others_try(services, turn.person_id)
    return PUT_OFF if reply is None else reply.outcome


def _do_what_is_due(services: Services, person_id: int) -> None:
    """The next thing that is due for the person, and what is queued for them.

    Before a further one their texts are looked at again.
    """
    taken = due_routines.take_next(services, person_id)
    if taken is None:
        any(feature.say(services, person_id) for feature in services.features if feature.say is not None)
        outbox.send_queued(services, person_id)
        return
    reach("routine.taken")
    with UNTRACED if taken.turn is None else _as_span(services, taken.turn) as span:
        if taken.turn is not None:
            span.note(outcome=run_routine(services, taken.turn))
            reach("turn.finished")
        services.background.wake(person_id, after_seconds=0.0)
        outbox.send_queued(services, person_id)


def _go_on_with_routine(services: Services, turn: OpenTurn) -> str:
    """What came of it, as `Reply.outcome`."""
    return run_routine(services, turn) if due_routines.may_go_on(services, turn) else NOT_ANY_MORE


def run_routine(services: Services, turn: OpenTurn) -> str:
    """Carry a routine out: recall → context → loop, as for a text, and its one text queued; or nothing is said.

    Returns what came of it, as `Reply.outcome`.
    """
    try:
        reply = _carried_out(services, turn)
        if due_routines.finish_routine(services, turn, reply):
            hooks.after_reply(services, turn, reply)
    except (ModelDown, RequestRefused) as error:
        logger.warning("Routine %d in turn %s: %s", turn.due_routine.number, turn.id, error)
        if isinstance(error, RequestRefused):
            finish.tell_operator_of_refusal(services, error)
        due_routines.try_again(services, turn, "The model was down.", error.code)
        return error.code
    except OverBudget as refusal:
        due_routines.refuse_for_money(services, turn, refusal)
        return refusal.code
    return reply.outcome


def _finish(services: Services, turn: OpenTurn, reply: Reply) -> list[Message]:
    parts = finish.finish(services, turn, reply)
    if parts:
        hooks.after_reply(services, turn, reply)
    return parts


def _reply_or_put_off(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply to a turn, or None when it has to wait: for the model, for money, or for the operator."""
    try:
        return reply_to(services, turn)
    except ModelDown as error:
        logger.warning("Turn %s waits for the model: %s", turn.id, error)
        finish.put_off_until_it_is_back(services, turn, error)
        reach("turn.put_off")
        return None
    except RequestRefused as error:
        logger.warning("Turn %s waits for the operator: %s", turn.id, error)
        finish.put_off_until_mended(services, turn, error)
        reach("turn.put_off")
        return None
    except OverBudget as refusal:
        budget.put_off(services, turn, refusal)
        reach("turn.put_off")
        return None


def _let_others_try(services: Services, person_id: int) -> None:
    with services.transaction() as db:
        outage.give_way(db, person_id, services.clock.now())


def reply_to(services: Services, turn: OpenTurn) -> Reply:
    """The reply to a turn: by code for a command, else recall → context → loop → reply.

    Raises:
        ModelDown: there is none now; the turn can wait until the model is back.
        RequestRefused: there is none now; the turn can wait until the operator has mended what is refused.
        OverBudget: there is none now; the turn can wait until there is money again.
    """
    try:
        if (answered := _answered_by_code(services, turn)) is not None:
            return answered
        files = files_of(services, turn)
        if not turn.words and (files.excuse or not files.named):
            return Reply(files.excuse or kind_words.EMPTY, "no_words")
        return _thought_about(services, turn, files)
    except (ModelDown, OverBudget, RequestRefused):
        raise
    except Overtaken as error:  # The fence in `finish` lets nothing of this attempt out.
        logger.warning("Turn %s: %s", turn.id, error)
        return Reply(outcome=error.code)
    except Exception:  # The lane's last resort: the person is told kindly, whatever broke, and the lane goes on.
        logger.exception("Turn %s failed", turn.id)
        return Reply(_apology(services, turn), "failed")


def _answered_by_code(services: Services, turn: OpenTurn) -> Reply | None:
    """The reply to what the model is not asked about."""
    if turn.is_spent:
        return Reply(_apology(services, turn), "given_up")
    if (asked := what_to_stop.answer(services, turn)) is not None:
        return asked
    if (said := commands.answer(services, turn)) is not None:
        return Reply(said, "command")
    of_features = (feature.answer(services, turn) for feature in services.features if feature.answer is not None)
    return next((reply for reply in of_features if reply is not None), None)


def _apology(services: Services, turn: OpenTurn) -> str:
    """What the person is told where there is no answer, true about what was changed before it broke."""
    with services.reading() as db:
        return kind_words.trouble(memory_changed=changes.made_in(db, turn.person_id, turn.id))


def _carried_out(services: Services, turn: OpenTurn) -> Reply:
    try:
        return _thought_about(services, turn, NO_FILES)
    except (ModelDown, OverBudget, RequestRefused):
        raise
    except Overtaken as error:
        logger.warning("Turn %s: %s", turn.id, error)
        return Reply(outcome=error.code)
    except Exception:  # The lane's last resort: it is tried again, or dropped with a record, and the lane goes on.
        logger.exception("Turn %s, of a routine, failed", turn.id)
        return Reply(outcome="failed")


def _thought_about(services: Services, turn: OpenTurn, files: Files) -> Reply:
    prompt = hooks.before_prompt(services, turn)
    memory = remembered(services, turn.person_id, memory_on=turn.memory_on, preferred=prompt.past.preferred)
    context = build(services, turn, memory, files, prompt)
    reply = converse(services, turn, context)
    return replace(
        reply,
        facts_used=finish.facts_used(reply, memory.shown, turn.texts),
        episodes_used=finish.episodes_used(reply, context.recalled),
        **prompt.past.accounts(context.recalled),
    )


@dataclass(frozen=True)
class Held:
    """What came of a turn that was held here and now."""

    text: str
    """The reply as it would be sent, its parts one below the other."""
    outcome: str
    """As `Reply.outcome`."""


def hold(services: Services, address: str, body: str) -> Held:
    """Hold one turn here and now, as the terminal does, and return the reply and how it came about.

    Raises:
        Conflict: another process was answering this person all the while.
        Refused: the text is the carrier's word, or the person has opted out; it is kept and not answered.
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
            if _waits_behind_an_outage(services, text):
                return Held(kind_words.trouble(memory_changed=False), ModelDown.code)
            services.clock.wait(LANE_POLL_SECONDS)
            continue
        with _as_span(services, turn) as span:
            reply = _reply_or_put_off(services, turn)
            span.note(outcome=PUT_OFF if reply is None else reply.outcome)
            if reply is None:
                continue
            parts = _finish(services, turn, reply)
            outbox.send_queued(services, person.id, carriers=("terminal",))
        if text.id in {one.id for one in turn.texts}:  # Else it was a turn that a dead process had left.
            return Held("\n".join(part.body for part in parts), reply.outcome)
    raise Conflict(f"Another process is answering {address}. Try again in a minute.")


def _waits_behind_an_outage(services: Services, text: Message) -> bool:
    """Whether an earlier turn of the person waits for the model; then nobody answers the terminal's text later."""
    with services.reading() as db:
        if outage.current(db) is None:
            return False
    return finish.leave_unanswered(services, text, "The model was down, and the terminal was told so.")
