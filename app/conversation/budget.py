"""The day's money for the model: reserved before each call, settled after it, never exceeded.

A call is reserved at the most it can cost, in the same transaction that adds up what the day has cost so far; so no
number of turns at once, and no restart, can spend a cent twice. Where it came back its true cost takes the place of the
reservation, and nothing where it was surely not charged; else, and where its process died, all stays counted.

A person whose call is refused is told once that day, and what they text is answered when there is money again. Reasons:
docs/decisions/0013-money-and-rates.md.
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, cast
from zoneinfo import ZoneInfo

from sqlalchemy import Table, bindparam, case, func, select, update
from sqlalchemy.orm import Session

from app.clock import local
from app.conversation import claim, finish, waiting
from app.conversation.claim import OpenTurn
from app.delivery import outbox
from app.errors import ModelError, OverBudget, Overtaken
from app.models import Person, Spending
from app.operations.alerts import clear, raise_alert
from app.people import is_notice_due, notice_at
from app.routines.quiet_hours import QuietHours
from app.services import Services
from app.services.model import ModelRequest
from app.store.faultpoints import reach
from app.text import kind_words

if TYPE_CHECKING:
    from anthropic.types import Message as ModelMessage

CROWDED_PAUSE = timedelta(seconds=5)  # As long as most calls take; what they leave over is free then.
SMALL_SECONDS = 20.0  # For a small question: a server that has to load its model first takes about as long.
SMALL_MAX_TOKENS = 4096  # It thinks before it says a word.
ROUNDING_CENTS = 1e-6  # Sums of fractions of a cent are not exact.

_SUM = select(func.coalesce(func.sum(Spending.cents), 0.0))
_ROWS = cast("Table", Spending.__table__)
_SETTLE = update(_ROWS).where(_ROWS.c.id == bindparam("spending")).values(cents=bindparam("true"), is_settled=True)
"""Made once: each call of the model takes it."""


def ask(services: Services, turn: OpenTurn, request: ModelRequest) -> "Answered":
    """The model's answer, to be settled by whoever keeps it; until then it counts at the most it may have cost.

    Raises:
        OverBudget: the model was not asked.
        ModelError: as `Model.complete`.
        Overtaken: another process has taken the turn over; the model was not asked.
    """
    cents = services.model.reserve_cents(request)
    spending_id = _reserve(services, turn, cents)

    def may_ask_again() -> bool:
        """Whether one attempt more is paid for; the one before stays counted in full."""
        nonlocal spending_id
        try:
            spending_id = _reserve(services, turn, cents)
        except OverBudget:
            return False
        return True

    began = services.clock.monotonic()
    try:
        with services.background.away(), services.span("model", model=services.model.name) as span:
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
    """Whether the model answers what any model answers within seconds; then the outage is over, if there was one."""
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
    """What the call took, as OpenTelemetry counts: what the cache had is a part of what came in."""
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
    """What the model said and what it cost, not yet settled: that takes no transaction of its own."""

    answer: "ModelMessage"
    cents: float
    spending_id: int | None  # The reservation's row; None where nothing is charged.
    seconds: float  # How long it took.

    def settle(self, db: Session) -> None:
        _settle(db, self.spending_id, self.cents)


def _reserve(services: Services, turn: OpenTurn, cents: float) -> int | None:
    """The reservation's row; None where nothing is charged, and so nothing is written."""
    if cents <= 0:
        return None
    now = services.clock.now()
    with services.transaction(turn.person_id, "money") as db:
        if not claim.holds(db, turn):
            raise Overtaken
        refusal = _refusal(db, services, turn.person_id, cents, now)
        whose = {"person_id": turn.person_id, "turn_id": turn.id}
        spending = Spending(**whose, day=day_of(now, services), cents=cents, at=now)
        if refusal is None:
            db.add(spending)
            db.flush()
    if refusal is not None:  # Outside: what the operator is told of it stays.
        raise refusal
    reach("spending.reserved")
    return spending.id


def _settle(db: Session, spending_id: int | None, cents: float) -> None:
    """The true cost in the place of the reservation, where there is one."""
    if spending_id is not None:
        db.connection().execute(_SETTLE, {"spending": spending_id, "true": cents})


def day_of(now: datetime, services: Services) -> date:
    """The budget's day, in its own zone."""
    return local(now, services.settings.budget_timezone).date()


def month_until(day: date) -> list[date]:
    """The days of its month up to that one."""
    return [day.replace(day=number) for number in range(1, day.day + 1)]


def spent_cents(db: Session, day: date, person_id: int | None = None) -> float:
    """What counts against the day, of the person or of all: settled or reserved."""
    whose = () if person_id is None else (Spending.person_id == person_id,)
    return float(db.scalar(_SUM.where(Spending.day == day, *whose)) or 0.0)


def most_spent(db: Session, day: date, most: int) -> list[tuple[Person, float]]:
    """The people for whom most counts against the day, each with how many cents."""
    cents = func.sum(Spending.cents)
    found = select(Person, cents).join(Spending, Spending.person_id == Person.id).where(Spending.day == day)
    rows = db.execute(found.group_by(Person.id).order_by(cents.desc()).limit(most))
    return [(person, float(spent)) for person, spent in rows]


def is_spent(db: Session, services: Services, person_id: int, now: datetime) -> bool:
    """Whether nothing is left of the day's money, for the person or for everybody."""
    day, settings = day_of(now, services), services.settings
    return (
        spent_cents(db, day, person_id) >= settings.person_daily_budget_cents
        or spent_cents(db, day) >= settings.daily_budget_cents
    )


def put_off(services: Services, turn: OpenTurn, refusal: OverBudget) -> None:
    """Keep the texts of a turn that has said nothing yet for when there is money again; tell the person once a day."""
    now = services.clock.now()
    if not refusal.is_spent:
        with services.transaction(turn.person_id) as db:
            finish.postpone(db, turn, now + CROWDED_PAUSE)
        services.background.wake(turn.person_id, after_seconds=CROWDED_PAUSE.total_seconds())
        return
    with services.transaction(turn.person_id) as db:
        if not finish.put_back(db, turn):
            return
        until, when = _rests_until(db, services, turn, now)
        waiting.rest(db.get_one(Person, turn.person_id), until, waiting.BUDGET)
        if _is_to_be_told(db, services, turn.person_id, now):
            outbox.queue(db, turn.person_id, None, turn.carrier, [kind_words.resting(when)], now, purpose="notice")


def last_words(services: Services, turn: OpenTurn, *, memory_changed: bool) -> str:
    """What ends a turn in the middle; it is also what the person is told that day."""
    now = services.clock.now()
    with services.transaction(turn.person_id) as db:
        _is_to_be_told(db, services, turn.person_id, now)
        _, when = _rests_until(db, services, turn, now)
    return kind_words.resting_midway(when, memory_changed=memory_changed)


def _refusal(db: Session, services: Services, person_id: int, cents: float, now: datetime) -> OverBudget | None:
    settings = services.settings
    everybody = _refused(db, services, settings.daily_budget_cents, None, cents, now)
    if everybody is not None and everybody.is_spent:
        raise_alert(db, "budget", f"{everybody} Texts are kept; raise DAILY_BUDGET_CENTS to answer them today.", now)
    elif spent_cents(db, day_of(now, services)) == 0.0:  # A new day.
        clear(db, "budget", now)
    one = _refused(db, services, settings.person_daily_budget_cents, person_id, cents, now)
    return max(filter(None, (everybody, one)), key=lambda refusal: refusal.is_spent, default=None)


def _refused(
    db: Session, services: Services, budget: int, person_id: int | None, cents: float, now: datetime
) -> OverBudget | None:
    # A reservation that is older than any turn may be was left by a process that is gone, and is never given back.
    lease = timedelta(seconds=services.settings.turn_max_seconds) + claim.LEASE_MARGIN
    is_under_way = Spending.is_settled.is_(False) & (Spending.at > now - lease)
    # In one look: others settle what theirs has cost at any moment.
    sums = select(func.sum(Spending.cents), func.sum(case((is_under_way, Spending.cents), else_=0.0)))
    theirs = () if person_id is None else (Spending.person_id == person_id,)
    found = db.execute(sums.where(Spending.day == day_of(now, services), *theirs)).one()
    counted, under_way = (float(cents or 0.0) for cents in found)
    if counted + cents <= budget + ROUNDING_CENTS:
        return None
    whose = "everybody" if person_id is None else "one person"
    sentence = (
        f"The day's budget of {budget} cents for {whose} has {max(budget - counted, 0):.2f} cents left, and a call of "
        f"the model may cost {cents:.2f}."
    )
    return OverBudget(sentence, is_spent=counted - under_way + cents > budget + ROUNDING_CENTS)


def _rests_until(db: Session, services: Services, turn: OpenTurn, now: datetime) -> tuple[datetime, str]:
    """When the next day of the budget begins, or the person's morning when that is in their night.

    With it the hour as the person's own clock shows it, such as `tomorrow, 07:00`.
    """
    day, zone = day_of(now, services) + timedelta(days=1), ZoneInfo(services.settings.budget_timezone)
    midnight = datetime.combine(day, time(), zone).astimezone(UTC)
    person = db.get_one(Person, turn.person_id)
    until = QuietHours.said(person.quiet_hours).over_at(midnight, person.timezone)
    theirs = local(until, person.timezone)
    days = (theirs.date() - local(now, person.timezone).date()).days
    return until, f"{('today', 'tomorrow')[days] if days in {0, 1} else f'{theirs:%A}'}, {theirs:%H:%M}"


def _is_to_be_told(db: Session, services: Services, person_id: int, now: datetime) -> bool:
    told = notice_at(db, person_id, "budget")
    if told is not None and day_of(told, services) == day_of(now, services):
        return False
    return is_notice_due(db, person_id, "budget", now, every=timedelta(0))
