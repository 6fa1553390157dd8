"""What is asked of the assistant is not what happened: from texts to an episode, without a model."""

import pytest

from app.features.offline.extract import ExtractiveSummariser
from app.memory.episodes import drafts
from app.memory.forgotten import Said
from tests.conftest import MakeServices
from tests.contracts.test_summarisers import BEGAN, conversation
from tests.memory.talking import Talk


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    return Talk(make_services(summariser=ExtractiveSummariser()))


@pytest.mark.parametrize(
    "asked",
    [
        [
            "what did I say about my sister Ana?",
            "when was my exam?",
            "do you remember how the operation of my dad went?",
        ],
        ["what do you know about my job at the hospital", "tell me everything about my wedding"],
        ["forget that my father died in Denver", "undo that", "please delete all about my divorce from Jonas"],
        ["¿cuándo era mi examen?", "was habe ich über meine Schwester in Köln gesagt?", "我什么时候去医院？"],
    ],
)
def test_what_is_only_asked_of_the_assistant_is_no_episode(alex: Talk, asked: list[str]) -> None:
    for words in asked:
        alex.say(words)
    alex.fall_silent()
    assert alex.episodes() == []
    assert alex.unsummarised() == 0


def test_an_episode_says_what_was_told_and_not_what_was_asked(alex: Talk) -> None:
    alex.say("My father Walter died on Sunday. Do you remember him?")
    alex.say("what did I tell you about his house in Denver?")
    alex.say("Can you believe my brother did not come?")
    alex.fall_silent()
    told = f"{alex.episode.summary} {alex.episode.narrative} {alex.episode.key_facts}"
    assert "My father Walter died" in alex.episode.summary
    assert "my brother did not come" in told
    assert not any(words in told for words in ("Do you remember", "what did I tell"))


@pytest.mark.parametrize("settings", [{"episode_triggers": "quiet,ended"}], indirect=True)
def test_a_question_about_an_episode_adds_nothing_to_it_and_news_do(alex: Talk) -> None:
    alex.say("I have an exam tomorrow and I'm really scared")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    alex.say("when was my exam?")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    assert alex.episode.version == 1
    alex.say("The exam is put off, the examiner broke his leg")
    alex.say("good night")
    alex.fall_silent(minutes=2)
    assert alex.episode.version == 2
    assert "when was" not in alex.episode.narrative


def test_no_key_fact_and_no_fact_is_a_question_or_a_wish() -> None:
    said = [Said(1, 1, True, "forget that my sister Ana lives in Lima", BEGAN)]
    fact = {
        "fact": "Sister Ana lives in Lima",
        "category": "family",
        "quote": "forget that my sister Ana lives in Lima",
    }
    fields = {"summary": "Sister Ana.", "facts": [fact], "key_facts": ["What did they say about Ana?", "Ana moved."]}
    shown = conversation("forget that my sister Ana lives in Lima")
    assert drafts.told(fields, said, shown.texts) == []
    assert drafts.checked(fields, shown).key_facts == ("Ana moved.",)
