"""Cases E: a night in which the clocks are set, on a clock of the machine that is there already.

The real server is started shortly before each hour that matters, with the library of Debian's `faketime`, which moves
the clock that the process sees; the command itself would start the server as a child, and not take it along. What is
asked for by text in the afternoon comes once, on a night that has its hour twice and on one that has it not at all.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.line import Line
from tests.serving import Serving

BERLIN, KOLKATA = "+4915112345678", "+919812345678"
ASKED = (
    (BERLIN, "Every day at 2:30am remind me to check the boiler"),
    (BERLIN, "Every day at 3:30am remind me to go to bed"),
    (KOLKATA, "Every day at 7am remind me to breathe"),  # Half past one at night in UTC: it shows that an hour is over.
)
COMES_SECONDS = 30.0  # Far more than the start and the five seconds before the hour take.

SET_BACK = (
    datetime(2026, 10, 24, 12, tzinfo=UTC),
    [
        ("2026-10-25 00:29:55", ["boiler"]),  # Half past two, for the first time.
        ("2026-10-25 01:29:55", ["breathe"]),  # And for the second.
        ("2026-10-25 02:29:55", ["bed"]),
    ],
)
SET_FORWARD = (
    datetime(2027, 3, 27, 12, tzinfo=UTC),
    [
        ("2027-03-28 00:59:55", ["boiler"]),  # Two o'clock, which is three: half past two is the first moment after it.
        ("2027-03-28 01:29:55", ["bed", "breathe"]),
    ],
)


@pytest.mark.parametrize(
    "night",
    [pytest.param(SET_BACK, id="set back"), pytest.param(SET_FORWARD, id="set forward", marks=pytest.mark.whole)],
)
def test_r70_in_a_night_in_which_the_clocks_are_set_each_reminder_comes_once(
    night: tuple[datetime, Sequence[tuple[str, list[str]]]], tmp_path: Path, line: Line
) -> None:
    [library] = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    afternoon, hours = night
    line.clock.set(afternoon)
    line.twilio.account.regions = ("+49", "+91")
    for sender, body in ASKED:
        line.text(body, sender=sender)
    assert sorted(_about(line.twilio.bodies)) == ["bed", "boiler", "breathe"]
    keepsake = Serving.live(tmp_path, line.twilio, TZ="UTC", DATABASE_URL=line.services.settings.database_url)
    told = len(ASKED)
    for at, come in hours:
        keepsake.start(under=["env", f"LD_PRELOAD={library}", f"FAKETIME=@{at}", "FAKETIME_DONT_FAKE_MONOTONIC=1"])
        told += len(come)
        try:
            words = [text.body for text in line.twilio.wait_for(told, COMES_SECONDS)]
        finally:
            keepsake.kill()
        assert sorted(_about(words[-len(come) :])) == sorted(come)
    assert Counter(_about(line.twilio.bodies)) == {"boiler": 2, "bed": 2, "breathe": 2}
    assert not any("Late" in words for words in line.twilio.bodies)


def _about(bodies: Sequence[str]) -> list[str]:
    return [word for body in bodies for word in ("boiler", "bed", "breathe") if word in body.casefold()]
