"""Corrections by the model: a wrong id replaces no unrelated fact, and an honest correction is accepted."""

import pytest

from app.services import Services
from tests.memory.remembering import fact, known, tell, versions
from tests.tools.calling import call, context, refusal

CORRECTIONS = [
    ("Drinks two coffees a day", "Quit caffeine"), ("Likes black coffee", "Likes green tea"),
    ("Likes black coffee", "Likes skydiving"), ("Likes coffee", "Dislikes coffee"), ("Loves burgers", "Is vegetarian"),
    ("Is vegetarian", "Eats meat again"), ("Is vegan", "Eats everything again"),
    ("Cannot eat nuts", "Is allergic to nuts"), ("Is lactose intolerant", "Is allergic to milk"),
    ("Is allergic to peanuts", "Has no allergies after all"), ("Lives in Portland", "Moved to Seattle"),
    ("Lives in a flat in Leeds", "Bought a house in York"), ("Rents an apartment", "Bought a house"),
    ("Sister Ana lives in Lima", "Sister moved to Cusco"), ("Lives in Lima", "Sister lives in Lima"),
    ("Works as a nurse", "Is retired"), ("Works at Google", "Was laid off"),
    ("Studies biology at Yale", "Works as a biologist"), ("Has a dog", "Has a cat"),
    ("Has a dog named Max", "Max died in May"), ("Has a dog named Max", "Has no pets any more"),
    ("Is single", "Is dating Sam"), ("Has a girlfriend", "Is single again"), ("Is pregnant", "Had a baby girl in May"),
    ("Is diabetic", "Diabetes is in remission"), ("Takes ibuprofen daily", "Stopped the medication"),
    ("Is 34 years old", "Turned 35 in March"), ("Birthday is 4 May", "Was born on 5 May"),
    ("Runs every morning", "Goes to the gym in the evening"), ("Plays tennis", "Plays the cello"),
    ("Plays guitar", "Paints now"), ("Smokes a pack a day", "Quit nicotine"), ("Uses Synology", "Uses fnos"),
    ("Drives a Tesla", "Cycles to work"), ("Wakes up at 6", "Gets up at 7"),
    ("Favorite color is blue", "Favorite color is green"), ("Pronouns are they/them", "Pronouns are she/her"),
    ("Quiet hours are 21 to 8", "Does not text before noon"), ("Learns Spanish", "Learns French"),
    ("Is going to Japan in May", "Cancelled the trip"), ("Wants a kitten", "Adopted a puppy"),
    ("Ich wohne in Berlin", "Ich wohne in Hamburg"), ("東京に住んでいる", "大阪に住んでいる"),
]  # fmt: skip

OTHER_SUBJECTS = [
    ("Is allergic to peanuts", "Lives in Seattle"), ("Is allergic to nuts", "Plays the cello"),
    ("Is allergic to peanuts", "Likes pizza"), ("Is allergic to peanuts", "Is vegan"),
    ("Is allergic to cats", "Has a dog named Rex"), ("Is allergic to nuts", "Collects stamps"),
    ("Collects stamps", "Is allergic to nuts"), ("Is vegan", "Likes pizza"), ("Uses a wheelchair", "Likes jazz"),
    ("Is diabetic", "Lives in Lima"), ("Pronouns are they/them", "Has a daughter"),
    ("Quiet hours are 21 to 8", "Likes rock climbing"), ("Has a dog named Max", "Has a sister named Ana"),
    ("Has two kids", "Has two cats"), ("Works as a nurse", "Lives in Lima"), ("Works as a nurse", "Is married to Sam"),
    ("Likes black coffee", "Works as a nurse"), ("Drinks two coffees a day", "Runs two miles a day"),
    ("Drinks coffee", "Plays the cello"), ("Lives in Lima", "Has two cats"),
    ("Sister Ana lives in Lima", "Lives in Seattle"), ("Lives in Seattle", "Brother lives in Boston"),
    ("Brother is a nurse", "Is a teacher"), ("Dog Max is 5 years old", "Is 34 years old"),
    ("Shoe size is 42", "Favorite color is red"), ("Favorite color is blue", "Favorite team is Arsenal"),
    ("Birthday is 4 May", "Likes tea"), ("Speaks Spanish", "Has a boat"), ("Reads a novel a week", "Drives a van"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), CORRECTIONS)
def test_a_correction_is_taken_and_the_past_is_kept(services: Services, person_id: int, old: str, new: str) -> None:
    tell(services, person_id, old)

    assert call(context(services, person_id), "update_memory", fact_id=1, fact=new)["fact"]["fact"] == new

    assert [one.sentence for one in versions(services, person_id, 1)] == [old, new]


@pytest.mark.parametrize(("old", "new"), OTHER_SUBJECTS)
def test_a_sentence_about_another_replaces_nothing(services: Services, person_id: int, old: str, new: str) -> None:
    tell(services, person_id, old)

    said = refusal(context(services, person_id), "update_memory", {"fact_id": 1, "fact": new})

    assert said == (
        f"Fact 1 says '{old}', which is about something else than '{new}'. If you meant another fact, list the "
        "memories for its id; if this is new, extract it and leave fact 1 as it is; if fact 1 is no longer true, "
        "remove it and extract the new one. When unsure, ask the person."
    )
    assert known(services, person_id) == {1: old}


MEANT = [
    ("Lives in Portland", "Moved to Seattle"), ("Likes green tea in the morning", "Likes green tea"),
    ("Has a dog named Max", "Max the dog died"), ("Works as a nurse", "Is retired"),
]  # fmt: skip


@pytest.mark.parametrize(("other", "new"), MEANT)
def test_where_another_fact_is_meant_it_is_named(services: Services, person_id: int, other: str, new: str) -> None:
    tell(services, person_id, "Likes black coffee", other)

    said = refusal(context(services, person_id), "update_memory", {"fact_id": 1, "fact": new})

    assert f"If you meant fact 2, which says '{other}', update that one; if this is new" in said
    assert call(context(services, person_id), "update_memory", fact_id=2, fact=new)["fact"]["id"] == 2
    assert fact(services, person_id, 1).sentence == "Likes black coffee"


@pytest.mark.parametrize("other", ["Likes tea", "Is sensitive to caffeine", "Has a wife named Ana", "Plays the cello"])
def test_a_fact_only_somewhat_like_it_is_in_no_corrections_way(services: Services, person_id: int, other: str) -> None:
    tell(services, person_id, "Drinks two coffees a day", other)

    for new in ("Likes green tea", "Quit caffeine"):
        call(context(services, person_id), "update_memory", fact_id=1, fact=new)

    assert known(services, person_id) == {1: "Quit caffeine", 2: other}
