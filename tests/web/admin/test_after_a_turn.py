"""What the pages show of what a turn left behind in memory."""

import re

from app.memory import NewFact, Origin, remember
from app.models import Person
from app.services import Services
from tests.claude_server import call, say
from tests.conftest import MakeServices
from tests.fakes import FrozenClock
from tests.talking import talking
from tests.web.admin.conftest import Browser


def told(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_page_of_a_fact_tells_how_often_and_when_it_was_last_used(
    operator: Browser, services: Services, make_services: MakeServices, alex: Person, clock: FrozenClock
) -> None:
    facts = [NewFact("Has a dog named Max"), NewFact("Likes tea")]
    remember(services, alex.id, facts, Origin("assistant", "explicit"))
    assert "Used never" in told(operator.get(f"/people/{alex.id}/facts/1"))

    with talking(make_services, say("How is Max?"), say("Max again!")) as (_, text):
        for _ in range(2):
            clock.advance(hours=1)
            text(alex.address, "Hm")

    assert re.search(r"Used 2 times ?, last 21 Nov 2026, 11:00 PST", told(operator.get(f"/people/{alex.id}/facts/1")))
    assert "Used never" in told(operator.get(f"/people/{alex.id}/facts/2"))


def test_a_forgotten_name_is_on_no_page_of_people(operator: Browser, make_services: MakeServices, alex: Person) -> None:
    assert "Alex" in told(operator.get("/people"))

    with talking(make_services, call("update_profile", {"name": ""}), say("I've forgotten your name.")) as (_, text):
        text(alex.address, "Forget my name")

    for path in ("/people", f"/people/{alex.id}", f"/people/{alex.id}/facts", f"/people/{alex.id}/forgotten"):
        assert "Alex" not in told(operator.get(path))
    assert "no name yet" in told(operator.get("/people"))
    assert "name: Alex → not known" in told(operator.get(f"/people/{alex.id}/changes"))
