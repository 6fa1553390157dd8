"""An operator's undo takes back the change that it names, and no other."""

import re

import pytest

from app.models import Person
from app.services import Services
from tests.memory.remembering import known
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_person
from tests.web.admin.test_fact_page import learn


def notice(page: str) -> str:
    return page[page.index('class="notice') : page.index("<h1")]


def undo_in(page: str) -> str:
    """The address of the undo that stands beside the sentence."""
    found = re.search(r'action="/admin(/people/\d+/changes/\d+/undo)"', notice(page))
    assert found is not None, in_words(notice(page))
    return found[1]


@pytest.fixture
def ben(services: Services) -> Person:
    return add_person(services, "+12065550177", name="Ben")


def facts(services: Services, person: Person) -> list[str]:
    return list(known(services, person.id).values())


def test_a_correction_that_changes_nothing_says_so_and_offers_no_undo(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    page = operator.act(f"/people/{alex.id}/facts/1", fact="Likes tea", category="")
    assert "Fact 1 says that already: nothing was changed." in page
    assert "undo" not in notice(page)

    operator.act(f"/people/{alex.id}/rules", trigger_kind="always", procedure="Be brief")
    page = operator.act(f"/people/{alex.id}/rules/1", trigger_kind="always", procedure="Be brief")
    assert "Rule 1 says that already: nothing was changed." in page
    assert "undo" not in notice(page)


def test_undo_of_forget_brings_that_back_and_leaves_what_was_learned_since(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    forgot = operator.act(f"/people/{alex.id}/facts/1/forget")
    learn(services, alex, "Has a kite")

    assert "The change is taken back." in operator.act(undo_in(forgot))

    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]
    assert "There is no such change left to take back." in operator.act(undo_in(forgot))
    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]


def test_a_change_that_a_later_one_stands_upon_is_not_taken_back_before_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    corrected = operator.act(f"/people/{alex.id}/facts/1", fact="Likes green tea", category="")
    again = operator.act(f"/people/{alex.id}/facts/1", fact="Likes black tea", category="")

    assert "Fact 1 was changed again since. Take the later change back first." in operator.act(undo_in(corrected))
    assert facts(services, alex) == ["Likes black tea"]
    page = operator.get(f"/people/{alex.id}/changes")
    assert page.count("A later change stands upon it") == 2

    operator.act(undo_in(again))
    operator.act(undo_in(corrected))
    assert facts(services, alex) == ["Likes tea"]


def test_each_row_of_changes_that_can_be_taken_back_has_its_own_undo(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea")
    learn(services, alex, "Has a kite")
    page = operator.get(f"/people/{alex.id}/changes")
    addresses = re.findall(r'action="/admin(/people/\d+/changes/\d+/undo)"', page)
    assert len(addresses) == 2
    operator.act(addresses[1])
    assert facts(services, alex) == ["Has a kite"]


def test_undo_beside_the_sentence_leads_back_to_the_page_it_stands_on_and_to_no_other_site(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Likes tea", "Has a kite")
    forgot = operator.act(f"/people/{alex.id}/facts/1/forget")
    here, address = f"/admin/people/{alex.id}/facts", undo_in(forgot)
    assert f'name="back" value="{here}"' in notice(forgot)
    assert operator.post(address, back=here).headers["Location"] == here
    assert sorted(facts(services, alex)) == ["Has a kite", "Likes tea"]
    for back in ("https://evil.example/admin/", "//evil.example", "/admin/\r\nX: 1", ""):
        assert operator.post(address, back=back).headers["Location"] == f"/admin/people/{alex.id}/changes"


def test_nobody_undoes_a_change_of_somebody_else(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Likes tea")
    assert "There is no such change" in operator.act(f"/people/{ben.id}/changes/1/undo")
    assert facts(services, alex) == ["Likes tea"]


def test_move_asks_first_with_both_people_and_the_sentence(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Has a birthday in May")
    response = operator.post(f"/people/{alex.id}/facts/1/move/ask", to="ben")
    page = in_words(response.text)
    assert response.status_code == 200
    assert "Fact 1 Has a birthday in May From Alex To Ben" in page
    assert facts(services, alex) == ["Has a birthday in May"]
    assert f'name="to_id" value="{ben.id}"' in response.text


@pytest.mark.parametrize("part", ["Be", "555", "+1206555017", ""])
def test_a_part_of_a_name_or_number_moves_nothing(
    operator: Browser, services: Services, alex: Person, ben: Person, part: str
) -> None:
    learn(services, alex, "Has a birthday in May")
    response = operator.post(f"/people/{alex.id}/facts/1/move/ask", to=part)
    assert response.status_code == 403
    assert "Nobody" in response.text
    assert facts(services, ben) == []


@pytest.mark.parametrize("whose", ["the first", "the other"])
def test_undo_of_a_move_leaves_the_fact_with_one_person(
    operator: Browser, services: Services, alex: Person, ben: Person, whose: str
) -> None:
    learn(services, alex, "Has a birthday in May")
    moved = operator.act(f"/people/{alex.id}/facts/1/move", to_id=str(ben.id))
    assert (facts(services, alex), facts(services, ben)) == ([], ["Has a birthday in May"])

    if whose == "the first":
        operator.act(undo_in(moved))
    else:
        operator.undo_newest(ben.id)

    assert (facts(services, alex), facts(services, ben)) == (["Has a birthday in May"], [])


def test_a_move_is_not_taken_back_under_a_later_correction_at_the_other(
    operator: Browser, services: Services, alex: Person, ben: Person
) -> None:
    learn(services, alex, "Has a birthday in May")
    moved = operator.act(f"/people/{alex.id}/facts/1/move", to_id=str(ben.id))
    operator.act(f"/people/{ben.id}/facts/1", fact="Has a birthday in June", category="")
    assert "Fact 1 was changed again since." in operator.act(undo_in(moved))
    assert (facts(services, alex), facts(services, ben)) == ([], ["Has a birthday in June"])


def test_the_address_of_a_refused_form_entered_again_shows_the_page_that_has_the_form(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, "Has a kite")
    for address in ("facts/1/move", "facts/1/move/ask"):
        assert "Has a kite" in operator.get(f"/people/{alex.id}/{address}")
    response = operator.client.get(f"/admin/people/{alex.id}/routines/7/run")
    assert response.headers["Location"].endswith(f"/people/{alex.id}/routines/7")
