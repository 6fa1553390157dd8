import re
from datetime import date
from typing import Any

import pytest

from app.delivery.inbox import IncomingText, take_in
from app.models import Message, Person, Spending
from app.services import Services
from app.store.db import Database
from tests.fakes import FrozenClock, InlineBackground
from tests.statements import plan
from tests.web.admin.conftest import Browser
from tests.web.admin.scenes import add_person, add_text, add_turn


def names(page: str) -> list[str]:
    """Who the table lists, by number, in order."""
    return re.findall(r'<td class="number">([^<]+)</td>', page)


def test_each_person_is_listed_with_what_there_is_to_know(
    operator: Browser, services: Services, clock: FrozenClock
) -> None:
    alex = add_person(services, name="Alex")
    turn = add_turn(services, alex.id, "Hi", "Hello!")
    with services.transaction() as db:
        for day, cents in ((1, 150.0), (21, 25.0)):
            on = {"day": date(2026, 11, day), "at": clock.now(), "is_settled": True}
            db.add(Spending(person_id=alex.id, turn_id=turn.id, cents=cents, **on))
        db.add(Spending(person_id=alex.id, cents=900.0, day=date(2026, 10, 31), at=clock.now()))
    clock.advance(hours=3)

    page = operator.get("/people")

    row = re.sub(r"<[^>]+>|\s+", " ", page[page.index("<tbody>") : page.index("</tbody>")])
    assert re.sub(r"\s+", " ", row).strip() == (
        "Alex +12065550100 America/Los_Angeles allowed 3 h ago 2 Facts of Alex: 0 $1.75"
    )


def test_the_one_who_texted_last_comes_first(operator: Browser, services: Services) -> None:
    first, second, third = (add_person(services, f"+1206555010{n}") for n in range(3))
    for person in (second, third, first):
        add_text(services, person.id, "Hi")

    assert names(operator.get("/people")) == [first.address, third.address, second.address]


def test_only_their_own_texts_bring_people_to_the_top_by_whichever_way_they_came(
    operator: Browser, services: Services
) -> None:
    first, second, third = (add_person(services, f"+1206555010{n}") for n in range(3))
    for number, (person, body) in enumerate([(first, "Hi"), (second, "HELP"), (third, "Hi"), (second, "Hi again")]):
        take_in(services, IncomingText(f"SM{number:032x}", person.address, "+12065550000", body, "phone"))
    add_text(services, first.id, "Good morning!", state="sent", direction="out")

    page = operator.get("/people")

    assert names(page) == [second.address, third.address, first.address]
    prompts = re.findall(r'href="/admin/settings/prompt/(\d+)"', operator.get("/settings/prompt"))
    assert prompts == [str(one.id) for one in (second, third, first)]


@pytest.mark.parametrize("path", ["/people", "/people?access=blocked", "/people?after=70-3", "/settings/prompt"])
@pytest.mark.sqlite
def test_the_list_is_read_from_its_index_whoever_else_there_is(
    operator: Browser, database: Database, count_queries: Any, path: str
) -> None:
    operator.get(path)
    with count_queries() as statements:
        operator.client.get(f"/admin{path}")
    [listing, *_] = [one for one in statements if "last_text_id DESC" in one.sql]
    steps = [step for step in plan(database, listing) if "people" in step]
    assert steps
    assert all("USING COVERING INDEX ix_people_access_last_text_id (access=?" in step for step in steps), steps


def test_people_are_found_by_part_of_their_name_the_end_of_their_number_or_all_of_it(
    operator: Browser, services: Services
) -> None:
    add_person(services, "+12065550100", name="Alex")
    add_person(services, "+442079460102", name="Priya Raman")

    assert names(operator.get("/people?words=raman")) == ["+442079460102"]
    assert names(operator.get("/people?words=0100")) == ["+12065550100"]
    assert names(operator.get("/people?words=(206) 555-0100".replace(" ", "%20"))) == ["+12065550100"]
    assert "Nobody with “100%”" in operator.get("/people?words=100%25")


def test_people_are_filtered_by_access(operator: Browser, services: Services) -> None:
    for number, access in enumerate(("allowed", "blocked", "waiting")):
        add_person(services, f"+1206555010{number}", access=access)

    for number, access in enumerate(("allowed", "blocked", "waiting")):
        assert names(operator.get(f"/people?access={access}")) == [f"+1206555010{number}"]


def test_pages_of_fifty_show_everyone_once_also_when_somebody_texts_meanwhile(
    operator: Browser, services: Services
) -> None:
    people = [add_person(services, f"+1646555{n:04d}") for n in range(120)]
    for person in people[:70]:
        add_text(services, person.id, "Hi")

    first = operator.get("/people")
    add_text(services, people[119].id, "Hi")
    second = operator.get(re.findall(r'href="/admin(/people\?after=[^"]+)"', first)[0])
    third = operator.get(re.findall(r'href="/admin(/people\?after=[^"]+)"', second)[0])

    assert [len(names(page)) for page in (first, second, third)] == [50, 50, 19]
    seen = [number for page in (first, second, third) for number in names(page)]
    assert len(set(seen)) == 119
    assert "Next page" not in third


def test_a_waiting_number_comes_first_with_what_it_texted(operator: Browser, services: Services) -> None:
    waiting = add_person(services, "+13125550200", access="waiting")
    add_text(services, waiting.id, "Hi, this is Sam", state="held")
    add_person(services, name="Alex")

    page = operator.get("/people")

    assert page.index("Waiting to be let in") < page.index("Hi, this is Sam") < page.index("<tbody>")
    assert f'formaction="/admin/people/{waiting.id}/let-in"' in page
    assert f'formaction="/admin/people/{waiting.id}/block"' in page
    assert names(page) == ["+12065550100"]


def test_a_flood_of_waiting_numbers_does_not_hide_the_people(operator: Browser, services: Services) -> None:
    for number in range(30):
        add_person(services, f"+1312555{number:04d}", access="waiting")
    add_person(services, name="Alex")

    page = operator.get("/people")

    assert page.count("/let-in") == 10
    assert 'href="/admin/people?access=waiting">All 30' in page
    assert len(names(operator.get("/people?access=waiting"))) == 30


@pytest.mark.parametrize(
    ("did", "says", "access", "state"),
    [
        ("let-in", "Let in. What they texted meanwhile is being answered.", "allowed", "waiting"),
        ("block", "Blocked. Their texts are kept and not answered.", "blocked", "unanswered"),
    ],
)
def test_letting_a_number_in_has_its_texts_answered_and_blocking_it_keeps_them(
    operator: Browser, services: Services, background: InlineBackground, did: str, says: str, access: str, state: str
) -> None:
    waiting = add_person(services, "+13125550200", access="waiting")
    text = add_text(services, waiting.id, "Hi, this is Sam", state="held")
    page = operator.act(f"/people/{waiting.id}/{did}")
    assert says in page
    assert "Hi, this is Sam" in page
    assert background.woken == ([waiting.id] if did == "let-in" else [])
    with services.reading() as db:
        assert db.get_one(Person, waiting.id).access == access
        assert db.get_one(Message, text.id).state == state


def test_before_a_number_is_blocked_it_is_asked_and_letting_in_stands_beside_it_without_a_question(
    operator: Browser, services: Services
) -> None:
    waiting = add_person(services, "+13125550200", access="waiting")
    add_text(services, waiting.id, "Hi, this is Sam", state="held")

    for path in ("/", "/people", f"/people/{waiting.id}"):
        page = operator.get(path)
        assert "Hi, this is Sam" in page
        let_in, block = (page.index(f'formaction="/admin/people/{waiting.id}/{did}"') for did in ("let-in", "block"))
        asked = page.index('<details class="asking">')
        assert let_in < asked < page.index("nothing more is sent to them") < block < page.index("</details>", asked)


def test_an_action_is_not_repeated_by_a_reload(operator: Browser, alex: Person) -> None:
    response = operator.post(f"/people/{alex.id}/block")

    assert response.status_code == 303
    assert "Blocked." in operator.get(f"/people/{alex.id}")
    assert "Blocked." not in operator.get(f"/people/{alex.id}")
