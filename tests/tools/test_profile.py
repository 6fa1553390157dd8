import pytest

from app import people
from app.memory import undo
from app.services import Services
from tests.memory.remembering import TOLD, person, tell
from tests.tools.calling import call, context, refusal, texted


def test_a_name_is_not_lost_by_an_empty_field_beside_a_zone(services: Services, person_id: int) -> None:
    ctx = context(services, person_id)
    call(ctx, "update_profile", name="Alex")

    said = refusal(ctx, "update_profile", {"name": "", "timezone": "Europe/Lisbon"})

    assert said == (
        "An empty name forgets the name and has to be sent alone. To keep the name, leave it out; nothing was changed."
    )
    assert (person(services, person_id).name, person(services, person_id).timezone) == ("Alex", "America/Los_Angeles")


def test_a_name_that_is_not_known_cannot_be_forgotten(services: Services, person_id: int) -> None:
    said = refusal(context(services, person_id), "update_profile", {"name": ""})

    assert said == "No name is known, so there is none to forget. Facts may hold it: list the memories."
    assert undo(services, person_id) is None


def test_the_facts_that_hold_a_forgotten_name_are_named(services: Services, person_id: int) -> None:
    tell(services, person_id, "Is called Alex at work", "Likes tea")
    people.set_profile(services, person_id, TOLD, name="Alex")
    ctx = context(services, person_id, texted(services, person_id, "forget my name"))
    assert call(ctx, "update_profile", name="")["still_known"] == [{"id": 1, "fact": "Is called Alex at work"}]


def test_quiet_hours_are_kept_and_undo_brings_back_those_of_before(services: Services, person_id: int) -> None:
    ctx = context(services, person_id, texted(services, person_id, "keep it quiet from 23:00 to 8:30 please"))

    assert call(ctx, "update_profile", quiet_hours="23:00-8:30")["quiet_hours"] == "23:00-08:30"
    assert call(ctx, "update_profile", quiet_hours="23:00-08:30")["known_already"] == ["quiet_hours"]
    assert person(services, person_id).quiet_hours == "23:00-08:30"
    assert call(ctx, "update_profile", quiet_hours="none")["quiet_hours"] == "none"

    undo(services, person_id)
    assert person(services, person_id).quiet_hours == "23:00-08:30"


@pytest.mark.parametrize("hours", ["", "at night", "22:00", "25:00-07:00"])
def test_what_are_no_quiet_hours_is_refused(services: Services, person_id: int, hours: str) -> None:
    ctx = context(services, person_id, texted(services, person_id, "don't text me at night"))

    assert "quiet_hours" in refusal(ctx, "update_profile", {"quiet_hours": hours})
    assert person(services, person_id).quiet_hours is None


def test_with_memory_off_quiet_hours_can_be_set_and_no_more_of_a_profile(services: Services, person_id: int) -> None:
    ctx = context(services, person_id, texted(services, person_id, "I'm Alex, nothing after 23:00"), memory_on=False)

    both = refusal(ctx, "update_profile", {"quiet_hours": "23:00-08:00", "name": "Alex"})
    assert both.startswith("The person turned memory off for this conversation: nothing was read or changed.")
    assert person(services, person_id).quiet_hours is None

    assert call(ctx, "update_profile", quiet_hours="23:00-08:00")["quiet_hours"] == "23:00-08:00"
    assert person(services, person_id).quiet_hours == "23:00-08:00"
    assert person(services, person_id).name is None


@pytest.mark.parametrize("until", ["2026-11-20", "2028-01-01"])
def test_a_stay_that_is_over_or_never_ends_is_refused(services: Services, person_id: int, until: str) -> None:
    said = refusal(context(services, person_id), "update_profile", {"timezone": "Asia/Tokyo", "until": until})

    assert said == f"until: {until} is no day from today on, 366 days ahead at most. Ask for the day."
    assert person(services, person_id).timezone == "America/Los_Angeles"


def test_where_no_home_is_known_no_zone_comes_back(services: Services, person_id: int) -> None:
    with services.transaction() as db:
        people.by_id(db, person_id).timezone_source = "unknown"
    ctx = context(services, person_id)

    assert "then" not in call(ctx, "update_profile", timezone="Asia/Tokyo", until="2026-11-27")
    assert call(ctx, "update_profile", timezone="home")["known_already"] == ["timezone"]
