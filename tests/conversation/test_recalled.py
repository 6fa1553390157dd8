"""Recall of earlier conversations by meaning, by words and by day; small talk recalls nothing."""

from datetime import date

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory.recall import recall
from tests.conftest import MakeServices
from tests.conversation.recalling import brought_back, episodes_of, index_all, local, references, tell_of
from tests.fakes import FrozenClock
from tests.memory.talking import Talk, conversations_in

AT_MOST_BESIDE = 0.5  # The average number of unrelated episodes shown with a reference.


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


"""Conversations held every third day from 3 January on."""

# Events that were told on a later day

PLUMBER = "The plumber came yesterday and fixed the sink in our kitchen, it cost me 400 dollars"


def told_on_thursday(make_services: MakeServices, clock: FrozenClock, *texts: str) -> Talk:
    """A person who told these on Thursday 19 November, in one conversation each, and asks on Friday."""
    clock.advance(days=-2)  # Nine in the morning in Seattle.
    talk = Talk(make_services(summariser=ExtractiveSummariser()), "+12065550123")
    talk.say("hello")
    for text in texts:
        talk.say(text)
        talk.fall_silent()
    index_all(talk.services)
    talk.clock.advance(days=1)
    talk.say("hello")
    return talk


@pytest.mark.parametrize(
    ("texts", "day", "found"),
    [
        ([PLUMBER, "On Monday my sister Ana moved to Lima and I cried all day"], 18, [1]),
        ([PLUMBER, "My sister Ana called me today, she is getting married in June"], 19, [1, 2]),
        ([PLUMBER], 17, []),
        (["Ayer murió mi perro Toby y estoy muy triste", "We had a long walk and I told Ana of my job"], 18, [1]),
    ],
    ids=["of another day", "on the day itself", "of no day", "in another language"],
)
def test_a_day_brings_back_what_was_told_of_it(
    make_services: MakeServices, clock: FrozenClock, texts: list[str], day: int, found: list[int]
) -> None:
    talk, asked = told_on_thursday(make_services, clock, *texts), date(2026, 11, day)
    episodes = recall(talk.services, talk.person_id, f"{asked:%A}", since=asked, until=asked).episodes
    assert sorted(one.episode.number for one in episodes) == found


def test_the_turn_brings_it_back_when_its_texts_are_gone(make_services: MakeServices, clock: FrozenClock) -> None:
    talk = told_on_thursday(make_services, clock, PLUMBER)
    talk.clock.advance(days=9)
    talk.say(*["what else is there to be said of this?"] * 3)
    for _ in range(40):
        talk.say("my job is a long story, and I told my boss so")

    talk.say("what happened on 18 November?")

    assert 1 in episodes_of(talk.turns()[-1])
