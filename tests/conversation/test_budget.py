"""The day's budget: reserved before each call, settled after it, and the notice to people when it is spent."""

import pytest

from app.conversation import turn
from app.jobs import answer_waiting
from app.services import Services
from app.settings import Settings
from app.text import kind_words
from tests.asked_of_claude import newest
from tests.claude_server import ClaudeServer, Reply, error, overloaded, say, several, text, truncated
from tests.conftest import MakeServices
from tests.conversation.spendings import NOT_EVEN_ONE_CALL, ONE_CALL, alerts, already_spent, spendings, spent
from tests.fakes import FrozenClock, InlineBackground
from tests.phoning import ALEX, Phone

RESTING = kind_words.out_of_budget("today, 16:00")  # Midnight of UTC on the clocks of Seattle.


def person_has(cents: int, **more: object) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("settings", [{"person_daily_budget_cents": cents, **more}], indirect=True)


def dear(words: str, *, cents: float = 1.0, calls: Reply | None = None) -> Reply:
    """An answer whose thoughts cost `cents`, at the stand-in's four letters per token and $10 per million tokens."""
    thought = {"type": "thinking", "thinking": "x" * int(cents * 4000), "signature": "c2ln"}
    return several([thought, *(calls.content if calls else [text(words)])])


def all_have(cents: int) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("settings", [{"daily_budget_cents": cents}], indirect=True)


@pytest.fixture
def resting(alex: Phone, claude: ClaudeServer) -> Phone:
    """A person whose first answer used up the day, and who was told so; for tests with `person_has(ONE_CALL)`."""
    claude.queue(dear("Hi."))
    assert alex.text("Hello") == ["Hi."]
    assert alex.text("And now?") == [RESTING]
    return alex


def swept(phone: Phone) -> list[str]:
    """Run the periodic sweep, and return the texts that it brings."""
    before = len(phone.received())
    answer_waiting.run(phone.services)
    phone.background.run()
    return phone.received()[before:]


@pytest.mark.parametrize(
    "words", ["Hello", "0123456789 " * 150, "\U0001f600" * 800, "我喜欢喝咖啡" * 250, "!@#$%^&*()" * 160]
)
def test_a_call_counts_at_the_most_it_may_cost_until_known(words: str, alex: Phone, claude: ClaudeServer) -> None:
    reserved: list[float] = []

    def look(_: object) -> Reply:
        [under_way] = spendings(alex.services)
        assert not under_way.is_settled
        reserved.append(under_way.cents)
        return say("Hi.")

    claude.queue(look)
    alex.text(words)
    [settled] = spendings(alex.services)
    assert settled.is_settled
    assert settled.cents == pytest.approx(alex.turns()[0].cost_cents)
    assert 0 < settled.cents < reserved[0]
    assert settled.turn_id == alex.turns()[0].id
    if words == "Hello":
        assert NOT_EVEN_ONE_CALL < reserved[0] < ONE_CALL


@person_has(ONE_CALL)
def test_a_person_whose_day_is_spent_is_told_once_and_answered_when_the_next_day_begins(
    resting: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    assert resting.text("What is 2+2?") == resting.text("And 3+3?") == []
    [listing] = resting.text("/memory")
    assert "don't know anything" in listing
    assert len(claude.requests) == 1
    assert [message.state for message in resting.messages("in")[1:4]] == ["waiting"] * 3
    claude.queue(say("Hi, Blair."))
    assert blair.text("Hello") == ["Hi, Blair."]

    clock.advance(minutes=5)
    answer_waiting.run(resting.services)
    assert resting.background.woken == [], "nobody who rests is woken by every sweep"
    resting.send("\n/memory")
    resting.background.woken.clear()  # As if its process had died.
    clock.advance(minutes=1)
    assert swept(resting) == [listing]
    clock.advance(hours=6, minutes=53)  # A minute before midnight of UTC.
    assert swept(resting) == []
    clock.advance(minutes=1)
    claude.queue(say("4 and 6."))
    assert swept(resting) == ["4 and 6."]
    assert newest(claude.requests[-1]) == "And now?\nWhat is 2+2?\nAnd 3+3?"


@person_has(ONE_CALL, budget_timezone="America/Los_Angeles")
def test_nobody_is_answered_at_night_by_a_new_budget(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    claude.queue(dear("Hi."))
    alex.text("Hello")
    assert alex.text("And now?") == [kind_words.out_of_budget("tomorrow, 07:00")]
    clock.advance(hours=21, minutes=59)  # 06:59 in Seattle.
    assert swept(alex) == []
    clock.advance(minutes=1)
    claude.queue(say("Good morning."))
    assert swept(alex) == ["Good morning."]


@all_have(ONE_CALL)
def test_the_operator_sees_that_the_day_of_all_is_spent_until_the_next_begins(
    alex: Phone, blair: Phone, claude: ClaudeServer, clock: FrozenClock
) -> None:
    claude.queue(dear("Hi."))
    alex.text("Hello")
    assert alerts(alex.services) == set()
    assert blair.text("Hello") == [kind_words.out_of_budget("today, 19:00")]  # In New York.
    assert alerts(alex.services) == {"budget"}
    clock.advance(hours=7)
    already_spent(alex.services, alex.person_id, 0.1, is_background=True)  # Last evening's texts become an episode.
    claude.queue(say("Hi, Blair."))
    assert swept(blair) == ["Hi, Blair."]
    assert alerts(alex.services) == set()


@person_has(ONE_CALL)
def test_a_restart_gives_no_money_back_and_tells_nobody_twice_and_a_budget_that_was_raised_holds_from_then(
    resting: Phone, claude: ClaudeServer, make_services: MakeServices
) -> None:
    turn.start(resting.services)
    resting.background.run()
    assert resting.received() == ["Hi.", RESTING]
    assert len(claude.requests) == 1

    claude.queue(say("Now."))
    turn.start(make_services(model=resting.services.model, settings=Settings(person_daily_budget_cents=50)))
    resting.background.run()
    assert resting.received() == ["Hi.", RESTING, "Now."]


@person_has(ONE_CALL)
def test_a_clock_that_is_set_back_gives_no_money_twice(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> None:
    clock.advance(hours=7)
    claude.queue(dear("Hi."))
    alex.text("Hello")
    alex.text("And now?")
    clock.advance(hours=-1)  # The day before, on which nothing was spent.
    assert alex.text("Hello again") == []
    clock.advance(hours=2)
    turn.start(alex.services)  # It ends the rests for the budget.
    alex.background.run()
    assert alex.received() == ["Hi.", kind_words.out_of_budget("tomorrow, 16:00")]
    assert len(claude.requests) == 1


def test_a_lost_answer_is_counted_in_full_beside_the_one_that_came(alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(truncated(), say("Here."))
    assert alex.text("Hello") == ["Here."]
    lost, came = spendings(alex.services)
    assert came.is_settled
    assert not lost.is_settled
    assert lost.cents > came.cents


@pytest.mark.parametrize("refused", [overloaded(), error(500, "api_error"), error(401, "authentication_error")])
def test_a_call_that_was_refused_costs_nothing(refused: Reply, alex: Phone, claude: ClaudeServer) -> None:
    claude.queue(*[refused] * 3)
    alex.text("Hello")
    claude.otherwise = refused
    assert spent(alex.services) == 0.0


@all_have(ONE_CALL)
def test_when_only_calls_under_way_stand_in_the_way_the_turn_waits_a_moment_without_a_word(
    alex: Phone, blair: Phone, claude: ClaudeServer, background: InlineBackground
) -> None:
    def meanwhile(_: object) -> Reply:
        blair.send("Me too")
        woken, background.woken = background.woken, []
        turn.answer(blair.services, woken[0])
        assert blair.messages("out") == []
        assert [one.state for one in blair.turns()] == ["postponed"]
        return dear("Hi.")

    claude.queue(meanwhile)
    assert alex.text("Hello") == ["Hi."]
    # The settled cost of the one call leaves no room for another on this day.
    assert blair.received() == [kind_words.out_of_budget("today, 19:00")]
    assert spent(alex.services) <= ONE_CALL


@person_has(NOT_EVEN_ONE_CALL)
def test_the_terminal_is_told_at_once(alex: Phone, claude: ClaudeServer) -> None:
    held = turn.run_turn(alex.services, ALEX, "Hello")
    assert held.outcome == "budget"
    assert "again after today, 16:00" in held.text
    assert claude.requests == []


@person_has(0)
def test_the_offline_model_costs_nothing_and_writes_nothing(services: Services, background: InlineBackground) -> None:
    phone = Phone(services, background)
    assert phone.text("Hello")
    assert spendings(services) == []
