"""What comes by itself, on a person's pages."""

import html
import re

from app.memory import Origin
from app.models import Person
from app.routines.schedule import Schedule
from app.routines.setting import NewRoutine, pause_all, set_routine
from app.routines.values import local_time
from app.services import Services
from tests.web.admin.conftest import Browser


def plain(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def test_before_anything_is_scheduled_the_page_says_what_will_stand_there(operator: Browser, alex: Person) -> None:
    page = operator.get(f"/people/{alex.id}/routines")
    assert "Nothing is scheduled" in page
    assert '<a href="/admin/people/1/routines" aria-current="page">Routines</a>' in page


def test_a_routine_is_listed_with_state_schedule_and_quiet_hours(
    operator: Browser, services: Services, alex: Person
) -> None:
    when = Schedule("daily", times=(local_time("times", "10:00"),))
    new = NewRoutine("remind", "Stretch <b>", when, zone="America/New_York")
    set_routine(services, alex.id, new, Origin("person", "explicit"), "phone")
    page = operator.get(f"/people/{alex.id}/routines")
    assert "<b>" not in page.partition("Stretch")[2][:20]
    assert "Stretch <b> daily at 10:00, America/New_York active" in plain(page)
    assert "Quiet hours: 22:00-07:00" in plain(page)
    pause_all(services, alex.id)
    assert "All are paused since" in plain(operator.get(f"/people/{alex.id}/routines"))
