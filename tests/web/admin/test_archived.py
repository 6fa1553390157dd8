"""What is archived of a person, on the operator's pages."""

import re

import pytest

from app.memory import facts
from app.models import Person
from app.services import Services
from tests.fakes import FrozenClock
from tests.memory.archiving import archived, held, put_away
from tests.memory.remembering import known, tell
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_person
from tests.web.admin.test_facts import listed

KITE = "Has an old kite"


@pytest.fixture
def told(services: Services, alex: Person) -> int:
    """Somebody of whom two things are known, the first of them archived."""
    tell(services, alex.id, KITE, "Likes tea")
    put_away(services, alex.id, 1)
    return alex.id


def test_f9_what_is_archived_is_listed_apart_and_brought_back(operator: Browser, services: Services, told: int) -> None:
    assert listed(operator.get(f"/people/{told}/facts")) == ["Likes tea"]
    page = operator.get(f"/people/{told}/archived")
    assert listed(page) == [KITE]
    assert f'action="/admin/people/{told}/facts/1/restore"' in page
    assert "Bring back" in page

    assert "Fact 1 is remembered again." in operator.act(f"/people/{told}/facts/1/restore")

    assert known(services, told) == {1: KITE, 2: "Likes tea"}
    assert "Nothing is archived" in operator.get(f"/people/{told}/archived")
    assert "no longer archived" in operator.get(f"/people/{told}/changes")
    assert "The change is taken back." in operator.undo_newest(told)
    assert archived(services, told) == [KITE]


def test_f9_it_is_found_by_its_words_and_marked(operator: Browser, told: int) -> None:
    found = operator.get(f"/people/{told}/facts?words=kites")

    assert listed(found) == [KITE]
    assert ">archived</span>" in found
    assert ">archived</span>" not in operator.get(f"/people/{told}/facts")


def test_f9_its_page_says_so_and_it_is_forgotten_from_there(operator: Browser, services: Services, told: int) -> None:
    page = operator.get(f"/people/{told}/facts/1")
    assert ">archived</span>" in page
    assert re.search(r'facts/1/restore">Bring back</button>', page)

    operator.act(f"/people/{told}/facts/1/forget")

    assert archived(services, told) == []
    assert listed(operator.get(f"/people/{told}/forgotten")) == [KITE]


def test_f9_correcting_it_brings_it_back(operator: Browser, services: Services, told: int) -> None:
    operator.post(f"/people/{told}/facts/1", fact="Has an old red kite", category="")

    assert known(services, told)[1] == "Has an old red kite"


def test_f9_the_operator_gives_a_fact_its_last_day_and_takes_it_away(
    operator: Browser, services: Services, told: int, clock: FrozenClock
) -> None:
    page = operator.act(f"/people/{told}/facts/2", fact="Likes tea", category="", last_day="2026-11-22")
    assert 'name="last_day" value="2026-11-22"' in page
    assert ">until 22 Nov 2026</span>" in page
    assert ">until 22 Nov 2026</span>" in operator.get(f"/people/{told}/facts")
    assert "has a last day" in operator.get(f"/people/{told}/changes")

    operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="")
    assert held(services, told, 2).expires_at, "a form without the field leaves it"

    clock.advance(days=3)
    operator.log_in()
    assert listed(operator.get(f"/people/{told}/facts")) == []
    assert listed(operator.get(f"/people/{told}/archived")) == ["Likes green tea", KITE]
    expired = operator.get(f"/people/{told}/facts/2")
    assert 'name="last_day" value=""' in expired, "whoever corrects it has it shown again"

    operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="", last_day="")
    assert known(services, told) == {2: "Likes green tea"}
    assert held(services, told, 2).expires_at is None


@pytest.mark.parametrize(("last_day", "why"), [("2020-01-01", "is over for this person"), ("soon", "is no day")])
def test_f9_a_last_day_that_will_not_do_is_given_back_with_the_reason(
    operator: Browser, services: Services, told: int, last_day: str, why: str
) -> None:
    response = operator.post(f"/people/{told}/facts/2", fact="Likes green tea", category="hot", last_day=last_day)

    assert response.status_code == 403
    assert why in response.text
    assert f'name="last_day" value="{last_day}"' in response.text
    assert "Likes green tea" in response.text
    assert known(services, told) == {2: "Likes tea"}


def test_f9_many_archived_facts_are_shown_fifty_at_a_time(operator: Browser, services: Services, told: int) -> None:
    for start in range(0, 60, 20):
        tell(services, told, *(f"Knows the word number{number}" for number in range(start, start + 20)))
    put_away(services, told, *range(3, 63))

    first = operator.get(f"/people/{told}/archived")
    second = operator.get(re.findall(r'href="/admin([^"]+skip=\d+)"', first)[0])

    assert [len(listed(page)) for page in (first, second)] == [50, 11]


def test_f9_one_persons_archive_is_not_on_anothers_page(operator: Browser, services: Services, told: int) -> None:
    other = add_person(services, "+12065550199", name="Blake")

    assert listed(operator.get(f"/people/{other.id}/archived")) == []
    assert operator.post(f"/people/{other.id}/facts/1/restore").status_code == 404
    with services.reading() as db:
        assert facts.count_archived(db, told, services.clock.now()) == 1


def test_f9_on_the_list_of_people_live_facts_are_counted(operator: Browser, told: int) -> None:
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", operator.get("/people")))

    assert re.search(r"Alex .* 1 ", page)
