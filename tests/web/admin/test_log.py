"""The log: what operators did and what happened, in one list by time, that can be verified."""

import html
import re
from typing import Any

import pytest
from sqlalchemy import text

from app import operators
from app.operations import alerts, audit
from app.services import Services
from tests.fakes import FrozenClock
from tests.tables import rows
from tests.web.admin.conftest import PASSWORD, Browser, in_words
from tests.web.admin.scenes import Someone, add_person


def lines(page: str) -> list[str]:
    """Rows of the table as lines, the newest first."""
    [body] = re.findall(r"<tbody[^>]*>(.*)</tbody>", page, re.DOTALL)
    return [in_words(row) for row in body.split("</tr>")[:-1]]


def entries(page: str) -> list[str]:
    """The lines of what the operator did, from what that was on."""
    return [line.split("operator ", 1)[1] for line in lines(page)]


def add_alert(services: Services, kind: str = "sender", *, over: bool = False) -> None:
    with services.transaction() as db:
        alerts.raise_alert(db, kind, "Nothing goes out.", services.clock.now())
        if over:
            alerts.clear(db, kind, services.clock.now())


@pytest.fixture
def mia(services: Services) -> Someone:
    return add_person(services, "+12065550199", name="Mia")


def test_what_operators_did_and_what_happened_stand_in_one_list_by_time(
    masked: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    def clear() -> None:
        with services.transaction() as db:
            alerts.clear(db, "sender", clock.now())

    for happen in (
        lambda: add_alert(services),
        lambda: alex.text("Crash!", state="dead"),
        lambda: masked.reveal(alex.id, "A reply was wrong"),
        clear,
        lambda: masked.post(f"{alex.path}/facts/7/forget"),
    ):
        clock.advance(minutes=1)
        happen()
    page = masked.get("/log")
    assert lines(page) == rows("log_of_looks.txt")
    assert "Answers last alive not yet Jobs last alive not yet Oldest unanswered none" in in_words(page)
    add_alert(services)
    assert "Open alerts sender" in masked.read("/log")


def test_an_entry_says_to_what_it_was_done_with_a_link_to_it(masked: Browser, alex: Someone, mia: Someone) -> None:
    for person in (alex, mia):
        person.learn("Likes tea", "Likes plums")
    both: Any = [f"{alex.id}-1", f"{mia.id}-1"]
    masked.post("/review", item="fact-4")
    masked.post("/memory", action="pin", chosen=f"{mia.id}-2")
    masked.post("/memory?kind=facts", action="pin", chosen=both)
    masked.post(f"{alex.path}/merge", numbers="1,2", fact="Likes tea and plums")
    page = masked.get("/log")
    assert entries(page)[:4] == [
        "merge into one facts 1 , 2 of Alex done 5",
        "change many pin; fact 1 of Alex ; fact 1 of Mia done 4",
        "change many pin; fact 2 of Mia done 3",
        "keep fact 2 of Mia done 2",
    ]
    assert page.count(f'href="/admin{mia.path}/facts/2"') == 2
    masked.post(f"{alex.path}/facts/1/move", to_id=f"{mia.id}")
    of_mia = entries(masked.get(f"/log?person={mia.id}"))
    assert [entry.split()[0] for entry in of_mia] == ["move", "change", "change", "keep"]


def test_an_operator_is_named_where_they_are_added_and_removed_if_they_are(masked: Browser, services: Services) -> None:
    masked.post("/operators", name="Dana", role="support", password=PASSWORD)
    masked.post("/operators", name="violetharbour", role="support", password="wrong")
    dana = operators.named(services, "dana").id
    assert f'<a href="/admin/operators/{dana}">dana</a>' in masked.get("/log")
    masked.post(f"/operators/{dana}/role", role="owner", password=PASSWORD)
    masked.post(f"/operators/{dana}/remove", password=PASSWORD)
    page = masked.get("/log")
    assert entries(page)[:6] == rows("log_of_roles.txt")
    for never in (f'href="/admin/operators/{dana}"', "violetharbour"):
        assert never not in page
    assert "written here before it is done" in page


def test_what_was_not_done_is_told_beside_and_by_an_entry(masked: Browser, services: Services, alex: Someone) -> None:
    def rename(table: str, name: str) -> None:
        with services.transaction() as db:
            db.execute(text(f"ALTER TABLE {table} RENAME TO {name}"))

    alex.learn("Likes tea")
    both: Any = [f"{alex.id}-1", f"{alex.id}-9"]
    masked.post("/memory", action="pin", chosen=both)
    rename("rules", "spoilt")
    assert masked.post(f"{alex.path}/rules/1/pause").status_code == 500
    rename("spoilt", "rules")
    page = masked.get("/log?kind=done")
    assert entries(page) == [
        "not done error entry 4; Alex 5",
        "pause rule rule 1 of Alex not done: error 4",
        "not done in part entry 2; Alex 3",
        "change many pin; facts 1 , 9 of Alex done in part 2",
    ]
    assert "has a second entry that says so" in page
    with services.reading() as db:
        assert audit.verify(db).is_whole


def test_a_persons_pages_lead_to_who_looked_at_their_words(masked: Browser, alex: Someone, mia: Someone) -> None:
    for person in (alex, mia):
        masked.reveal(person.id, f"{person.row.name} asked")
    for part in ("", "/facts", "/routines"):
        [link] = re.findall(r'<a href="/admin([^"]+)">who looked</a>', masked.get(f"{alex.path}{part}"))
        page = masked.get(html.unescape(link))
        assert "Alex asked" in page
        assert "Mia asked" not in page


def test_it_is_filtered_by_kind_by_operator_and_by_person(
    masked: Browser, services: Services, alex: Someone, mia: Someone
) -> None:
    masked.post(f"{mia.path}/block")
    masked.reveal(alex.id)
    with services.transaction() as db:
        audit.note(db, audit.TERMINAL, "facts list", services.clock.now(), shows=True)
    add_alert(services, over=True)
    alex.text("Crash!", state="dead")
    for query, shows in rows("found_in_log.jsonl"):
        page = masked.get(f"/log?{query}")
        assert re.findall(r'<th scope="row"><span class="mark [^>]*>([^<]+)<', page) == shows, query
        assert ("Nothing of that kind happened" in page) == (not shows)
    for made_up in ("x", "-", "20261121T170000.000000-9-1", "99999999T999999.000000-1-1", "<b>"):
        masked.get(f"/log?after={made_up}")


def test_pages_by_key_show_every_line_once_also_when_more_is_written_meanwhile(
    masked: Browser, services: Services, alex: Someone, clock: FrozenClock
) -> None:
    for number in range(40):
        if number % 5 == 0:  # Most things happen in the same instant, for the key to tell them apart.
            clock.advance(seconds=1)
        add_alert(services, f"kind{number}", over=True)
        masked.post(f"{alex.path}/facts/{number + 1}/pin")
        alex.text("Crash!", state="dead")

    seen: list[str] = []
    path: str | None = "/log"
    while path:
        page = masked.get(path)
        seen += lines(page)
        assert len(lines(page)) <= 50
        add_alert(services, f"later{len(seen)}")
        found = re.findall(r'href="/admin([^"]+)">Earlier<', page)
        path = html.unescape(found[0]) if found else None
    assert len(seen) == len(set(seen)) == 40 * 5 + 1

    page = masked.get(f"/log?kind=done&who=operator&person={alex.id}")
    kept = rf"kind=done&amp;who=operator&amp;person={alex.id}&amp;after="
    assert re.search(rf'href="/admin/log\?{kept}[^"]+">Earlier<', page), "what is asked for is kept from page to page"
    assert "About Alex alone." in html.unescape(re.sub(r"<[^>]+>", "", page))


def test_the_button_says_if_the_log_is_whole_or_where_not(masked: Browser, services: Services, alex: Someone) -> None:
    assert "The log is whole: all 2 entries stand as written." in masked.act("/log/verify")
    masked.reveal(alex.id)
    with services.transaction() as db:
        db.execute(text("UPDATE audit_entries SET reason = 'Something harmless' WHERE did = 'reveal'"))
    page = html.unescape(masked.act("/log/verify"))
    assert "The log breaks at entry 3: Entry 3 is not as it was written." in page


def test_r102_the_log_has_nobodys_words_and_no_number(masked: Browser, services: Services) -> None:
    person = add_person(services)
    masked.post(f"{person.path}/facts", fact="Likes violet tea", category="violets")
    person.learn("Has a violet car")
    person.text("A violet crash", state="dead")
    masked.reveal(person.id)
    page = masked.get("/log")
    assert "…0100" not in page, "they are revealed"
    assert "violet" not in page
    masked.post(f"{person.path}/reveal/end")
    page = masked.get("/log")
    assert "…0100" in page
    assert "2065550100" not in page
