"""The use count of facts: from an incoming text to the stored row."""

import pytest

from app.memory import facts
from app.models import Fact
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.fakes import FrozenClock
from tests.memory.remembering import tell, versions
from tests.phoning import Phone

COFFEE, MAX, NUTS, SEATTLE = "Likes black coffee", "Has a dog named Max", "Is allergic to nuts", "Lives in Seattle"


@pytest.fixture
def told(alex: Phone, claude: ClaudeServer, clock: FrozenClock) -> Phone:
    """A person with four facts from yesterday."""
    claude.queue(say("Hello."))
    alex.text("Hi")
    tell(alex.services, alex.person_id, COFFEE, MAX, NUTS, SEATTLE)
    clock.advance(days=1)
    return alex


def used(phone: Phone) -> dict[str, int]:
    """Use counts of the facts that were used."""
    return {fact.sentence: fact.use_count for fact in rows(phone) if fact.use_count}


def rows(phone: Phone) -> list[Fact]:
    with phone.services.reading() as db:
        return facts.live(db, phone.person_id, phone.services.clock.now())


REPLIES = [
    ("How is Max today?", {MAX: 1}), ("Max! What a dog. Max is a good name for a dog.", {MAX: 1}),
    ("Bring max some black coffees from Seattle.", {MAX: 1, COFFEE: 1, SEATTLE: 1}),
    ("Mind your nut allergy.", {NUTS: 1}), ("You live and learn.", {}), ("Likes are nice to have.", {}),
    ("See you!", {}), ("🎉", {}),
]  # fmt: skip


@pytest.mark.parametrize(("reply", "drawn_on"), REPLIES)
def test_a_fact_is_used_when_the_reply_draws_on_it(
    told: Phone, claude: ClaudeServer, clock: FrozenClock, reply: str, drawn_on: dict[str, int]
) -> None:
    claude.queue(say(reply))
    told.text("Tell me something")

    assert used(told) == drawn_on
    assert all(fact.last_used_at == (clock.now() if fact.use_count else None) for fact in rows(told))


def test_what_is_learned_or_changed_in_a_turn_is_not_used_by_it(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(
        call("extract_memory", {"facts": [{"fact": "Plays the cello"}]}),
        call("update_memory", {"fact_id": 4, "fact": "Lives in Portland"}),
        call("list_memories", {}),
        say("The cello! I'll remember that, and that you moved from Seattle to Portland."),
    )
    told.text("I play the cello and moved to Portland")

    assert used(told) == {}
    assert all(version.use_count == 0 for version in versions(told.services, told.person_id, 4))


def test_a_search_uses_what_it_brings_back_and_not_what_was_true_once(told: Phone, claude: ClaudeServer) -> None:
    claude.queue(call("update_memory", {"fact_id": 4, "fact": "Lives in Portland"}), say("Updated."))
    told.text("I moved to Portland")
    claude.queue(call("recall_memory", {"query": "dog Seattle"}), say("A good boy."))
    told.text("Who is with me?")

    assert used(told) == {MAX: 1, "Lives in Portland": 1}
    assert [version.use_count for version in versions(told.services, told.person_id, 4)] == [0, 1]


@pytest.mark.parametrize(
    ("texts", "answers"),
    [
        (["What do you know?"], [call("recall_memory", {"query": 7}), call("list_memories", {}), say("A lot!")]),
        (["Hm"], [say("Max. Sorry about the coffee.", stop_reason="refusal")]),
        (["/memory off", "Hm"], [say("How is Max?")]),
        (["/memory", "/memory why 2"], []),
    ],
    ids=["a failed search and a list", "a kind sentence of ours", "with memory off", "commands that show facts"],
)
def test_drawing_on_none_uses_none(told: Phone, claude: ClaudeServer, texts: list[str], answers: list[Reply]) -> None:
    tell(told.services, told.person_id, "Sorry about the answer")
    claude.queue(*answers)
    for text in texts:
        told.text(text)
    assert used(told) == {}
