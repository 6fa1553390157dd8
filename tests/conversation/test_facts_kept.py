"""Facts are kept as the person meant them: nothing is falsified, lost, given away or held against them."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.memory import NewFact, remember
from app.memory.facts.categories import is_constraint
from app.models import Fact, Routine, Rule
from app.services import Services
from app.text.secrets import is_secret
from app.text.wording import normalise
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.conversation.recalling import add_episodes
from tests.conversation.ruling import QUICK, Ruler
from tests.fakes import InlineBackground
from tests.line import Line
from tests.memory.remembering import TOLD, add_person, known, live, tell
from tests.memory.talking import Talk
from tests.phoning import Phone, text
from tests.stores import Meanwhile
from tests.tables import rows

DATA = Path(__file__).parent.parent / "data"
SECRETS = [line.replace("\\n", "\n").split("\t") for line in (DATA / "secrets.tsv").read_text().splitlines()[1:]]
NUTS = "Is allergic to nuts"
CARDS = ["4111 1111 1111 1111", "4-1-1-1 1-1-1-1 1-1-1-1 1-1-1-1", "3782 822463 10005"]


def lines(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


@pytest.fixture
def alex(line_to_claude: Line, claude: ClaudeServer) -> Ruler:
    return Ruler(line_to_claude, claude)


@pytest.mark.parametrize("said", [*lines("kept_word_for_word.txt"), *lines("no_despair.txt")])
def test_a_fact_is_kept_word_for_word(alex: Ruler, said: str) -> None:
    assert alex.learns(said, said)["stored"] == [{"id": 1, "fact": said}]
    assert said in alex.facts_shown()


def test_a_day_word_has_its_date_behind_it_and_stays(alex: Ruler) -> None:
    exam, trip = "Has an exam tomorrow [22 Nov 2026]", "Trip next Friday [27 Nov 2026]"
    kept = alex.learns("I have an exam tomorrow and a trip next Friday", "Has an exam tomorrow", "Trip next Friday")
    assert [one["fact"] for one in kept["stored"]] == [exam, trip]
    assert f"{exam}." in alex.facts_shown()


ALIKE = rows("alike_facts.jsonl")


@pytest.mark.parametrize(("known", "said", "new"), ALIKE)
def test_what_resembles_a_known_fact_is_stored_and_told_so(alex: Ruler, known: str, said: str, new: str) -> None:
    alex.learns(known, known)
    assert alex.learns(said, new) == {
        "memory_updated": True,
        "stored": [{"id": 2, "fact": new}],
        "duplicates": [],
        "conflicts": [{"id": 2, "fact": new, "known": [{"id": 1, "fact": known}]}],
    }
    assert new in alex.facts_shown()


@pytest.mark.parametrize("again", ["has a DOG", "Has a dog.", "  Has  a dog!"])
def test_only_the_same_sentence_is_a_duplicate_and_says_which(alex: Ruler, again: str) -> None:
    alex.learns("I have a dog", "Has a dog")
    result = alex.learns("I have a dog", again)

    assert (result["stored"], result["duplicates"]) == ([], [{"id": 1, "fact": "Has a dog"}])


@pytest.mark.parametrize(("secret", "sentence"), SECRETS)
def test_secrets_are_told_from_other_numbers(secret: str, sentence: str) -> None:
    assert is_secret(sentence) == (secret == "yes")


@pytest.mark.parametrize("secret", [sentence for kind, sentence in SECRETS[:15] if kind == "yes"])
def test_no_secret_is_kept_as_a_fact_a_rule_a_routine_or_a_name(alex: Ruler, secret: str) -> None:
    assert "never kept as a fact" in alex.learns(secret, secret)["refused"]
    assert "never kept in a rule" in alex.sets(secret, {"trigger_kind": "always", "procedure": secret})["refused"]
    assert "never kept as a name" in alex.calls(secret, "update_profile", {"name": secret[:70]})["refused"]
    routine = {"does": "remind", "words": secret, "schedule": {"repeat": "daily", "times": ["08:00"]}}
    refused = alex.calls(f"remind me every day at 8: {secret}", "set_routine", routine)["refused"]
    assert "never kept in a routine" in refused
    with alex.line.services.reading() as db:
        assert [db.query(table).count() for table in (Fact, Rule, Routine)] == [0, 0, 0]


@pytest.mark.parametrize("card", CARDS)
def test_what_a_fact_a_rule_or_a_routine_quotes_holds_no_card_number_and_no_code(alex: Ruler, card: str) -> None:
    rest = f"My card is {card}. My code is 4 8 2 9 1 1"
    alex.learns(f"I live in Lima. {rest}", "Lives in Lima")
    [fact] = live(alex.line.services, alex.person_id)
    assert fact.quote == "I live in Lima."

    told = "When I say quick update, bullets only."
    assert alex.sets(f"{told} {rest}", QUICK)["rule"]["state"] == "active"
    assert [one.quote for one in alex.live()] == [told]
    changed = "When I say quick update, three bullets only."
    change = {"action": "change", "rule_ids": [1], "procedure": "Three bullets only"}
    alex.calls(f"My card is {card}. {changed} My code is 4 8 2 9 1 1", "change_rule", change)
    assert [(one.procedure, one.quote) for one in alex.live()] == [("Three bullets only", changed)]

    wish = "Remind me every day at 8 to water the plants."
    daily = {"does": "remind", "words": "Water the plants", "schedule": {"repeat": "daily", "times": ["08:00"]}}
    assert alex.calls(f"{wish} {rest}", "set_routine", daily)["routine"]["state"] == "active"
    with alex.line.services.reading() as db:
        assert db.scalars(select(Routine.quote)).all() == [wish]


@pytest.mark.parametrize(
    ("sentence", "is_one"),
    [*((one, True) for one in lines("medication.txt")), *((one, False) for one in lines("no_medication.txt"))],
)
def test_medication_is_a_constraint_and_what_only_sounds_like_it_is_none(sentence: str, is_one: bool) -> None:
    assert is_constraint(sentence) == is_one


def test_medication_is_shown_out_of_three_hundred_facts(alex: Ruler) -> None:
    alex.text("hi", say("Hi."))
    told = ["Takes 5 mg of warfarin daily", *(f"Boss number {n} said thing {n} about project {n}" for n in range(300))]
    for at in range(0, len(told), 20):
        remember(alex.line.services, alex.person_id, [NewFact(one) for one in told[at : at + 20]], TOLD)

    facts = alex.facts_shown()
    assert "Takes 5 mg of warfarin daily." in facts
    assert facts.count("Boss") < 300


IN_THE_MODELS_WORDS = ["Wants to die", "Feels that nobody would miss them", "Cannot go on", "Is suicidal"]


@pytest.mark.parametrize("fact", [*lines("despair.txt"), *IN_THE_MODELS_WORDS])
def test_despair_is_no_fact(alex: Ruler, fact: str) -> None:
    said = "it is all too much" if fact in IN_THE_MODELS_WORDS else fact
    assert "said in despair" in alex.learns(said, fact)["refused"]
    assert alex.facts_shown() == ""


@pytest.mark.parametrize("words", lines("despair.txt"))
def test_despair_is_not_read_back_when_they_ask(services: Services, background: InlineBackground, words: str) -> None:
    phone = Phone(services, background)  # With the offline model.
    phone.text(words, "My sister Ana moved to Lima with her two kids")
    for question in ("what do you know about me?", "tell me something about myself", "what did we talk about?"):
        assert words not in "\n".join(phone.text(question))
    assert all(words not in fact for fact in phone.facts())


def test_an_episode_shown_unasked_quotes_no_despair(alex: Ruler) -> None:
    alex.text("hello", say("Hi."))
    summary = "Alex moved to Lima with sister Ana. Alex said: I want to die."
    narrative = (
        "Alex moved to Lima with sister Ana and two cats. They wrote that nobody would miss them. Ana called later."
    )
    add_episodes(Talk(alex.line.services, alex.number), (summary, narrative), importance=0.8)
    alex.line.clock.advance(days=3)
    alex.text("What did I tell you of Ana and Lima?", say("You moved."))

    assert "Alex moved to Lima with sister Ana." in alex.head()
    assert "Ana called later." in alex.head()
    assert "die" not in alex.head()
    assert "miss them" not in alex.head()


# Words of others


@pytest.mark.parametrize("row", lines("handed_on.tsv")[1:])
def test_what_others_wrote_teaches_no_fact(alex: Ruler, row: str) -> None:
    body, fact = row.replace("\\n", "\n").split("\t")
    assert "is not what the person wrote" in alex.learns(body, fact)["refused"]
    assert alex.facts_shown() == ""


def test_what_the_carrier_calls_forwarded_teaches_no_fact(alex: Ruler) -> None:
    assert "refused" in alex.learns("I am allergic to nuts", NUTS, Forwarded="true")
    assert "refused" in alex.learns("ok thanks", NUTS), "nor does it later"
    assert alex.facts_shown() == ""


@pytest.mark.parametrize(
    ("question", "is_learned"),
    [("Shall I remember that you are allergic to nuts?", True), ("Shall I look up the weather?", False)],
)
def test_what_was_forwarded_is_learned_once_they_say_yes_to_it(alex: Ruler, question: str, is_learned: bool) -> None:
    alex.text("Fwd: I am allergic to nuts", say(question))
    assert ("stored" in alex.learns("yes please", NUTS)) == is_learned


AROUND_A_QUOTATION = rows("around_a_quotation.jsonl")


@pytest.mark.parametrize(("body", "fact"), AROUND_A_QUOTATION)
def test_what_they_say_themselves_around_a_quotation_is_theirs(alex: Ruler, body: str, fact: str) -> None:
    assert alex.learns(body, fact)["stored"] == [{"id": 1, "fact": fact}]


def test_a_forward_leaves_what_they_say_afterwards_theirs(alex: Ruler) -> None:
    alex.text("Fwd: I am allergic to nuts and I work as a nurse", say("I see."))
    assert alex.learns("I'm a nurse too", "Works as a nurse")["stored"] == [{"id": 1, "fact": "Works as a nurse"}]


def test_a_correction_is_not_taken_from_what_others_wrote_either(alex: Ruler) -> None:
    alex.learns("I live in Lima", "Lives in Lima")
    update = {"fact_id": 1, "fact": "Lives in Berlin"}
    assert "refused" in alex.calls("Fwd: I live in Berlin", "update_memory", update)
    assert alex.facts_shown() == "Lives in Lima."


def test_offline_nothing_is_kept_of_what_others_wrote(services: Services, background: InlineBackground) -> None:
    phone = Phone(services, background)
    [answer] = phone.text("Fwd: I am allergic to nuts")
    assert "remember" not in answer
    assert phone.facts() == []
    phone.text("I am allergic to nuts")
    assert phone.facts() == [NUTS]


# Repeated facts

PARAPHRASES = ["Loves black coffee", "drinks coffee black", "Dog is called Max", "Max is his dog", "Resides in Lima"]
SMALL_TALK = ["good morning!", "haha ok", "coffee time", "thanks, you are lovely", "Max says hi", "rain in Lima today"]


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 300}], indirect=True)
def test_r83_two_hundred_turns_of_small_talk_teach_nothing_twice(
    claude_services: Services, claude: ClaudeServer
) -> None:
    known = ["Likes black coffee", "Has a dog named Max", "Lives in Lima"]
    person_id = add_person(claude_services)
    tell(claude_services, person_id, *known)
    again = [*known, *(sentence.upper() + "!" for sentence in known), *PARAPHRASES]
    replies: list[Reply] = []
    for number in range(200):
        facts = [{"fact": again[(number + step) % len(again)]} for step in range(2)]
        replies += [call("extract_memory", {"facts": facts}), say("Have a good one!")]

    claude.queue(*replies)
    for number in range(200):
        assert text(claude_services, SMALL_TALK[number % len(SMALL_TALK)]) == "Have a good one!"
        claude_services.clock.wait(60)

    assert len(claude.requests) == 400
    held = live(claude_services, person_id)  # A paraphrase may say more, so it is kept once, as a conflict.
    assert [one.sentence for one in held[:3]] == known
    assert sorted(one.normalised for one in held[3:]) == sorted(map(normalise, PARAPHRASES))
    assert {one.version for one in held} == {1}


GONE = OperationalError("COMMIT", {}, Exception("gone"))


@pytest.mark.parametrize(("error", "after"), [(GONE, 4), (NoConnection("pool"), 4), (OSError(5), 2)])
def test_r4_a_tool_whose_database_fails_is_called_again_and_a_turn_whose_disk_fails(
    line_to_claude: Line, claude: ClaudeServer, error: Exception, after: int
) -> None:
    def fail() -> None:
        raise error

    line = line_to_claude.on(Meanwhile(line_to_claude.services.store, fail, after=after))
    claude.queue(call("extract_memory", {"facts": [{"fact": "Has a dog called Max"}]}), say("Noted."))
    line.bring("My dog is called Max")
    with pytest.raises(type(error)):
        line.background.run()
    line.sweep(seconds=10)
    assert (line.twilio.bodies, len(known(line.services, line.person().id))) == (["Noted."], 1)
