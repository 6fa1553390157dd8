"""Which Sunday is meant, by the verb that is said of it."""

from datetime import datetime

import pytest

from app.memory.dates import absolute, relative_dates

THURSDAY = datetime.fromisoformat("2026-11-19T09:30-08:00")
BEFORE, TO_COME = "Sunday 15 November 2026", "Sunday 22 November 2026"


def dated(words: str) -> str:
    return absolute(words, relative_dates(words, THURSDAY))


@pytest.mark.parametrize(
    "words",
    [
        "I saw her on Sunday",
        "On Sunday I went to Rome",
        "the doctor I saw on Sunday wants me back",
        "she said on Sunday that she would call",
        "On Sunday she said she would call",
        "she told me Sunday was awful",
        "I had to work on Sunday",
        "I went to see her on Sunday",
        "did you see her on Sunday",
        "did I call you on Sunday?",
        "what did I say on Sunday",
        "I put it there on Sunday",
        "I cut my finger on Sunday",
        "she should have come on Sunday",
        "I've been ill since Sunday",
        "I was ill until Sunday",
        "I booked a flight on Sunday",
        "she was operated on Sunday",
        "I was in Rome on Monday and on Sunday",
        "I was out on Monday and Sunday and I feel sick",
        "she was coming home on Sunday",
        "thanks for coming on Sunday",
        "I'd seen her on Sunday",
        "Saw Ana on Sunday",
        "I saw Max's sister on Sunday",
        "my sister died on Sunday",
        "my dog was put down on Sunday",
        "she left and came back on Sunday",
        "I couldn't come on Sunday",
        "I didn't go on Sunday",
        "I read a book on Sunday",
        "I will tell you what I did on Sunday",
        "I think I lost my keys on Sunday",
        "Will came on Sunday",
        "Sunday was great",
        "My birthday was on Sunday",
        "I want the cake that she made on Sunday",
        "It's the cake I made on Sunday",
        "She told me about Sunday",
        "He wants what we had on Sunday",
        "I felt sick when I got up on Sunday",
        "Was I at home on Sunday?",
        "She flew to Rome on Sunday",
        "I got an appointment on Sunday",
    ],
)
def test_the_nearest_verb_in_the_past_means_the_day_before(words: str) -> None:
    assert BEFORE in dated(words)
    assert TO_COME not in dated(words)


@pytest.mark.parametrize(
    "words",
    [
        "She said she would call me on Sunday",
        "I was told to come on Sunday",
        "he promised to visit on Sunday",
        "the doctor I saw yesterday wants me back on Sunday",
        "I met her yesterday and I leave on Sunday",
        "I told her that on Sunday she would come",
        "she told me Sunday works for her",
        "she said Sunday is fine",
        "I have to work on Sunday",
        "I wanted to call on Sunday",
        "we will put it there on Sunday",
        "I have an exam on Sunday",
        "she moved it to Sunday",
        "we booked a table for Sunday",
        "I was invited to a party on Sunday",
        "I am worried about Sunday",
        "we get married on Sunday",
        "I'm married and on Sunday we travel",
        "she will be operated on Sunday",
        "it has to be finished by Sunday",
        "she said she was coming on Sunday",
        "she said: see you on Sunday",
        "Sunday",
        "see you on Sunday",
        "she's coming on Sunday",
        "I'd go on Sunday",
        "she said she'd call on Sunday",
        "Has an exam on Sunday",
        "Was told to come on Sunday",
        "they asked me to come on Sunday",
        "we were supposed to meet on Sunday",
        "he was to come on Sunday",
        "they must leave on Sunday",
        "they shall leave on Sunday",
        "my mom plans to come on Sunday",
        "Mom called and wants to come on Sunday",
        "he said he couldn't come on Sunday",
        "yesterday she texted that she might come on Sunday",
        "Will you come on Sunday",
        "my car broke down so I can't come on Sunday",
        "I was wondering if you are free on Sunday",
        "she asked if I could come on Sunday",
        "My exam got moved to Sunday",
        "She flies to Rome on Sunday",
        "I've to go to the dentist on Sunday",
    ],
)
def test_a_modal_an_infinitive_or_the_present_means_the_day_to_come(words: str) -> None:
    assert TO_COME in dated(words)
    assert BEFORE not in dated(words)


def test_one_sentence_may_speak_of_two_days_in_two_directions() -> None:
    assert dated("the doctor I saw on Monday wants me back on Friday") == (
        "the doctor I saw on Monday 16 November 2026 wants me back on Friday 20 November 2026"
    )
    assert dated("She told me on Tuesday that she would come on Saturday") == (
        "She told me on Tuesday 17 November 2026 that she would come on Saturday 21 November 2026"
    )


def test_a_day_without_a_verb_is_the_one_to_come() -> None:
    assert dated("Sunday?") == f"On {TO_COME}?"
