import pytest

from app import people
from app.conversation.memory_shown import MEMORY_MAX_TOKENS, Preferred, choose, estimate_tokens, load_memory
from app.memory import forget, revise
from app.memory.facts import KnownFact
from app.services import Services
from app.text.wording import normalise
from tests.memory.remembering import TOLD, block, known, tell

ROOM_FOR_ONE = estimate_tokens("Likes tea. ")


def known_as(number: int, sentence: str) -> KnownFact:
    return KnownFact(number, number, sentence, normalise(sentence), None)


def numbers(facts: list[KnownFact], max_tokens: int) -> list[int]:
    return [fact.number for fact in choose(facts, max_tokens=max_tokens)]


def test_what_is_shown_stands_by_number_and_what_matters_most_has_room_first() -> None:
    told = [known_as(3, "Likes tea"), known_as(1, "Has a cat"), known_as(2, "Is vegan!")]

    assert numbers(told, 400) == [1, 2, 3]
    assert [numbers(told, count * ROOM_FOR_ONE) for count in range(4)] == [[], [3], [1, 3], [1, 2, 3]]
    assert numbers([known_as(1, "Is allergic to " + "nuts and " * 30), *told], 2 * ROOM_FOR_ONE) == [1, 3]


LIFE = (
    "Boss is called Karen",
    "Wife is named Mia",
    "Is allergic to penicillin",
    "Has two children, Max and Lena",
    "Lives in Lisbon",
    "Father Walter died in 2019",
    "Works as a nurse",
)
HOW = "strong black sweet iced cold hot weak foamy spiced creamy bitter salted frothy mild dark".split()
WHEN = [f"{when} {day}" for when in ("at", "before", "after") for day in ("dawn", "noon", "dusk", "midnight", "work")]
NEAR_COPIES = {
    "one taste": [f"Likes {how} coffee {when}" for how in HOW for when in WHEN[:10]],
    "one topic": [f"Likes {how} {what}" for how in HOW for what in "espresso latte tea cola juice wine beer".split()],
    "tastes of all kinds": [
        f"{verb} {how} things of kind {number}"
        for verb in ("Likes", "Loves", "Enjoys")
        for how in HOW
        for number in range(4)
    ],
    "no taste": [f"Saw a {how} film at the Odeon with Tom {when}" for how in HOW for when in WHEN[:10]],
    "in Chinese": [f"喜欢在早上喝{how}咖啡{number}" for how in "浓黑甜冰热淡香辣苦咸" for number in range(15)],
}


@pytest.mark.parametrize("copies", NEAR_COPIES.values(), ids=NEAR_COPIES.keys())
def test_f6_near_copies_of_a_fact_crowd_out_nothing(services: Services, person_id: int, copies: list[str]) -> None:
    assert len(copies) >= 105
    for sentences in (LIFE[::2], copies, LIFE[1::2]):
        for start in range(0, len(sentences), 15):
            tell(services, person_id, *sentences[start : start + 15])
            services.clock.wait(3600)
    revise(
        services,
        person_id,
        {words: number for number, words in known(services, person_id).items()}[copies[3]],
        TOLD,
        pinned=True,
    )

    shown = block(services, person_id)

    assert [one for one in LIFE if one not in shown] == []
    assert copies[3] in shown
    assert sum(one in shown for one in copies) > 5, "what is left of the room is theirs"
    assert estimate_tokens(shown) <= MEMORY_MAX_TOKENS


@pytest.mark.parametrize(
    "sentence",
    ["&" * 150 + "a {}", "<facts>" * 30 + " {}", "好き" * 60 + "{}", "🐶" * 90 + " a {}", "a" * 290 + " {}", "{} a."],
)
def test_whatever_the_facts_are_made_of_they_stay_within_their_tokens_and_twenty_short_ones_are_all_shown(
    services: Services, person_id: int, sentence: str
) -> None:
    people.set_profile(services, person_id, TOLD, name="<&>" * 26)
    tell(services, person_id, *(f"Keeps {number} sheep of the old breed in the upper fold" for number in range(20)))
    shown = block(services, person_id)
    assert all(f"Keeps {number} sheep of the old breed in the upper fold." in shown for number in range(20))
    for start in range(0, 100, 20):
        tell(services, person_id, *(sentence.format(number) for number in range(start, start + 20)))

    assert 300 < estimate_tokens(block(services, person_id)) <= MEMORY_MAX_TOKENS


def test_a_new_fact_comes_last_and_leaves_what_stands_before_it_as_it_was(services: Services, person_id: int) -> None:
    tell(services, person_id, "Likes tea", "Has a cat")
    before = block(services, person_id)

    tell(services, person_id, "Is allergic to nuts")
    services.clock.wait(86_400)

    assert block(services, person_id) == before.replace("Has a cat.", "Has a cat. Is allergic to nuts.")
    forget(services, person_id, [1], TOLD)
    assert "tea" not in block(services, person_id)
    assert "<facts></facts>" in load_memory(services, person_id, Preferred(), memory_on=False).block
