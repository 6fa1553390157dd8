"""Weeks of texts, one suggestion, and what becomes of a yes, a no and silence; seen from the person's phone."""

import pytest

from app import people
from app.models import Message, Person, Suggestion
from app.people import consents
from app.routines import setting
from app.routines.schedule import Schedule
from tests.claude_server import ClaudeServer, say
from tests.conftest import MakeServices
from tests.features.habits.weeks import Weeks
from tests.memory.remembering import TOLD

WEATHER = "Weather today?"
SUGGESTED = (
    'You often ask me this at about the same time: "Weather today?". Shall I text it to you by myself, daily at 07:00? '
    "Reply yes or no."
)
SHORTER = (
    'You have asked me for this 3 times lately: "shorter please". Shall I always do so, with the rule '
    '"Keep answers short"? Reply yes or no.'
)


@pytest.fixture
def thrice(weeks: Weeks) -> Weeks:
    """In the morning, after the third such question, at which nobody has looked yet."""
    weeks.days(2, "07:00", WEATHER)
    weeks.text("07:00", WEATHER)
    return weeks


@pytest.fixture
def asked(weeks: Weeks) -> Weeks:
    """A person at noon who has been offered the weather as a routine."""
    assert weeks.days(3, "07:00", WEATHER) == [SUGGESTED]
    return weeks


def correct_thrice(weeks: Weeks) -> list[str]:
    found = []
    for question in ("What is a bond?", "How do vaccines work?", "Who was Ada Lovelace?"):
        weeks.text("10:00", question)
        weeks.phone.text("shorter please")
        found += weeks.look_at("10:20", "12:00")
    return found


def test_what_is_asked_each_morning_is_suggested_once_at_noon_and_a_yes_makes_it_a_routine(asked: Weeks) -> None:
    [said] = asked.phone.text("Yes please!")
    assert said.startswith('Done: "Weather today?", daily at 07:00. First: tomorrow, Wednesday 25 November 2026, 07:00')
    [routine] = asked.routines()
    assert (routine.state, routine.source, routine.quote) == ("active", "explicit", WEATHER)
    assert asked.states() == ["accepted"]
    assert asked.look_at("07:00") == ["It's time: Weather today?"]
    assert asked.look_at("12:00") == []


def test_a_correction_that_is_made_thrice_becomes_a_rule_with_a_yes(weeks: Weeks) -> None:
    assert correct_thrice(weeks) == [SHORTER]
    [said] = weeks.phone.text("ok")
    assert said == "Kept, and it holds from now on: Keep answers short. /rules shows all, /undo takes it back."
    assert weeks.rules() == [("Keep answers short", "active")]
    [why] = weeks.phone.text("/rules why 1")
    assert 'You told me on 23 Nov 2026: "shorter please"' in why


def test_a_no_is_remembered_for_good(asked: Weeks) -> None:
    assert asked.phone.text("no thanks") == ["Okay, I won't suggest that again."]
    assert asked.days(70, "07:00", "what's the weather?") == []
    assert asked.states() == ["declined"]
    assert asked.routines() == []


def test_silence_is_neither_and_is_not_asked_about_again_for_eight_weeks(asked: Weeks) -> None:
    assert asked.days(54, "07:00", WEATHER) == []
    assert asked.states() == ["silent"]
    assert asked.days(5, "07:00", WEATHER) == [SUGGESTED]
    assert asked.states() == ["silent", "said"]


@pytest.mark.parametrize(
    ("texts", "state"),
    [
        (["What is the capital of Peru?", "yes"], "said"),
        (["Yes, but at 8"], "said"),
        (["Fwd: yes", 'My boss wrote: "yes"'], "said"),
        (["No. What is the capital of Peru, the country in South America, do you know that?"], "declined"),
    ],
    ids=["to something else", "with more besides", "of somebody else", "a no with a question"],
)
def test_what_is_no_plain_yes_or_no_is_the_models_to_answer(asked: Weeks, texts: list[str], state: str) -> None:
    said = [one for words in texts for one in asked.phone.text(words)]
    assert not any(one.startswith(("Done: ", "Okay, I won't")) for one in said)
    assert (asked.routines(), asked.states()) == ([], [state])


def test_two_habits_are_suggested_a_week_apart(weeks: Weeks) -> None:
    said = []
    for _ in range(14):
        weeks.text("07:00", WEATHER)
        weeks.text("18:00", "A joke please")
        for one in weeks.look_at("18:40", "19:40"):
            said.append((weeks.now.date(), one))
            weeks.phone.text("yes")
    suggested = [(day, one) for day, one in said if one.startswith("You often")]
    assert len(suggested) == 2
    assert (suggested[1][0] - suggested[0][0]).days >= 7
    assert sorted(one.words for one in weeks.routines()) == ["A joke please", WEATHER]


def test_it_waits_for_a_sane_hour_and_for_the_end_of_a_conversation(weeks: Weeks) -> None:
    for _ in range(3):
        weeks.text("22:30", "Tell me a joke")
    assert weeks.look() == []
    assert weeks.look_at("23:30", "03:00", "07:30", "08:55") == []
    weeks.text("08:58", "What is the capital of Peru?")
    assert weeks.look_at("09:05", "09:25") == []
    [said] = weeks.look_at("09:29")
    assert said.startswith("You often ask me this")


@pytest.mark.parametrize("hard", ["My mother died last night", "I can't sleep and I'm scared", "me duele mucho"])
def test_nothing_is_suggested_on_a_hard_day(hard: str, thrice: Weeks) -> None:
    thrice.phone.text(hard)
    assert thrice.look_at("09:30", "12:00", "19:30") == []
    assert thrice.look_at("09:30") == [SUGGESTED]


@pytest.mark.parametrize("how", ["paused", "opted out", "blocked", "memory off"])
def test_who_wants_nothing_is_suggested_nothing(how: str, thrice: Weeks) -> None:
    thrice.look()
    assert thrice.states() == ["waiting"]
    person_id = thrice.phone.person_id
    if how == "paused":
        setting.pause_all(thrice.services, person_id)
    elif how == "opted out":
        consents.opt_out_for(thrice.services, person_id, "by phone")
    elif how == "blocked":
        people.block(thrice.services, person_id)
    else:
        thrice.text("08:59", "/memory off")
    assert thrice.look_at("09:05") == []
    assert thrice.states() == (["waiting"] if how == "memory off" else ["dropped"])


def test_what_was_said_with_memory_off_repeats_nothing(weeks: Weeks) -> None:
    for _ in range(4):
        weeks.text("07:00", "/memory off")
        weeks.phone.text(WEATHER)
        assert weeks.look_at("12:00") == []
    assert weeks.suggestions() == []


def test_what_others_wrote_commands_and_what_came_with_files_repeat_nothing(weeks: Weeks) -> None:
    for _ in range(5):
        weeks.text("07:00", "Fwd: Weather today?", "/routines")
        weeks.phone.send_files("A recipe for this?", ("https://example.org/1", "audio/ogg"))
        weeks.phone.background.run()
        assert weeks.look_at("12:00") == []
    assert weeks.suggestions() == []


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("Every weekday at 7 text me the weather", "The person has set it up themselves."),
        ("/memory forget weather", "The person has had it forgotten since."),
    ],
)
def test_a_wish_that_is_a_routine_or_forgotten_meanwhile_is_not_suggested(thrice: Weeks, words: str, why: str) -> None:
    thrice.look()
    thrice.phone.text(words)
    assert thrice.look_at("12:00") == []
    thrice.text("12:30", "What is the capital of Peru?")
    assert thrice.look_at("13:30", "19:00") == []
    [one] = thrice.suggestions()
    assert (one.state, one.reason) == ("dropped", why)


def test_on_a_day_with_five_texts_by_itself_it_waits_for_the_next(weeks: Weeks) -> None:
    person_id = weeks.phone.person_id
    weeks.days(2, "07:00", WEATHER)
    schedule = {"repeat": "daily", "times": ["08:00", "09:10", "09:20", "09:30", "09:40"]}
    new = setting.NewRoutine("remind", "drink", Schedule.from_dict(schedule))
    setting.set_routine(weeks.services, person_id, new, TOLD, "phone")
    weeks.text("07:00", WEATHER)
    assert weeks.look_at("08:00", "09:10", "09:20", "09:30", "09:40") == ["Reminder: drink"] * 5
    assert weeks.look_at("12:00") == []
    assert SUGGESTED in weeks.look_at("08:00", "09:05")


def test_the_text_that_never_went_out_was_no_suggestion(asked: Weeks) -> None:
    with asked.services.transaction() as db:
        [one] = db.query(Suggestion)
        db.query(Message).filter_by(turn_id=one.turn_id).update({"state": "refused"})
    asked.phone.text("yes")
    assert asked.routines() == []
    assert asked.days(8, "07:00", WEATHER) == [SUGGESTED]
    assert asked.states() == ["dropped", "said"], "it is found anew"


def test_the_model_knows_what_was_suggested(
    weeks: Weeks, make_services: MakeServices, claude: ClaudeServer, claude_model: object
) -> None:
    assert weeks.days(3, "07:00", WEATHER) == [SUGGESTED]
    make_services(model=claude_model)
    claude.queue(say("I could text you the weather by myself."))
    assert weeks.phone.text("What do you mean?") == ["I could text you the weather by myself."]
    shown = str(claude.requests[-1]["messages"])
    assert '<suggestion kind="routine" times="3" their_words="Weather today?">' in shown
    assert "Shall I text it to you by myself" in shown
    claude.queue(say("All right."))
    assert weeks.phone.text("no") == ["All right."]
    assert weeks.states() == ["declined"]
    weeks.phone.text("/memory forget weather")
    claude.queue(say("Paris."))
    weeks.phone.text("What is the capital of France?")
    assert 'their_words="[forgotten]"' in str(claude.requests[-1]["messages"])
    assert "eather" not in str(claude.requests[-1]["messages"])


def test_whose_zone_is_unknown_is_offered_nothing_as_it_may_be_their_night(weeks: Weeks) -> None:
    with weeks.services.transaction() as db:
        person = db.get_one(Person, weeks.phone.person_id)
        person.timezone, person.timezone_source = "UTC", "unknown"
    for question in ("What is a bond?", "How do vaccines work?", "Who was Ada Lovelace?"):
        weeks.text("05:00", question)
        weeks.phone.text("shorter please")
        assert weeks.look_at("09:01") == []
