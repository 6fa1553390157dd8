"""Forgetting a subject: its facts, episodes, texts, and anything that would bring it up later."""

import re

import pytest
from sqlalchemy import inspect, select, text

from app.errors import Refused
from app.jobs import index_texts
from app.memory import Origin, RuleWords, changes, forget, forget_rules, pin_facts, recall, revise, set_rule, undo
from app.models import Episode, Fact, Routine
from app.text.wording import sentences
from tests.memory.remembering import TOLD, known, tell
from tests.memory.talking import Talk
from tests.memory.test_episodes import with_settings
from tests.tables import rows

EXAM = "So scared of the chemistry exam on Friday that I could scream all night"
FLAT = "We signed the lease of the flat in Lisbon today and the movers come next week"
SISTER = "My sister Anna got a job with a cello band and I am proud"
BERLIN = "She is moving to Berlin in the spring with her piano"
KEPT = {"messages", "changes", "change_items", "turns", "tool_calls", "model_answers", "consents"}
"""The thread, the record that an undo reads, the accounts of each turn, and the consent to be texted."""
DOG = "My dog ate a shoe in the hallway and I laughed the whole evening"


def settle(alex: Talk) -> None:
    """Summarise and index everything that waits."""
    alex.fall_silent()
    index_texts.run(alex.services)


def traces(alex: Talk, word: str) -> list[str]:
    """Places with the word in the database: live facts and episodes, and every table of the index."""
    found = []
    with alex.services.reading() as db:
        for table in inspect(db.connection()).get_table_names():
            if table in KEPT:
                continue
            live = " WHERE retired_at IS NULL" if table in {"facts", "episodes"} else ""
            rows = db.execute(text(f"SELECT * FROM {table}{live}")).all()
            found += [
                f"{table}: {row}" for row in rows if re.search(rf"\b{word}", " ".join(map(str, row)), re.IGNORECASE)
            ]
    return found


def stands(alex: Talk) -> list[tuple[object, ...]]:
    """The content of every live episode."""
    return [
        (one.name, one.summary, one.narrative, one.key_facts, one.topics, alex.covered(one)) for one in alex.episodes()
    ]


def test_what_only_an_episode_tells_is_forgotten_by_command(alex: Talk) -> None:
    alex.say(EXAM)
    alex.say(FLAT)
    settle(alex)
    assert not [one for one in known(alex.services, alex.person_id).values() if "exam" in one]
    assert "exam" in alex.told

    assert alex.text("/memory forget my exam") == [
        "Forgotten: what we said once about your exam. /undo brings it back."
    ]
    assert alex.episodes() == []
    assert traces(alex, "exam") == []
    settle(alex)

    assert "exam" not in alex.told
    assert "Lisbon" in alex.told
    assert not [one for one in recall(alex.services, alex.person_id, "exam").messages if "exam" in one.words]
    assert traces(alex, "exam") == []
    assert alex.text("/memory forget my exam") == ["I don't know anything about your exam, and find no word of it."]


@pytest.mark.parametrize("what", ["my sister", "Anna", "my sister Anna", "anna"])
def test_who_is_forgotten_goes_under_every_name_and_pronoun(alex: Talk, what: str) -> None:
    alex.say("My dad is called Tom")
    alex.say(f"{SISTER}. {BERLIN}.", "Anna will rent a flat there", "It has a balcony")
    alex.say("My brother Jim loves his garden. He grows tulips there.", "My sister says hello")
    settle(alex)

    alex.text(f"Forget about {what}")
    settle(alex)

    for word in ("sister", "anna", "cello", "berlin", "piano", "balcony", "hello"):
        assert traces(alex, word) == [], word
    assert "tulips" in alex.told
    assert "Jim" in alex.told
    assert [one for one in known(alex.services, alex.person_id).values() if "Tom" in one]


def test_of_two_sisters_only_the_one_that_is_named_goes(alex: Talk) -> None:
    alex.say("My sister Anna got a job with a cello band", "My sister Beth opened a bakery in Porto")
    settle(alex)

    forget(alex.services, alex.person_id, [], TOLD, about=["Anna"])
    settle(alex)

    assert traces(alex, "cello") == []
    assert "bakery" in alex.told


@pytest.mark.parametrize("what", ["my sister", ""])
@pytest.mark.parametrize(("said", "name"), rows("names_of_a_sister.jsonl"))
def test_her_name_and_the_word_for_her_go_together(alex: Talk, said: str, name: str, what: str) -> None:
    alex.say(said)
    tell(alex.services, alex.person_id, f"{name} likes tea", "Sister bakes bread")
    forget(alex.services, alex.person_id, [], TOLD, about=[what or name])
    assert known(alex.services, alex.person_id) == {}


@pytest.mark.parametrize(("said", "stays"), rows("capitals_of_no_sister.jsonl"))
def test_a_capital_beside_a_word_for_somebody_is_not_always_their_name(alex: Talk, said: str, stays: str) -> None:
    alex.say(said)
    tell(alex.services, alex.person_id, stays)
    forget(alex.services, alex.person_id, [], TOLD, about=["my sister"])
    assert stays in known(alex.services, alex.person_id).values()


@pytest.mark.parametrize(("told", "what"), [("bday", "birthday"), ("birthday", "bday")])
def test_a_birthday_is_forgotten_however_it_was_spelled(alex: Talk, told: str, what: str) -> None:
    alex.say(f"Jim likes boats. Kayla has her {told} in May")
    assert forget(alex.services, alex.person_id, [], TOLD, about=[f"Kayla's {what}"]).was_said
    assert recall(alex.services, alex.person_id, "May", 5, kinds=["message"]).messages == []


@pytest.mark.parametrize(("said", "left"), rows("goes_on_about.jsonl"))
def test_what_goes_on_about_somebody_goes_and_what_is_of_others_stays(alex: Talk, said: str, left: str | None) -> None:
    left = said if left is None else left
    alex.say(SISTER)
    alex.say(said)
    settle(alex)

    alex.text("Forget about my sister")
    settle(alex)

    asked = " ".join(re.findall(r"\w+", said))
    found = recall(alex.services, alex.person_id, asked, 20, kinds=["message"]).messages
    assert [one.words for one in found if one.message.direction == "in"] == [left] * bool(left)
    for sentence in sentences(said):
        if sentence not in left:
            assert sentence.rstrip(".") not in alex.told


def test_that_something_was_to_be_forgotten_is_neither_told_nor_found_nor_learned(alex: Talk) -> None:
    alex.say(DOG)
    alex.say(FLAT)
    alex.say("Forget about my secret wedding. It was a stupid idea anyway.")
    alex.say("Please forget that I like Rammstein")
    settle(alex)
    assert alex.versions()

    for words in (alex.told, " ".join(known(alex.services, alex.person_id).values())):
        assert "wedding" not in words
        assert "Rammstein" not in words
        assert "stupid" not in words
    assert traces(alex, "wedding") == traces(alex, "rammstein") == []
    assert "shoe" in alex.told


def test_what_was_said_and_told_nowhere_yet_is_never_told_and_what_is_told_again_is_kept(alex: Talk) -> None:
    alex.say(EXAM)
    assert alex.text("/memory forget exam") == ["Forgotten: what you said about exam. /undo brings it back."]
    assert traces(alex, "exam") == []
    alex.say("I passed my chemistry exam and I am so relieved about the result")
    settle(alex)
    assert "relieved" in alex.told
    assert "scared" not in alex.told


def test_an_undo_brings_an_episode_back_word_for_word(alex: Talk) -> None:
    alex.say(EXAM)
    alex.say(FLAT)
    settle(alex)
    tell(alex.services, alex.person_id, "Has a chemistry exam")
    before, facts = stands(alex), known(alex.services, alex.person_id)
    alex.text("/memory forget exam")
    settle(alex)
    assert "exam" not in alex.told

    [reply] = alex.text("/undo")

    assert reply == ("Undone: it is again: Has a chemistry exam; what we said once about exam is told again.")
    assert stands(alex) == before
    assert known(alex.services, alex.person_id) == facts
    settle(alex)
    assert stands(alex) == before
    assert alex.found("exam") == ["ep1"]
    found = recall(alex.services, alex.person_id, "chemistry exam")
    assert [one.episode.name for one in found.episodes] == ["ep1"]
    assert EXAM in [one.words for one in found.messages]
    assert found.by_words_alone == 0
    assert alex.unsummarised() == 0


@with_settings(episode_triggers="count,quiet", episode_messages=4)
def test_an_undo_after_more_was_said_tells_each_text_once(alex: Talk) -> None:
    for place in ("Rome", "Oslo", "Lima", "Bonn"):
        alex.say(f"My friend planned a long wedding trip to {place} with many museums and trains")
        alex.look()
    before = stands(alex)
    assert len(before) == 2
    forget(alex.services, alex.person_id, [], TOLD, about=["Rome"])
    alex.look()
    for place in ("Cusco", "Kyiv"):
        alex.say(f"My friend planned a long wedding trip to {place} with many museums and trains")
        alex.look()

    undo(alex.services, alex.person_id)
    assert stands(alex) == before
    settle(alex)

    covered = [one for episode in alex.episodes() for one in alex.covered(episode)]
    assert len(covered) == len(set(covered)) == 6
    assert stands(alex)[:2] == before


def test_archived_facts_go_too_and_earlier_versions_are_neither_recalled_nor_explained(alex: Talk) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Has an exam in May", "Lives with sister Anna")
    revise(alex.services, alex.person_id, 2, TOLD, fact="Lives alone")
    with alex.services.transaction() as db:
        db.get_one(Fact, 1).archived_at = alex.services.clock.now()

    done = forget(alex.services, alex.person_id, [], TOLD, about=["my exam", "my sister"])

    assert [one.sentence for one in done.removed] == ["Has an exam in May"]
    assert (done.about, done.nothing_about) == (["my exam"], ["my sister"])
    tell(alex.services, alex.person_id, "Has a sister named Anna")
    forget(alex.services, alex.person_id, [], TOLD, about=["my sister"])
    found = recall(alex.services, alex.person_id, "who did I live with before")
    assert [one.fact.sentence for one in found.facts] == ["Lives alone"]
    assert "Anna" not in alex.text("/memory why 2")[0]


def test_what_stays_quotes_nothing_of_it_until_it_is_undone(alex: Talk) -> None:
    alex.say("My sister Anna is a nurse. I like green tea.")
    [tea] = [number for number, one in known(alex.services, alex.person_id).items() if "tea" in one]
    [told] = alex.messages("in")
    by_it = Origin("person", "explicit", told.turn_id, told.id, told.body)
    for rule in ("Bullets only", "Be brief"):
        set_rule(alex.services, alex.person_id, RuleWords("always", None, rule), by_it)
    forget_rules(alex.services, alex.person_id, [2], TOLD)
    revise(alex.services, alex.person_id, tea, TOLD, fact="Likes black tea")

    def quoted() -> list[str | None]:
        found = recall(alex.services, alex.person_id, "green tea").facts
        return [alex.text("/rules why 1")[0], *(one.fact.quote for one in found if not one.current)]

    forget(alex.services, alex.person_id, [], by_it, about=["my sister"])
    assert forget_rules(alex.services, alex.person_id, [2], by_it).unknown == [2]  # Its quote alone went in this turn.
    assert quoted() == ['Bullets only: You told me on 21 Nov 2026: "I like green tea."', "I like green tea."]
    with alex.services.reading() as db:
        [forgot, *_] = changes.latest(db, alex.person_id, 1)
    pin_facts(alex.services, alex.person_id, [tea], TOLD)
    undo(alex.services, alex.person_id, change_id=forgot.id)
    assert str(quoted()).count("Anna is a nurse") == 2


def test_the_quote_of_a_routine_tells_nothing_of_it_until_it_is_undone(alex: Talk) -> None:
    def quote() -> str | None:
        with alex.services.reading() as db:
            return db.scalars(select(Routine.quote)).one()

    alex.say("My sister Anna is ill. Remind me tomorrow at 9am to buy milk")
    before = quote()
    forget(alex.services, alex.person_id, [], TOLD, about=["my sister"])
    assert quote() == "Remind me tomorrow at 9am to buy milk"
    undo(alex.services, alex.person_id)
    assert quote() == before


def test_a_taste_or_an_allergy_is_not_the_dog(alex: Talk) -> None:
    alex.say("hello")
    tell(alex.services, alex.person_id, "Likes dogs", "Is allergic to dogs", "Has a dog named Max", "Max is a poodle")
    done = forget(alex.services, alex.person_id, [], TOLD, about=["my dog"])
    assert list(known(alex.services, alex.person_id).values()) == ["Likes dogs", "Is allergic to dogs"]
    assert [one.sentence for one in done.unsure] == ["Likes dogs", "Is allergic to dogs"]


NO_SUBJECTS = ["", "it", "everything", "me", "the", "x" * 300, "last week", "last night", "yesterday", "Monday", "2026"]


def test_what_is_no_subject_is_refused_and_forgets_nothing_of_what_was_told_with_it(alex: Talk) -> None:
    alex.say("The last thing that Karl did on Monday was to fire me, and it made me cry every day")
    tell(alex.services, alex.person_id, "Likes tea")
    settle(alex)
    before, facts = stands(alex), known(alex.services, alex.person_id)
    for what in (*NO_SUBJECTS, "November", "every day", "the thing", "2"):
        with pytest.raises(Refused, match="in a few words"):
            forget(alex.services, alex.person_id, [*facts], TOLD, about=[what])
    settle(alex)
    assert known(alex.services, alex.person_id) == facts != {}
    assert stands(alex) == before != []


def test_who_is_forgotten_in_one_language_goes_in_another_too(alex: Talk) -> None:
    alex.say("Meine Schwester Anna hat gestern geheiratet und ich habe geweint")
    alex.say("Mein Vater ist krank und muss am Montag operiert werden")
    tell(alex.services, alex.person_id, "Has a sister named Anna", "Anna is afraid of dogs", "Likes to visit sisters")
    settle(alex)

    forget(alex.services, alex.person_id, [], TOLD, about=["meine Schwester"])
    settle(alex)

    assert list(known(alex.services, alex.person_id).values()) == ["Likes to visit sisters"]
    assert traces(alex, "Anna") == []
    assert "Vater" in alex.told


def test_what_a_summariser_wrote_of_it_in_other_words_goes_with_the_texts_it_was_made_of(alex: Talk) -> None:
    alex.say(EXAM)
    alex.say(FLAT)
    settle(alex)
    with alex.services.transaction() as db:
        episode = db.query(Episode).one()
        episode.summary = episode.narrative = "They dreaded what came on Friday."
        episode.key_facts = episode.topics = []
    forget(alex.services, alex.person_id, [], TOLD, about=["exam"])
    assert alex.episodes() == []


def test_who_forgets_is_told_what_still_comes_about_it_and_how_to_stop_it(alex: Talk) -> None:
    alex.say("Remind me to feed Rex the cat every day at 8am")
    alex.say("Remind me of gym tomorrow at 7pm")
    alex.say("I have a cat named Rex")
    alex.say("My wife is called Rosa")

    [gym] = alex.text("actually forget gym")
    [cat] = alex.text("forget about Rex")
    alex.text("/pause 1")
    [again] = alex.text("/memory forget Rex")
    [wife] = alex.text("forget about my wife")

    assert gym.endswith("Still to come: Gym, on 22 November 2026 at 19:00. /routines forget 2 stops it.")
    assert cat.endswith("Still to come: Feed Rex the cat, daily at 08:00. /routines forget 1 stops it.")
    assert again.endswith(
        "no word of it. Still to come: Feed Rex the cat, daily at 08:00, paused. /routines forget 1 stops it."
    )
    assert "Still to come" not in wife
    assert alex.text("/routines forget 1") == ["No more: Feed Rex the cat. /undo brings it back."]
    [gone] = alex.text("/memory forget Rex")
    assert "Still to come" not in gone
