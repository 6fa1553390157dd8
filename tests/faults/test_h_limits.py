"""Limits on costs and replies, for any texts at any rate."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from anthropic.types import Message as ModelMessage
from sqlalchemy import insert

from app import people
from app.background.local import LocalBackground
from app.clock import SystemClock
from app.conversation import turn, waiting
from app.delivery.inbox import IncomingText, take_in
from app.models import Conversation, Message, Turn
from app.services import Services
from app.services.model import ModelRequest
from app.text import kind_words
from tests.claude_server import Reply, call, say, several, text
from tests.conftest import MakeServices
from tests.conversation.spendings import ONE_CALL, alerts, spendings, spent
from tests.fakes import FrozenClock, InlineBackground, Terse
from tests.faults.outages import Scene
from tests.line import Line
from tests.phoning import Phone
from tests.twilio_server import ALLOWLIST, PERSON

COFFEE = {"facts": [{"fact": "Likes black coffee"}]}
RESTING = kind_words.out_of_budget("today, 16:00")
SECONDS = 30.0  # After this a test that waits for a thread fails.


class Priced(Terse):
    """A model whose every call may cost three cents and costs two, and which answers when it is let."""

    most_cents = 3.0
    cents = 2.0

    def __init__(self) -> None:
        self.calls = 0
        self.under_way = 0
        self.may_answer = threading.Event()
        self.changed = threading.Condition()

    def tell(self, _: object) -> None:
        """Wake all waiting threads, so that they check again."""
        with self.changed:
            self.changed.notify_all()

    def complete(self, request: ModelRequest) -> ModelMessage:
        with self.changed:
            self.calls += 1
            self.under_way += 1
            self.changed.notify_all()
        assert self.may_answer.wait(SECONDS)
        with self.changed:
            self.under_way -= 1
        return super().complete(request)

    def cost_cents(self, message: ModelMessage) -> float:
        return self.cents * len(message.content)

    def reserve_cents(self, request: ModelRequest) -> float:
        return self.most_cents if request.messages else 0.0


def everybody(services: Services, background: InlineBackground, how_many: int) -> list[Phone]:
    phones = [Phone(services, background, f"+1206555{place:04}") for place in range(how_many)]
    for phone in phones:
        phone.send("Hello")
    return phones


@pytest.mark.parametrize("settings", [{"daily_budget_cents": 31, "workers": 64}], indirect=True)
def test_r106_fifty_turns_at_once_that_race_for_the_last_cent_never_exceed_the_day(
    make_services: MakeServices, background: InlineBackground, clock: FrozenClock
) -> None:
    model = Priced()
    services = make_services(model=model)
    phones = everybody(services, background, 50)
    with ThreadPoolExecutor(50) as pool:
        under_way = [pool.submit(turn.answer, services, phone.person_id) for phone in phones]
        for one in under_way:
            one.add_done_callback(model.tell)
        # All who may ask are asking, and all others have been put off, before the first answer comes.
        with model.changed:
            assert model.changed.wait_for(
                lambda: model.under_way + sum(one.done() for one in under_way) == len(phones), SECONDS
            )
            assert model.under_way == 31 // 3
        assert spent(services) == 30
        model.may_answer.set()
        for one in under_way:
            one.result(SECONDS)
    background.woken.clear()
    for _ in range(20):  # People who waited only for calls under way get their turn.
        clock.advance(seconds=10)
        waiting.wake_waiting(services, quiet_seconds=0)
        background.run()
    assert spent(services) <= 31
    answered = [phone for phone in phones if phone.received() == ["I see."]]
    told = [phone for phone in phones if phone.received() == [RESTING]]
    assert len(answered) == model.calls == 15
    assert len(told) == 35
    assert all(phone.messages("in")[0].state == "waiting" for phone in told)
    assert alerts(services) == {"budget"}


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 10}], indirect=True)
def test_r106_money_that_runs_out_in_the_middle_of_a_tool_loop_ends_the_turn_with_the_truth(scene: Scene) -> None:
    thought = {"type": "thinking", "thinking": "x" * 16_000, "signature": "c2ln"}  # Four cents.
    scene.claude.queue(several([thought, *call("extract_memory", COFFEE).content]))
    assert scene.alex.text("I like black coffee") == [kind_words.out_of_budget_midway("today, 16:00", changed=True)]
    assert scene.alex.facts() == ["Likes black coffee"]
    assert spent(scene.services) <= 10
    assert scene.alex.text("What do I like?") == []
    assert len(scene.claude.requests) == 1


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": ONE_CALL}], indirect=True)
def test_r106_attempts_that_may_be_charged_are_within_the_day_too(scene: Scene) -> None:
    scene.claude.otherwise = Reply(content=[])  # No whole answer, and charged all the same.
    scene.alex.text("Hello")
    assert len(scene.claude.requests) == 1
    assert spent(scene.services) <= ONE_CALL


@pytest.mark.parametrize(
    ("settings", "hours"),
    [
        ({"person_daily_budget_cents": 4, "budget_timezone": zone}, hours)  # It is 17:00 in UTC.
        for zone, hours in (("UTC", 7), ("Asia/Kolkata", 1.5), ("America/New_York", 12))
    ],
    indirect=["settings"],
)
def test_r106_the_day_begins_anew_at_midnight_of_the_stated_zone(
    hours: float, make_services: MakeServices, background: InlineBackground, clock: FrozenClock
) -> None:
    model = Priced()
    model.may_answer.set()
    phone = Phone(make_services(model=model), background)
    assert phone.text("One") == ["I see."]
    phone.text("Two")
    clock.advance(hours=hours, seconds=-1)
    phone.sweep()
    assert model.calls == 1
    clock.advance(seconds=1)
    phone.sweep()
    assert model.calls == 2


def test_r107_a_hundred_texts_in_a_minute_are_a_few_calls_one_notice_and_no_loss(line: Line) -> None:
    for number in range(100):
        line.text(f"Text number {number}")
        line.clock.advance(seconds=0.6)
    turns = len({one.turn_id for one in line.came() if one.turn_id})
    assert turns <= 10
    told = [body for body in line.twilio.bodies if body == kind_words.too_fast(10)]
    assert len(told) == 1
    line.text("Hello", sender="+14155550199")
    assert line.twilio.accepted[-1].to == "+14155550199"
    line.sweep(minutes=10)
    assert {one.state for one in line.came()} == {"answered"}
    assert line.alerts() == []


def test_r107_one_persons_flood_takes_one_thread_and_another_is_answered_meanwhile(make_services: MakeServices) -> None:
    class OnlyOthers(Priced):
        """Answers everybody at once but the first who asks, who has to wait."""

        def complete(self, request: ModelRequest) -> ModelMessage:
            if "flood" not in str(request.messages[-1]):
                self.may_answer.set()
            return super().complete(request)

    model = OnlyOthers()
    lanes = LocalBackground(SystemClock(), workers=2, quiet_seconds=0.0, max_seconds=0.0)
    services = make_services(model=model, background=lanes)
    lanes.start(lambda person_id: turn.answer(services, person_id))
    try:
        for number in range(50):
            take_in(services, IncomingText(f"SM{number:032x}", PERSON, "us", f"flood {number}", "phone"))
        with model.changed:
            assert model.changed.wait_for(lambda: model.under_way == 1, SECONDS)
        take_in(services, IncomingText("SM" + "f" * 32, "+14155550199", "us", "Hello", "phone"))
        # The flood's first turn waits until the other is asked: were its other texts in the way, neither would end.
        assert model.may_answer.wait(SECONDS)
    finally:
        model.may_answer.set()
        lanes.stop(SECONDS)


@pytest.mark.sqlite
def test_r108_after_two_thousand_turns_a_request_is_no_longer_than_after_fifty(scene: Scene) -> None:
    scene.claude.otherwise = say("I see.")
    scene.alex.text("Hello")
    sizes = []
    for turns in (60, 500, 2000):
        talked_before(scene.alex, turns)
        scene.alex.text("What did we talk about?")
        sizes.append(scene.alex.turns()[-1])
    tokens = [one.input_tokens + one.cache_read_tokens + one.cache_write_tokens for one in sizes]
    assert max(tokens) - min(tokens) < 50
    assert max(one.cost_cents for one in sizes) < 1.1 * min(one.cost_cents for one in sizes)


def talked_before(phone: Phone, turns: int) -> None:
    """Add rows of earlier turns, each with a question of 120 letters and an answer of 300."""
    services, person_id = phone.services, phone.person_id
    now = services.clock.now() - timedelta(hours=1)
    with services.transaction() as db:
        talk = Conversation(person_id=person_id, started_at=now, last_at=now, memory_on=True)
        db.add(talk)
        db.flush()
        first = len(phone.turns()) + 1
        numbers = range(first, first + turns)
        turn_of_it = {"conversation_id": talk.id, "kind": "reply", "state": "done", "owner": "test:1"}
        times = {"leased_until": now, "started_at": now}
        of_all = {"person_id": person_id, "carrier": "phone"}
        db.execute(insert(Turn), [{"id": number, **of_all, **turn_of_it, **times} for number in numbers])
        texts = (("in", "answered", "q" * 120), ("out", "sent", "a" * 300))
        told = [
            {"turn_id": number, "direction": direction, "state": state, "body": f"{number:06} {body}"}
            for number in numbers
            for direction, state, body in texts
        ]
        db.execute(insert(Message), [{**of_all, **one, "created_at": now} for one in told])


@pytest.mark.parametrize("left_out", [("usage",), ("usage", "id")])
def test_r109_an_answer_without_numbers_is_counted_by_its_length(scene: Scene, left_out: tuple[str, ...]) -> None:
    scene.claude.queue(Reply(content=[text("A word or two. " * 20)], without=left_out))
    scene.alex.text("Hello")
    [turn_of_it] = scene.alex.turns()
    assert turn_of_it.input_tokens > 1000
    assert turn_of_it.output_tokens > 50
    [counted] = spendings(scene.services)
    assert counted.is_settled
    assert 0 < counted.cents == pytest.approx(turn_of_it.cost_cents)


@pytest.mark.parametrize("settings", [ALLOWLIST], indirect=True)
def test_r99_five_hundred_texts_of_an_unknown_number_are_one_reply_and_no_call_until_it_is_let_in(scene: Scene) -> None:
    alex = scene.alex
    for number in range(500):
        alex.send(f"Hello {number}", carrier="twilio")
    alex.background.run()
    assert [one.body for one in alex.messages("out")] == [kind_words.PLEASE_WAIT]
    assert len(alex.messages("in")) == 20
    assert ({message.state for message in alex.messages("in")}, spendings(alex.services)) == ({"held"}, [])
    scene.claude.queue(say("I am here."))
    people.let_in(alex.services, alex.person_id)
    alex.background.run()
    assert [one.body for one in alex.messages("out")] == [kind_words.PLEASE_WAIT, "I am here."]
