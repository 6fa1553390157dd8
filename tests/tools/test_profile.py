import pytest

from app import people
from app.memory import undo
from app.models import Person
from app.services import Services
from tests.memory.remembering import BEN, add_person
from tests.tools.calling import call, context, refusal, texted


def person(services: Services, person_id: int) -> Person:
    with services.reading() as db:
        return people.by_id(db, person_id)


def test_a_name_and_a_zone_are_kept(services: Services, person_id: int) -> None:
    ctx = context(services, person_id, texted(services, person_id, "I'm Alex, in Lisbon this month"))

    assert call(ctx, "update_profile", name="  Alex \n", timezone=" Europe/Lisbon ") == {
        "memory_updated": True,
        "name": "Alex",
        "timezone": "Europe/Lisbon",
    }
    one = person(services, person_id)
    assert (one.name, one.timezone, one.timezone_source) == ("Alex", "Europe/Lisbon", "told")


def test_one_of_them_alone_leaves_the_other(services: Services, person_id: int) -> None:
    ctx = context(services, person_id)
    call(ctx, "update_profile", name="Alex")

    assert call(ctx, "update_profile", timezone="Asia/Kolkata") == {
        "memory_updated": True,
        "name": "Alex",
        "timezone": "Asia/Kolkata",
    }


def test_saying_the_same_again_is_no_change_to_undo(services: Services, person_id: int) -> None:
    ctx = context(services, person_id)
    call(ctx, "update_profile", name="Alex")
    call(ctx, "update_profile", name="Alex")

    assert undo(services, person_id) is not None
    assert undo(services, person_id) is None


@pytest.mark.parametrize(
    "zone",
    ["Lisbon", "PST8", "", " ", "America", "../../etc/passwd", "/etc/passwd", "a\x00b", "localtime", "Factory", "🌍"],
)
def test_what_is_no_zone_is_refused_with_examples(services: Services, person_id: int, zone: str) -> None:
    said = refusal(context(services, person_id), "update_profile", {"name": "Alex", "timezone": zone})

    assert "is not an IANA time zone. Give one such as America/New_York or Europe/Lisbon." in said
    assert person(services, person_id).name is None


@pytest.mark.parametrize(("name", "length"), [("", 0), ("  ", 0), ("\x00", 0), ("x" * 81, 81)])
def test_what_is_no_name_is_refused_with_the_limit(services: Services, person_id: int, name: str, length: int) -> None:
    said = refusal(context(services, person_id), "update_profile", {"name": name})

    assert said == f"A name has 1 to 80 characters; this one has {length}."


def test_nothing_given_is_refused(services: Services, person_id: int) -> None:
    assert "Nothing to change" in refusal(context(services, person_id), "update_profile", {})


def test_another_persons_profile_stays_as_it_is(services: Services, person_id: int) -> None:
    other = add_person(services, BEN)

    call(context(services, person_id), "update_profile", name="Alex", timezone="Europe/Lisbon")

    assert (person(services, other).name, person(services, other).timezone) == (None, "America/New_York")
