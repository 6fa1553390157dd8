from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from phonenumbers.tzdata import TIMEZONE_DATA

from app import people
from app.errors import NotFound, Refused
from app.services import Services
from tests.memory.remembering import OPERATOR, TOLD, add_person, person
from tests.tables import rows

# Where a code has several zones (Alaska, Idaho, South Dakota, mobiles of Britain or Australia), most people's.
ZONES = rows("zones_of_numbers.jsonl")


@pytest.mark.parametrize(("address", "zone"), ZONES)
def test_the_zone_is_guessed_from_the_number(address: str, zone: str) -> None:
    assert people.guess_timezone(address) == (zone, "guessed")
    assert ZoneInfo(zone).key == zone


TOLL_FREE = ("+18005550199", "+18885550199", "+15005550006")  # Anywhere in North America.


@pytest.mark.parametrize(
    "address", [*TOLL_FREE, *"+999123 12345 KEEPSAKE whatsapp: + +1 \0".split(" "), "no number", ""]
)
def test_a_number_that_tells_nothing_has_utc_and_says_that_it_is_not_known(address: str) -> None:
    assert people.guess_timezone(address) == ("UTC", "unknown")


@given(
    st.text()
    | st.integers(0, 10**15).map("+{}".format)
    | st.sampled_from(sorted(TIMEZONE_DATA)).map("+{}5550123".format)
)
def test_any_address_has_a_zone_that_exists(address: str) -> None:
    zone, source = people.guess_timezone(address)

    assert ZoneInfo(zone)
    assert source in {"guessed", "unknown"}


def test_a_profile_is_set_and_checked_as_a_whole(services: Services) -> None:
    person_id = add_person(services)

    with pytest.raises(Refused, match="'Nowhere' is not an IANA time zone"):
        people.set_profile(services, person_id, TOLD, name="Alex", timezone="Nowhere")
    for name in ("", " ", "x" * 81, "\x00\n"):
        with pytest.raises(Refused, match="A name has 1 to 80 characters"):
            people.set_profile(services, person_id, TOLD, name=name)
    assert person(services, person_id).name is None

    people.set_profile(services, person_id, OPERATOR, name="José  Ángel\n", timezone="Asia/Tokyo")
    one = person(services, person_id)
    assert (one.name, one.timezone, one.timezone_source) == ("José Ángel", "Asia/Tokyo", "told")


def test_nobody_that_is_not_there_can_be_changed(services: Services) -> None:
    for change in (people.let_in, people.block):
        with pytest.raises(NotFound):
            change(services, 99)
    with pytest.raises(NotFound):
        people.set_profile(services, 99, TOLD, name="Alex")
