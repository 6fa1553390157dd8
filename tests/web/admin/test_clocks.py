"""Each time on the pages says whose clock it is of: a person's own, or UTC."""

import re
from datetime import UTC, datetime

import pytest

from app.services import Services
from app.web.admin.shown import as_stamp
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser
from tests.web.admin.made_up import fill

A_TIME = re.compile(r"\d{1,2} \w{3} 20\d\d, \d\d:\d\d")


def test_every_time_with_a_date_has_its_mark(operator: Browser, services: Services, clock: FrozenClock) -> None:
    alex = fill(services, clock)
    operator.log_in()
    of = f"/people/{alex.id}"
    pages = {f"{of}{page}": "PST" for page in ("", "/facts/1", "/rules", "/episodes/1", "/routines/1", "/changes")}
    for path, mark in {**pages, "/log": "UTC", "/routines/history": "PST"}.items():
        text = " ".join(re.sub(r"<[^>]+>", " ", operator.get(path)).split())
        assert len(A_TIME.findall(text)) == len(re.findall(rf"{A_TIME.pattern} {mark}\b", text)), path
        assert A_TIME.search(text) or path == of, path


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("UTC", "21 Nov 2026, 17:00 UTC"),
        ("America/Los_Angeles", "21 Nov 2026, 09:00 PST"),
        ("Asia/Dubai", "21 Nov 2026, 21:00 UTC+04"),
        ("America/Sao_Paulo", "21 Nov 2026, 14:00 UTC-03"),
    ],
)
def test_the_mark_is_that_of_the_zone_at_that_instant(zone: str, said: str) -> None:
    assert as_stamp(datetime(2026, 11, 21, 17, tzinfo=UTC), zone) == said
