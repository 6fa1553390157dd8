"""The page of numbers: each figure with its definition, its table and its file, over hours, days and months."""

import csv
import hashlib
import html
import io
import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from app.jobs import count_hours
from app.models import Count, Message, Spending
from app.operations.numbers.figures import FIGURES
from app.services import Services
from tests.fakes import FrozenClock
from tests.tables import rows
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import BY_PERSON, Someone

STATIC = Path(__file__).parents[3] / "app" / "web" / "static"
DECISION = Path(__file__).parents[3] / "docs" / "decisions" / "0029-operator-pages.md"


@pytest.fixture
def an_hour(services: Services, clock: FrozenClock, alex: Someone) -> None:
    """Three answers and what they cost, in the hour from 17:00 in UTC; now it is 18:05."""
    clock.advance(seconds=3.0)
    usual = {"model_calls": 1, "memory_tokens": 100, "input_tokens": 100, "cache_read_tokens": 300}
    for gate, seconds in (("past", 2.0), ("past", 3.0), ("small talk", 4.0)):
        recalled = [{"kind": "fact", "id": 1}] if seconds > 2 else []
        took = {"recall_gate": gate, "recalled": recalled, "recall_ms": seconds, "model_seconds": seconds}
        turn = alex.turn("Hi", "Hello", **usual, **took)
        with services.transaction() as db:
            of = {"day": date(2026, 11, 21), "person_id": alex.id, "cents": 40.0, "at": clock.now()}
            db.add(Spending(**of, turn_id=turn.id))
            text = db.query(Message).where(Message.turn_id == turn.id, Message.direction == "out").one()
            text.sent_at, text.delivery = clock.now() + timedelta(seconds=seconds + 1), "delivered"
    alex.learn("Likes tea", origin=BY_PERSON)
    clock.advance(hours=1, minutes=5)
    count_hours.run(services)


def section(page: str, key: str) -> str:
    """The visible words in the card of one figure."""
    found = re.search(rf'<section[^>]+id="{key}".*?</section>', page, re.DOTALL)
    assert found is not None
    return in_words(found[0])


def file(operator: Browser, key: str, over: str = "hour") -> list[dict[str, str]]:
    answer = operator.client.get(f"/admin/numbers/{key}.csv?over={over}")
    assert answer.status_code == 200
    assert answer.content_type == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.text)))


@pytest.mark.usefixtures("an_hour")
def test_the_page_says_up_to_when_it_counts_what_its_percentiles_are_and_shows_empty_figures_at_the_end(
    operator: Browser, clock: FrozenClock
) -> None:
    page = operator.get("/numbers")
    counted = "Counted up to 21 Nov 2026, 18:05 UTC"
    for words in (counted, "and anew every two minutes.", "p50: half of them were no more than this. p95: nineteen of"):
        assert words in in_words(page)
    ids = re.findall(r'<section class="card chart" id="(\w+)"', page)
    assert set(ids) == {"people", *(figure.key for figure in FIGURES)}
    is_empty = ["Nothing in this time." in section(page, key) for key in ids]
    assert True in is_empty
    assert is_empty == sorted(is_empty)

    loaded = re.findall(r'(?:src|rel="stylesheet" href)="([^"]+)"', page)
    assert all(one.startswith("/static/") for one in loaded)
    assert not re.search(r'<style|style=|<script(?! (type="module" )?src)', page)
    sizes = [len(page.encode()), *((STATIC / one.removeprefix("/static/")).stat().st_size for one in loaded)]
    assert sum(sizes) < 250_000
    clock.advance(minutes=11)
    lagging = operator.read("/numbers")
    assert counted in lagging
    assert "What came since is not here yet" in lagging


@pytest.mark.usefixtures("an_hour")
def test_each_figure_stands_with_its_definition_and_its_table(operator: Browser) -> None:
    page = operator.get("/numbers")
    assert "19 Nov, 19:00 to 21 Nov, 18:00, on the clock of UTC" in page
    expected = dict(rows("figures_of_an_hour.jsonl"))
    for key, row in expected.items():
        told = section(page, key)
        figure = next(one for one in FIGURES if one.key == key)
        assert figure.means in told
        assert f"{row} 21 Nov, 18:00" in within_error(told), key
    assert "hit: past 1 miss: past 1 skip: small talk 1" in section(page, "recall")
    assert "claude-sonnet-5-5 $1.20" in section(page, "spend")
    assert "Alex $1.20" in section(page, "people")
    told = section(page, "writes")
    assert "21 Nov, 16:00 – " in told, "where nothing was counted nothing is known"
    assert told.endswith("21 Nov, 18:00 0")


def within_error(told: str) -> str:
    """Seconds to whole ones: a percentile may be off by a fortieth of itself."""
    return re.sub(r"(\d+)\.(\d) s", lambda found: f"{round(float(found[1] + '.' + found[2]))}.0 s", told)


@pytest.mark.usefixtures("an_hour")
def test_days_and_months_hold_what_their_hours_did_and_one_goes_back_and_returns(operator: Browser) -> None:
    for over, row in (("day", "21 Nov 2026 3"), ("month", "Nov 2026 3")):
        page = operator.get(f"/numbers?over={over}")
        assert row in section(page, "deliveries")
        assert f'href="/admin/numbers?over={over}" aria-current="page"' in page

    def follow(page: str, name: str) -> str:
        [address] = re.findall(rf'href="/admin(/numbers\?[^"]+)">{name}', page)
        return operator.get(html.unescape(address))

    page = operator.get("/numbers?over=hour")
    assert ">Later</a>" not in page
    earlier = follow(page, "Earlier")
    assert "17 Nov, 19:00 to 19 Nov, 18:00" in earlier
    assert ">Now</a>" in earlier
    assert "19 Nov, 19:00 to 21 Nov, 18:00" in follow(earlier, "Later")


OLD = "over=month&until=1000-05"  # Before its year no date is written with four digits.


def test_an_odd_address_shows_what_is_now(operator: Browser) -> None:
    for query in ("over=week", "until=soon", "until=2026-13-40T99", "over=day&until=2026-11-21T17", "until=9999", OLD):
        assert ">Later</a>" not in operator.get(f"/numbers?{query}"), query


@pytest.mark.usefixtures("an_hour")
def test_each_figure_is_a_file_with_its_numbers_as_they_are(
    operator: Browser, services: Services, alex: Someone
) -> None:
    [reply, nothing] = file(operator, "reply_seconds")
    assert (reply["began"], reply["times"], float(reply["sum"])) == ("2026-11-21T17", "3", 12.0)
    assert float(reply["p50"]) == pytest.approx(4.0, rel=0.025)
    assert float(reply["p95"]) == pytest.approx(5.0, rel=0.025)
    assert nothing == {"began": "2026-11-21T18", "label": "", "times": "0", "sum": "0", "p50": "", "p95": ""}
    cached = {"began": "2026-11-21", "label": "", "of": "1200", "part": "900", "share": "0.75"}
    assert file(operator, "cache_read", "day") == [cached]
    recalled = [f"2026-11 {label} 1" for label in ("hit: past", "miss: past", "skip: small talk")]
    assert [" ".join(row.values()) for row in file(operator, "recall", "month")] == recalled
    spent = {"began": "2026-11-21", "label": "claude-sonnet-5-5", "calls": "3", "cents": "120"}
    assert file(operator, "spend", "day")[0] == spent
    assert file(operator, "people") == [{"person": f"{alex.id}", "spent on": "claude-sonnet-5-5", "cents": "120"}]
    with services.transaction() as db:
        db.execute(update(Count).where(Count.figure == "cache_read").values(times=12345678))
    assert file(operator, "cache_read", "day")[0]["of"] == "12345678"
    for figure in FIGURES:
        file(operator, figure.key)
    missing = operator.client.get("/admin/numbers/password.csv")
    assert (missing.status_code, "no figure of that name" in missing.text) == (404, True)


def test_who_costs_most_stands_first_of_the_days_or_the_last_month(
    operator: Browser, services: Services, clock: FrozenClock, alex: Someone, ben: Someone
) -> None:
    spent = [(alex, date(2026, 10, 1), 99.0), (ben, date(2026, 11, 1), 9.0)]
    spent += [(alex, date(2026, 11, 21), 5.0), (ben, date(2026, 11, 21), 1.0)]
    with services.transaction() as db:
        of = {"person_id": alex.id, "direction": "in", "carrier": "phone", "state": "answered", "body": "x"}
        db.add(Message(**of, created_at=clock.now() - timedelta(days=60)))
        for person, day, cents in spent:
            at = clock.now() - (date(2026, 11, 21) - day)
            db.add(Spending(day=day, person_id=person.id, cents=cents, at=at))
            db.flush()
    count_hours.run(services)

    def people(over: str) -> list[tuple[str, str]]:
        page = re.search(r'<section[^>]+id="people".*?</section>', operator.get(f"/numbers?over={over}"), re.DOTALL)
        assert page is not None
        return re.findall(r"<bdi>(\w+)</bdi>.*?<td class=\"figure\">([^<]+)</td>", page[0], re.DOTALL)

    assert people("hour") == [("Alex", "5 ¢"), ("Ben", "1 ¢")]
    assert people("day") == people("month") == [("Ben", "10 ¢"), ("Alex", "5 ¢")]


def test_a_file_holds_nothing_to_run(operator: Browser, services: Services, clock: FrozenClock, alex: Someone) -> None:
    turn = alex.turn("Hi", "Hello", model="=HYPERLINK(1)")
    with services.transaction() as db:
        of = {"day": date(2026, 11, 21), "person_id": alex.id, "cents": 1.0, "at": clock.now()}
        db.add(Spending(**of, turn_id=turn.id))
    clock.advance(minutes=5)
    count_hours.run(services)
    for key in ("spend", "people"):
        assert "'=HYPERLINK(1)" in operator.client.get(f"/admin/numbers/{key}.csv").text
    assert "<b>" not in operator.get("/numbers")


def test_what_is_not_ours_is_as_it_was_published() -> None:
    written = DECISION.read_text()
    vendored = [one for one in (STATIC / "vendor").iterdir() if one.name.startswith("uPlot")]
    assert len(vendored) == 3
    for one in vendored:
        assert f"| `{one.name}` | " in written
        assert hashlib.sha256(one.read_bytes()).hexdigest() in written
