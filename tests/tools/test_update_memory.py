"""Corrections by the model: a wrong id replaces no unrelated fact, and an honest correction is accepted."""

from pathlib import Path

import pytest

from app.services import Services
from tests.memory.remembering import fact, known, tell, versions
from tests.tools.calling import call, context, refusal

TABLE = Path(__file__).parent.parent / "data" / "corrections.tsv"
"""Known facts, sentences to replace them, and whether the new one corrects the fact or is about something else."""
ROWS = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines()[1:]]
CORRECTIONS, OTHER_SUBJECTS = ([row[:2] for row in ROWS if row[2] == kind] for kind in ("correction", "another"))


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
