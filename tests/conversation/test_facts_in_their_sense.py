"""Facts are kept in the person's sense: nothing that they said is falsified, lost, given away or held against them."""

from pathlib import Path

import pytest
from sqlalchemy import select

from app.memory import NewFact, episodes, remember
from app.memory.episodes import Covered, Summary
from app.models import Routine, Turn
from app.services import Services
from app.text.secrets import is_secret
from app.text.wording import is_constraint
from tests.claude_server import ClaudeServer, call, say
from tests.conversation.ruling import QUICK, Ruler
from tests.fakes import InlineBackground
from tests.line import Line
from tests.memory.remembering import TOLD, live
from tests.phoning import Phone

DATA = Path(__file__).parent.parent / "data"
SECRETS = [line.split("\t") for line in (DATA / "secrets.tsv").read_text().splitlines()[1:]]


def lines(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


@pytest.fixture
def alex(line_to_claude: Line, claude: ClaudeServer) -> Ruler:
    return Ruler(line_to_claude, claude)


@pytest.mark.parametrize("said", lines("kept_word_for_word.txt"))
def test_a_fact_is_kept_word_for_word(alex: Ruler, said: str) -> None:
    assert alex.learns(said, said)["stored"] == [{"id": 1, "fact": said}]
    assert said in alex.facts_shown()


def test_a_day_word_has_its_date_behind_it_and_stays(alex: Ruler) -> None:
    kept = alex.learns("I have an exam tomorrow and a trip next Friday", "Has an exam tomorrow", "Trip next Friday")

    assert [one["fact"] for one in kept["stored"]] == [
        "Has an exam tomorrow [22 Nov 2026]",
        "Trip next Friday [27 Nov 2026]",
    ]
    assert "Has an exam tomorrow [22 Nov 2026]." in alex.facts_shown()


RESEMBLING = [
    ("Has a dog", "my dog is blind", "Has a blind dog"),
    ("Has a dog", "mi perro es ciego", "Has a blind dog"),
    ("Is allergic to nuts", "I'm deadly allergic to nuts", "Is deadly allergic to nuts"),
    ("Is allergic to nuts", "soy muy alérgica", "Is deadly allergic to nuts"),
    ("Is a nurse", "I'm the head nurse", "Is head nurse"),
    ("Is a nurse", "ich bin Oberschwester", "Is a head nurse"),
    ("Likes black coffee", "thanks", "Loves black coffee"),
    ("Plays the cello", "I play in an orchestra", "Plays the cello in an orchestra"),
    ("Wants to live in Paris", "vivo en París", "Lives in Paris"),
    ("Has a cat named Mia", "Mia est sourde", "Has a deaf cat named Mia"),
    ("Is afraid of dogs", "terrified actually", "Is terrified of dogs, afraid"),
    ("Works at Acme", "night shifts now", "Works nights at Acme"),
    ("Takes 5 mg of warfarin daily", "25 now", "Takes 25 mg of warfarin daily"),
]


@pytest.mark.parametrize(("known", "said", "new"), RESEMBLING)
def test_what_resembles_a_known_fact_is_stored_and_comes_back_with_both_ids(
    alex: Ruler, known: str, said: str, new: str
) -> None:
    alex.learns(known, known)
    result = alex.learns(said, new)

    assert result["stored"] == [{"id": 2, "fact": new}]
    assert result["duplicates"] == []
    assert result["conflicts"] == [{"id": 2, "fact": new, "known": [{"id": 1, "fact": known}]}]
    assert new in alex.facts_shown()


def test_a_known_fact_that_changed_is_replaced_without_looking_it_up(alex: Ruler) -> None:
    alex.learns("I live in Portland", "Lives in Portland")
    [conflict] = alex.learns("I moved to Lima", "Lives in Lima")["conflicts"]
    alex.text("yes", call("remove_memory", {"fact_ids": [conflict["known"][0]["id"]]}), say("Done."))

    assert alex.facts_shown() == "Lives in Lima."


@pytest.mark.parametrize("again", ["has a DOG", "Has a dog.", "  Has  a dog!"])
def test_only_the_same_sentence_is_a_duplicate_and_says_which(alex: Ruler, again: str) -> None:
    alex.learns("I have a dog", "Has a dog")
    result = alex.learns("I have a dog", again)

    assert (result["stored"], result["duplicates"]) == ([], [{"id": 1, "fact": "Has a dog"}])


@pytest.mark.parametrize(("secret", "sentence"), SECRETS)
def test_secrets_are_told_from_other_numbers(secret: str, sentence: str) -> None:
    assert is_secret(sentence) == (secret == "yes")


@pytest.mark.parametrize("secret", [sentence for kind, sentence in SECRETS[:10] if kind == "yes"])
def test_no_secret_is_kept_as_a_fact_a_rule_a_routine_or_a_name(alex: Ruler, secret: str) -> None:
    assert "never kept as a fact" in alex.learns(secret, secret)["refused"]
    assert "never kept in a rule" in alex.sets(secret, {"trigger_kind": "always", "procedure": secret})["refused"]
    alex.text(secret, call("update_profile", {"name": secret[:70]}), say("Okay."))
    assert "never kept as a name" in alex.last_result()["refused"]
    routine = {"does": "remind", "words": secret, "schedule": {"repeat": "daily", "times": ["08:00"]}}
    alex.text(f"remind me every day at 8: {secret}", call("set_routine", routine), say("Okay."))
    assert "never kept in a routine" in alex.last_result()["refused"]


@pytest.mark.parametrize("told", [sentence for kind, sentence in SECRETS if kind == "no"][::4])
def test_other_numbers_are_kept(alex: Ruler, told: str) -> None:
    assert alex.learns(told, told)["stored"] == [{"id": 1, "fact": told}]


CARDS = ["4111 1111 1111 1111", "4-1-1-1 1-1-1-1 1-1-1-1 1-1-1-1", "3782 822463 10005"]


@pytest.mark.parametrize("card", CARDS)
def test_what_a_fact_quotes_holds_no_card_number(alex: Ruler, card: str) -> None:
    alex.learns(f"I live in Lima. My card is {card}. My code is 4 8 2 9 1 1", "Lives in Lima")

    [fact] = live(alex.line.services, alex.person_id)
    assert fact.quote == "I live in Lima."


@pytest.mark.parametrize("card", CARDS)
def test_what_a_rule_quotes_holds_no_card_number_and_no_code(alex: Ruler, card: str) -> None:
    told = "When I say quick update, bullets only."
    assert alex.sets(f"{told} My card is {card}. My code is 4 8 2 9 1 1", QUICK)["rule"]["state"] == "active"
    [rule] = alex.live()
    assert rule.quote == told

    changed = "When I say quick update, three bullets only."
    change = {"action": "change", "rule_ids": [1], "procedure": "Three bullets only"}
    alex.text(f"My card is {card}. {changed} My code is 4 8 2 9 1 1", call("change_rule", change), say("Okay."))
    [rule] = alex.live()
    assert (rule.procedure, rule.quote) == ("Three bullets only", changed)


@pytest.mark.parametrize("card", CARDS)
def test_what_a_routine_quotes_holds_no_card_number_and_no_code(alex: Ruler, card: str) -> None:
    told = "Remind me every day at 8 to water the plants."
    daily = {"does": "remind", "words": "Water the plants", "schedule": {"repeat": "daily", "times": ["08:00"]}}
    alex.text(f"{told} My card is {card}. My code is 4 8 2 9 1 1", call("set_routine", daily), say("Okay."))

    assert alex.last_result()["routine"]["state"] == "active"
    with alex.line.services.reading() as db:
        assert db.scalars(select(Routine.quote)).all() == [told]


@pytest.mark.parametrize("sentence", lines("medication.txt"))
def test_medication_is_a_constraint(sentence: str) -> None:
    assert is_constraint(sentence)


@pytest.mark.parametrize("sentence", lines("no_medication.txt"))
def test_what_only_sounds_like_medication_takes_nobodys_place(sentence: str) -> None:
    assert not is_constraint(sentence)


def test_medication_is_shown_out_of_three_hundred_facts(alex: Ruler) -> None:
    alex.text("hi", say("Hi."))
    told = ["Takes 5 mg of warfarin daily", *(f"Boss number {n} said thing {n} about project {n}" for n in range(300))]
    for at in range(0, len(told), 20):
        remember(alex.line.services, alex.person_id, [NewFact(one) for one in told[at : at + 20]], TOLD)

    facts = alex.facts_shown()
    assert "Takes 5 mg of warfarin daily." in facts
    assert facts.count("Boss") < 300


@pytest.mark.parametrize("words", lines("despair.txt"))
def test_despair_is_no_fact(alex: Ruler, words: str) -> None:
    assert "said in despair" in alex.learns(words, words)["refused"]
    assert alex.facts_shown() == ""


@pytest.mark.parametrize("fact", ["Wants to die", "Feels that nobody would miss them", "Cannot go on", "Is suicidal"])
def test_despair_in_the_models_words_is_no_fact_either(alex: Ruler, fact: str) -> None:
    assert "said in despair" in alex.learns("it is all too much", fact)["refused"]


@pytest.mark.parametrize("told", lines("no_despair.txt"))
def test_what_is_no_despair_is_kept(alex: Ruler, told: str) -> None:
    assert alex.learns(told, told)["stored"] == [{"id": 1, "fact": told}]


@pytest.mark.parametrize("words", lines("despair.txt"))
def test_despair_is_not_read_back_when_they_ask_what_is_known_of_them(
    services: Services, background: InlineBackground, words: str
) -> None:
    phone = Phone(services, background)  # With the offline model.
    phone.text(words, "My sister Ana moved to Lima with her two kids")
    for question in ("what do you know about me?", "tell me something about myself", "what did we talk about?"):
        assert words not in "\n".join(phone.text(question))
    assert all(words not in fact for fact in phone.facts())


def test_an_episode_shown_unasked_quotes_no_despair(alex: Ruler) -> None:
    alex.text("hello", say("Hi."))
    told = Summary(
        "Alex moved to Lima with sister Ana. Alex said: I want to die.",
        "Alex moved to Lima with sister Ana and two cats. They wrote that nobody would miss them. Ana called later.",
        (),
        (),
        0.8,
    )
    now = alex.line.clock.now()
    with alex.line.services.transaction() as db:
        turn_id, conversation_id = db.execute(select(Turn.id, Turn.conversation_id)).first() or (0, 0)
        covered = Covered(conversation_id, turn_id, "quiet", (), now, now)
        episodes.add(db, alex.person_id, told, covered, now, written_by="a test")
    alex.line.clock.advance(days=3)
    alex.text("What did I tell you of Ana and Lima?", say("You moved."))

    assert "Alex moved to Lima with sister Ana." in alex.head()
    assert "Ana called later." in alex.head()
    assert "die" not in alex.head()
    assert "miss them" not in alex.head()
