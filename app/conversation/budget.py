"""The day's money for the model: reserved before each call, settled after it, never exceeded.

A call reserves the most it can cost, in the transaction that adds up the day's spending. So neither concurrent turns
nor a restart can spend a cent twice. Its true cost replaces the reservation when it returns, or 0 if it was certainly
not charged. After any other error, or if the process dies, the reservation stays counted in full.

A person whose call is refused is told once that day, and their texts are answered when there is money again. Reasons:
docs/decisions/0013-money-and-rates.md.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Table, bindparam, case, exists, func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import claim, finish, waiting
from app.conversation.claim import OpenTurn
from app.delivery import outbox
from app.errors import ModelError, OverBudget, Overtaken
from app.memory.changes import has_changed_in
from app.models import Person, Spending
from app.operations.alerts import clear, raise_alert
from app.people import claim_notice, notice_at
from app.routines.quiet_hours import QuietHours
from app.services import Services
from app.services.model import ModelRequest
from app.store.faultpoints import reach
from app.text import kind_words

if TYPE_CHECKING:
    from anthropic.types import Message as ModelMessage

CROWDED_PAUSE = timedelta(seconds=5)  # Most calls take this long; then the unused part of their reservation is free.
SMALL_SECONDS = 20.0  # For a small question: a server that has to load its model first takes about this long.
SMALL_MAX_TOKENS = 4096  # The model thinks before it writes.
ROUNDING_CENTS = 1e-6  # Sums of fractions of a cent are not exact.

_SUM = select(func.coalesce(func.sum(Spending.cents), 0.0))
_ROWS = cast("Table", Spending.__table__)
_SETTLE = update(_ROWS).where(_ROWS.c.id == bindparam("spending")).values(cents=bindparam("true"), is_settled=True)
"""Built once: every call of the model runs it."""


def ask(services: Services, turn: OpenTurn, request: ModelRequest) -> "Answered":
    """The model's answer, to be settled when the caller stores it; until then its full reservation counts.

    Raises:
        OverBudget: the budget has no room; the model was not asked.
        ModelError: as `Model.complete`.
        Overtaken: another process has taken the turn over; the model was not asked.
    """
    cents = services.model.reserve_cents(request)
    spending_id = _reserve(services, turn, cents)

    def may_ask_again() -> bool:
        """True if the budget has room for one more attempt; the previous one stays counted in full."""
        nonlocal spending_id
        try:
            spending_id = _reserve(services, turn, cents)
        except OverBudget:
            return False
        return True

    began = services.clock.monotonic()
    try:
        with services.background.leave_desk(), services.span("model", model=services.model.name) as span:
            answer = services.model.complete(replace(request, may_ask_again=may_ask_again))
            span.note(model=answer.model, stop_reason=answer.stop_reason, **_tokens(answer))
    except ModelError as error:
        if not error.may_be_charged:
            with services.transaction(turn.person_id) as db:
                _settle(db, spending_id, 0.0)
        raise
    seconds = services.clock.monotonic() - began
    return Answered(answer, services.model.cost_cents(answer), spending_id, seconds)


def is_model_there(services: Services, turn: OpenTurn) -> bool:
    """True if the model answers a small question in time; that also ends an outage."""
    asked = [{"role": "user", "content": "Are you there?"}]
    until = services.clock.monotonic() + SMALL_SECONDS
    question = ModelRequest([], asked, [], SMALL_MAX_TOKENS, deadline=until, person_key="keepsake")
    try:
        answered = ask(services, turn, question)
    except (ModelError, OverBudget):
        return False
    with services.transaction() as db:
        answered.settle(db)
        was_down = waiting.end_outage(db, services.clock.now())
    if was_down:
        waiting.wake_waiting(services, quiet_seconds=0)
    return True


def _tokens(answer: "ModelMessage") -> dict[str, int]:
    """Token counts of the call as OpenTelemetry defines them: cached tokens are part of the input."""
    if answer.usage is None:  # Local servers leave it out.
        return {}
    read, written = answer.usage.cache_read_input_tokens or 0, answer.usage.cache_creation_input_tokens or 0
    return {
        "input_tokens": (answer.usage.input_tokens or 0) + read + written,
        "output_tokens": answer.usage.output_tokens or 0,
        "cache_read_tokens": read,
        "cache_write_tokens": written,
    }


@dataclass(frozen=True)
class Answered:
    """The model's answer and its cost, to be settled within the transaction that stores it."""

    answer: "ModelMessage"
    cents: float
    spending_id: int | None  # The reservation's row; None if the model costs nothing.
    seconds: float  # The duration of the call.

    def settle(self, db: Session) -> None:
        _settle(db, self.spending_id, self.cents)


def _reserve(services: Services, turn: OpenTurn, cents: float) -> int | None:
    """Reserve the cents and return the row's id; None, and no row, if the model costs nothing."""
    if cents <= 0:
        return None
    now = services.clock.now()
    with services.transaction(turn.person_id, "money") as db:
        if not claim.owns_turn(db, turn):
            raise Overtaken
        refusal = _refusal(db, services, turn.person_id, cents, now)
        whose = {"person_id": turn.person_id, "turn_id": turn.id}
        spending = Spending(**whose, day=budget_day(services, now), cents=cents, at=now)
        if refusal is None:
            db.add(spending)
            db.flush()
    if refusal is not None:  # Raised after the commit, so that the operator's alert stays.
        raise refusal
    reach("spending.reserved")
    return spending.id


def _settle(db: Session, spending_id: int | None, cents: float) -> None:
    """Replace the reservation, if there is one, by the true cost."""
    if spending_id is not None:
        db.connection().execute(_SETTLE, {"spending": spending_id, "true": cents})


def budget_day(services: Services, now: datetime) -> date:
    """The date in the budget's time zone."""
    return local(now, services.settings.budget_timezone).date()


def month_so_far(services: Services, now: datetime) -> list[date]:
    """The days of the budget's month up to today."""
    today = budget_day(services, now)
    return [today.replace(day=number) for number in range(1, today.day + 1)]


def spent_cents(db: Session, day: date, person_id: int | None = None) -> float:
    """Cents settled or reserved on the day, by one person or by all."""
    whose = () if person_id is None else (Spending.person_id == person_id,)
    return float(db.scalar(_SUM.where(Spending.day == day, *whose)) or 0.0)


def most_spent(db: Session, day: date, most: int) -> list[tuple[Person, float]]:
    """People who have spent most of the day's budget, each with the cents settled or reserved."""
    cents = func.sum(Spending.cents)
    found = select(Person, cents).join(Spending, Spending.person_id == Person.id).where(Spending.day == day)
    rows = db.execute(found.group_by(Person.id).order_by(cents.desc()).limit(most))
    return [(person, float(spent)) for person, spent in rows]


def is_spent(db: Session, services: Services, person_id: int, now: datetime) -> bool:
    """True if the person's budget for the day, or everybody's, is used up."""
    day, settings = budget_day(services, now), services.settings
    return (
        spent_cents(db, day, person_id) >= settings.person_daily_budget_cents
        or spent_cents(db, day) >= settings.daily_budget_cents
    )


def put_off(services: Services, turn: OpenTurn, refusal: OverBudget) -> None:
    """Keep the texts of an unanswered turn until there is money again, and tell the person once a day."""
    now = services.clock.now()
    if not refusal.is_spent:
        with services.transaction(turn.person_id) as db:
            finish.postpone(db, turn, now + CROWDED_PAUSE)
        services.background.wake_within(turn.person_id, CROWDED_PAUSE.total_seconds())
        return
    with services.transaction(turn.person_id) as db:
        if not finish.undo_claim(db, turn):
            return
        until, when = _end_of_rest(db, services, turn, now)
        waiting.rest(db.get_one(Person, turn.person_id), until, waiting.BUDGET)
        if _claim_todays_notice(db, services, turn.person_id, now):
            says = [kind_words.out_of_budget(when)]
            outbox.queue(db, turn.person_id, None, turn.carrier, says, now, purpose="notice")


def budget_spent_sentence(services: Services, turn: OpenTurn) -> str:
    """The sentence that ends a turn half-way; it counts as the day's notice to the person."""
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        _claim_todays_notice(db, services, turn.person_id, now)
        _, when = _end_of_rest(db, services, turn, now)
        return kind_words.out_of_budget_midway(when, changed=has_changed_in(db, turn.person_id, turn.id))


def _refusal(db: Session, services: Services, person_id: int, cents: float, now: datetime) -> OverBudget | None:
    settings = services.settings
    everybody = _over_limit(db, services, settings.daily_budget_cents, None, cents, now)
    if everybody is not None and everybody.is_spent:
        raise_alert(db, "budget", f"{everybody} Texts are kept; raise DAILY_BUDGET_CENTS to answer them today.", now)
    elif not db.scalar(select(exists().where(Spending.day == budget_day(services, now), ~Spending.is_background))):
        clear(db, "budget", now)  # The first reply of a new day; work in the background may come before it.
    one = _over_limit(db, services, settings.person_daily_budget_cents, person_id, cents, now)
    return max(filter(None, (everybody, one)), key=lambda refusal: refusal.is_spent, default=None)


def _over_limit(
    db: Session, services: Services, budget: int, person_id: int | None, cents: float, now: datetime
) -> OverBudget | None:
    # A reservation older than any turn was left by a dead process and is never given back.
    lease = timedelta(seconds=services.settings.turn_max_seconds) + claim.LEASE_MARGIN
    is_under_way = Spending.is_settled.is_(False) & (Spending.at > now - lease)
    # One query reads both sums, because others settle their costs at any moment.
    sums = select(func.sum(Spending.cents), func.sum(case((is_under_way, Spending.cents), else_=0.0)))
    theirs = () if person_id is None else (Spending.person_id == person_id,)
    found = db.execute(sums.where(Spending.day == budget_day(services, now), *theirs)).one()
    counted, under_way = (float(cents or 0.0) for cents in found)
    if counted + cents <= budget + ROUNDING_CENTS:
        return None
    whose = "everybody" if person_id is None else "one person"
    sentence = (
        f"The day's budget of {budget} cents for {whose} has {max(budget - counted, 0):.2f} cents left, and a call of "
        f"the model may cost {cents:.2f}."
    )
    return OverBudget(sentence, is_spent=counted - under_way + cents > budget + ROUNDING_CENTS)


def _end_of_rest(db: Session, services: Services, turn: OpenTurn, now: datetime) -> tuple[datetime, str]:
    """The start of the budget's next day, or the end of the person's quiet hours if it falls into those.

    It comes with the same hour in words on the person's own clock, such as `tomorrow, 07:00`.
    """
    day, zone = budget_day(services, now) + timedelta(days=1), ZoneInfo(services.settings.budget_timezone)
    midnight = datetime.combine(day, time(), zone).astimezone(UTC)
    person = db.get_one(Person, turn.person_id)
    until = QuietHours.parse(person.quiet_hours).end_after(midnight, person.timezone)
    theirs = local(until, person.timezone)
    days = (theirs.date() - local(now, person.timezone).date()).days
    return until, f"{('today', 'tomorrow')[days] if days in {0, 1} else f'{theirs:%A}'}, {theirs:%H:%M}"


def _claim_todays_notice(db: Session, services: Services, person_id: int, now: datetime) -> bool:
    told = notice_at(db, person_id, "budget")
    if told is not None and budget_day(services, told) == budget_day(services, now):
        return False
    return claim_notice(db, person_id, "budget", now, every=timedelta(0))
