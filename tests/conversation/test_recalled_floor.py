"""How near something has to be to be put before a text: small talk brings back nothing, a reference does."""

import pytest

from app.features.offline.extract import ExtractiveSummariser
from tests.conftest import MakeServices
from tests.conversation.recalling import brought_back, episodes_of, local, references, tell_of
from tests.fakes import FrozenClock
from tests.memory.talking import Talk, conversations_in

AT_MOST_BESIDE = 0.5
"""Episodes of something else that are shown with a reference, on average."""


@pytest.mark.parametrize(
    ("half", "by_meaning", "by_words"),
    [
        pytest.param("", 0.88, 0.80, id="seen", marks=pytest.mark.whole),
        pytest.param("_unseen", 0.80, 0.80, id="unseen"),
    ],
)
@pytest.mark.parametrize("embeds", [True, False], ids=["by meaning", "by words alone"])
def test_small_talk_brings_back_nothing_and_references_do(
    make_services: MakeServices, clock: FrozenClock, half: str, by_meaning: float, by_words: float, embeds: bool
) -> None:
    embedder = local(clock) if embeds else None
    alex = Talk(make_services(summariser=ExtractiveSummariser(), embedder=embedder))
    numbers = tell_of(alex, conversations_in(f"significant{half}"))
    assert numbers.count(0) <= 1
    told = len(alex.turns())

    for texts in conversations_in(f"small_talk{half}"):
        alex.clock.advance(hours=1)
        for text in texts:
            alex.say(text)
    injected = [turn.id for turn in alex.turns()[told:] if episodes_of(turn)]
    asked = references(f"references{half}")
    brought = [(number, text, brought_back(alex, text)) for number, text in asked]
    found = [text for number, text, shown in brought if numbers[number - 1] in shown]
    others = sum(len(set(shown) - {numbers[number - 1]}) for number, _, shown in brought)

    assert injected == []
    assert len(found) / len(asked) >= (by_meaning if embeds else by_words)
    assert others / len(asked) <= AT_MOST_BESIDE, f"{others} others"
