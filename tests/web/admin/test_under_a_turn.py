"""The details under an unfolded turn, and the pages' traces of its effect on memory."""

import re
from datetime import timedelta
from typing import Any

import pytest

from app import memory
from app.memory import Origin
from app.memory.index.query import HELD, LOOKED
from app.models import Message, Occurrence, Turn
from app.services import Services
from app.web.admin.shown import RECALL
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import Someone


def unfolded(page: str) -> str:
    """The details under the first turn of the page."""
    return page.partition('<details class="turn"')[2].partition("</details>")[0]


def test_a_turn_folds_open_to_what_was_called_shown_and_spent(operator: Browser, alex: Someone) -> None:
    stored = '{"memory_updated": true, "stored": [{"id": 7, "fact": "Likes black coffee"}]}'
    alex.turn(
        "I love black coffee",
        "Noted!",
        tools=[("extract_memory", {"facts": [{"fact": "Likes black coffee"}]}, stored)],
        input_tokens=1834,
        cache_read_tokens=1204,
        output_tokens=122,
        cost_cents=0.414,
        model_seconds=2.31,
        model_calls=2,
        memory_shown="<user_memory>\n  <facts></facts>\n</user_memory>",
    )
    details = unfolded(operator.get(alex.path))
    for words in (
        "Why this reply · 1 tool · 2.3 s · 0.41 ¢",
        "claude-sonnet-5-5, 2 calls",
        *("1,834", "1,204", "122"),
        "<code>extract_memory</code>",
        "&#34;fact&#34;: &#34;Likes black coffee&#34;",
        "&#34;id&#34;: 7",
        "&lt;user_memory&gt;",
    ):
        assert words in details


def test_a_turn_tells_what_came_back_how_near_it_was_and_why_it_looked(operator: Browser, alex: Someone) -> None:
    came_back = [
        {"kind": "episode", "id": 4, "score": 0.341, "scale": "meaning", "floor": 0.33},
        {"kind": "episode", "id": 3, "score": 0.417, "scale": "meaning", "floor": 0.23},
        {"kind": "fact", "id": 12, "score": 1.2, "scale": "words"},
        {"kind": "fact", "id": 7, "score": 0.5, "scale": "meaning", "carried": True},
        {"kind": "episode", "id": 9, "score": 0.0, "scale": "days", "carried": True},
    ]
    alex.turn("How was it?", "Fine.", recall_gate="past", recalled=came_back, recall_ms=14.2)
    details = unfolded(operator.get(alex.path))
    assert "looked: it asks for something past, 14 ms" in details
    for found in ("episodes/3", "facts/12"):
        assert f'href="/admin{alex.path}/{found}"' in details
    assert in_words(details[details.index("Found for this text") : details.index("By days:")]) == (
        "Found for this text What By Near Floor "
        "episode 3 meaning 0.42 0.23 episode 4 meaning 0.34 0.33 fact 12 words 1.20 – "
        "Carried over from the turn before What By Near Floor episode 9 days – – fact 7 meaning 0.50 –"
    )
    for scale in ("By days: it happened", "By meaning: a cosine", "By words: a score"):
        assert details.count(scale) == 1


@pytest.mark.parametrize(
    ("gate", "recalled", "says"),
    [("past", [], "Looked, and nothing was put before the text."), ("small talk", [], "not looked: it says little")],
)
def test_a_turn_that_looked_in_vain_says_so_and_one_that_did_not_look_says_that(
    operator: Browser, alex: Someone, gate: str, recalled: list[dict[str, object]], says: str
) -> None:
    alex.turn("How was it?", "Fine.", recall_gate=gate, recalled=recalled)
    page = operator.get(alex.path)
    assert says in page
    assert gate == "past" or "Recalled" not in page


def test_every_reason_of_the_gates_has_its_words() -> None:
    reasons = {*LOOKED, *HELD, "small talk", "nothing kept", "memory off", "no time", "failed"}
    assert reasons == set(RECALL)


def test_a_turn_that_a_command_answered_shows_no_model(operator: Browser, alex: Someone) -> None:
    alex.turn("/memory", "Nothing yet.", kind="command", model=None)
    page = operator.get(alex.path)
    assert "Answered by a command" in page
    assert "<dt>Model</dt>" not in page


def test_each_fact_a_reply_was_shown_leads_to_its_page_and_goes_there(operator: Browser, alex: Someone) -> None:
    alex.learn("Likes tea", "Likes tea with milk & honey", "Has a dog")
    block = "<user_memory>\n  <facts>\n    Has a dog. Likes tea with milk &amp; honey.\n  </facts>\n</user_memory>"
    alex.turn("A drink?", "Tea with milk.", memory_shown=block)

    page = operator.get(alex.path)
    shown = in_words(page[page.index("It was shown") : page.index("</ul>", page.index("It was shown"))])
    assert shown == (
        "It was shown 2 facts Has a dog Open fact 3 Forget fact 3 Likes tea with milk & honey Open fact 2 Forget fact 2"
    )
    last = re.findall(r'name="turn_of" value="(\d+)"', page)[0]
    after = operator.act(f"{alex.path}/facts/2/forget", turn_of=last)
    assert f'sought" id="message-{last}"' in after
    assert "Forgot fact 2. It is kept under Forgotten." in after
    assert "Undo" in after
    again = operator.act(f"{alex.path}/facts/2/forget", turn_of=last)
    assert "Fact 2 is not there to forget." in again
    for opened in (after, again):
        assert '<details class="turn" open>' in opened
    page = re.sub(r"\s+", " ", operator.get(alex.path))
    assert "Likes tea with milk &amp; honey</a> <span class=" in page
    assert "changed or forgotten since" in page


def test_a_fact_was_not_known_to_the_turn_that_learned_it(operator: Browser, services: Services, alex: Someone) -> None:
    alex.learn("Likes tea")
    block = "<user_memory>\n  <facts>\n    Likes tea. Has a dog.\n  </facts>\n</user_memory>"
    turn = alex.turn("I have a dog", "Noted!", memory_shown=block)
    with services.reading() as db:
        text = db.query(Message).where(Message.turn_id == turn.id, Message.direction == "in").one().id
    origin = Origin("assistant", "explicit", turn_id=turn.id, message_id=text)
    alex.learn("Has a dog", origin=origin)
    alex.turn("A pet?", "Your dog.", memory_shown=block)

    first, second = operator.read(alex.path).split("Why this reply")[1:]
    assert "It was shown 1 fact Likes tea Open" in first
    assert "It learned 1 fact from this text, and was shown that for the rest of its answer Has a dog Open" in first
    assert "It was shown 2 facts Likes tea Open fact 1 Forget fact 1 Has a dog Open" in second
    assert "It learned" not in second
    memory.revise(services, alex.id, 1, origin, fact="Likes green tea")
    corrected = operator.read(alex.path).split("Why this reply")[1]
    assert "It was shown 1 fact Likes tea changed or forgotten since" in corrected


def test_a_reply_costs_what_model_and_carrier_take(operator: Browser, alex: Someone, clock: FrozenClock) -> None:
    turn = alex.turn("Hi", "Hello", cost_cents=0.5, model_seconds=2.0)
    clock.advance(seconds=3)
    parts: dict[str, Any] = {"turn_id": turn.id, "direction": "out", "state": "sent", "sent_at": clock.now()}
    for part in (2, 3):
        alex.text(f"Part {part}", part=part, segments=2, cost_cents=1.5, **parts)
    page = operator.read(alex.path)
    for words in (
        "Why this reply · 2.0 s · 3.5 ¢",
        "Model cost 0.5 ¢",
        "Carrier cost 3 ¢",
        "Sent after 3.0 s Sent in 3 parts, 4 segments",
        "part 2 · 2 segments",
    ):
        assert words in page


def test_the_times_of_a_turn_add_up_also_where_the_model_answers_at_once(
    operator: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    turn = alex.turn("Hi", "Hello", model="offline", model_seconds=0.002, recall_ms=38.0)
    with services.transaction() as db:
        db.get_one(Turn, turn.id).ended_at = clock.now() + timedelta(milliseconds=462)
    page = operator.read(alex.path)
    assert "Why this reply · 462 ms ·" in page
    assert "Total time 462 ms Recall time 38 ms Model time 2 ms Other time 422 ms" in page
    assert "The offline model is a part of this program" in page


def test_a_turn_of_a_routine_shows_what_was_due_and_all_that_a_reply_shows(
    operator: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    routine = alex.remind("Weather in Seattle", "12:15", does="run")
    of = {"kind": "routine", "input_tokens": 77, "memory_shown": "<user_memory/>"}
    turn = alex.turn("", "9 °C", tools=[("get_weather", {"place": "Seattle"}, "{}")], **of)
    with services.transaction() as db:
        at = {"due_at": clock.now(), "run_at": clock.now(), "late_seconds": 5}
        db.add(Occurrence(state="sent", turn_id=turn.id, routine_id=routine.id, person_id=alex.id, **at))
    page = operator.read(alex.path)
    assert "Why this routine said that · 1 tool" in page
    assert "Nobody texted: routine 1 was due at 09:00 PST and came 5.0 s late." in page
    for words in ("get_weather", "Tokens in 77", "<user_memory/>"):
        assert words in page
