"""People who text: listed, searched, filtered, let in and blocked."""

import re
from datetime import date

import pytest

from app.delivery.inbox import IncomingText, take_in
from app.models import Message, Person, Spending
from app.services import Services
from tests.fakes import FrozenClock, InlineBackground
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import Someone, add_person

STRANGER = "+13125550200"


def names(page: str) -> list[str]:
    """Phone numbers of the people in the table, in order."""
    return re.findall(r'<td class="number">([^<]+)</td>', page)


@pytest.fixture
def waiting(services: Services) -> Someone:
    """A person who has texted and waits to be let in."""
    stranger = add_person(services, STRANGER, access="waiting")
    stranger.text("Hi, this is Sam", state="held")
    return stranger


def test_each_person_is_listed_whole(operator: Browser, services: Services, alex: Someone, clock: FrozenClock) -> None:
    turn = alex.turn("Hi", "Hello!")
    spent = ((date(2026, 11, 1), 150.0), (date(2026, 11, 21), 25.0), (date(2026, 10, 31), 900.0))
    with services.transaction() as db:
        for day, cents in spent:
            of = {"person_id": alex.id, "turn_id": turn.id, "is_settled": True, "at": clock.now()}
            db.add(Spending(day=day, cents=cents, **of))
    clock.advance(hours=3)
    page = operator.get("/people")
    assert in_words(page[page.index("<tbody>") : page.index("</tbody>")]) == (
        "Alex +12065550100 America/Los_Angeles allowed 3 h ago 2 Facts of Alex: 0 $1.75"
    )


def test_only_their_own_texts_bring_people_to_the_top_however_they_came(operator: Browser, services: Services) -> None:
    first, second, third = (add_person(services, f"+1206555010{n}") for n in range(3))
    for number, (person, body) in enumerate([(first, "Hi"), (second, "HELP"), (third, "Hi"), (second, "Hi again")]):
        take_in(services, IncomingText(f"SM{number:032x}", person.address, "+12065550000", body, "phone"))
    first.text("Good morning!", state="sent", direction="out")
    assert names(operator.get("/people")) == [second.address, third.address, first.address]
    prompts = re.findall(r'href="/admin/settings/prompt/(\d+)"', operator.get("/settings/prompt"))
    assert prompts == [str(one.id) for one in (second, third, first)]


@pytest.mark.usefixtures("alex", "waiting")
def test_people_are_found_by_part_of_their_name_the_end_of_their_number_or_all_of_it_and_by_access(
    operator: Browser, services: Services
) -> None:
    priya = add_person(services, "+442079460102", name="Priya Raman", access="blocked").address
    for query, found in (
        ("words=raman", [priya]),
        ("words=0100", ["+12065550100"]),
        ("words=(206)%20555-0100", ["+12065550100"]),
        ("words=%2B12065550100", ["+12065550100"]),
        *((f"words={masked}", []) for masked in ("100%25", "1206", "50100", "555")),
        ("access=allowed", ["+12065550100"]),
        ("access=blocked", [priya]),
        ("access=waiting", [STRANGER]),
    ):
        page = operator.get(f"/people?{query}")
        assert names(page) == found, query
        assert ("Nobody with “" in page) == (not found)
    elise = add_person(services, "+33123456789", name="Élise Österreich").address
    for words in ("élise", "ÖSTERREICH") * services.settings.is_sqlite:  # On PostgreSQL the locale decides it.
        assert names(operator.get(f"/people?words={words}")) == [elise], words


def test_pages_of_fifty_show_everyone_once_though_somebody_texts(operator: Browser, services: Services) -> None:
    people = [add_person(services, f"+1646555{n:04d}") for n in range(120)]
    for person in people[:70]:
        person.text("Hi")
    first = operator.get("/people")
    people[119].text("Hi")
    second, third = operator.pages(re.findall(r'href="/admin(/people\?after=[^"]+)"', first)[0])
    assert [len(names(page)) for page in (first, second, third)] == [50, 50, 19]
    assert len({number for page in (first, second, third) for number in names(page)}) == 119


@pytest.mark.usefixtures("alex")
def test_a_waiting_number_comes_first_with_what_it_texted_and_a_flood_of_them_does_not_hide_the_people(
    operator: Browser, services: Services, waiting: Someone
) -> None:
    page = operator.get("/people")
    assert page.index("Waiting to be let in") < page.index("Hi, this is Sam") < page.index("<tbody>")
    assert names(page) == ["+12065550100"]
    for number in range(1, 30):
        add_person(services, f"+1312555{number:04d}", access="waiting")
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
    operator: Browser, background: InlineBackground, waiting: Someone, did: str, says: str, access: str, state: str
) -> None:
    page = operator.act(f"{waiting.path}/{did}")
    assert says in page
    assert "Hi, this is Sam" in page
    assert says not in operator.get(waiting.path), "a reload repeats nothing"
    assert background.woken == ([waiting.id] if did == "let-in" else [])
    with waiting.services.reading() as db:
        assert db.get_one(Person, waiting.id).access == access
        assert db.query(Message).one().state == state


def test_what_cannot_be_kept_or_is_nobodys_is_refused_and_no_fault(operator: Browser) -> None:
    for query in ("people?words", "log?who", "memory?category", "settings/prompt?words"):
        assert operator.client.get(f"/admin/{query}=a%00b").status_code == 403, query
    assert operator.post("/people/1/let-in", reason="a\0b").status_code == 403
    for path in ("facts", "facts/1/forget", "routines/pause", "routines/end-pause"):
        assert operator.post(f"/people/99/{path}", fact="Likes tea").status_code == 404, path
