"""Frozen scenes of texts, replies and the rows they leave: replayed, each has the same result."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from app.features import FEATURES
from app.features.calendars.ics import IcsCalendars
from app.features.offline.extract import ExtractiveSummariser
from app.features.offline.model import OfflineModel
from app.features.weather.open_meteo import OpenMeteo
from app.features.weather.tool import weather_source
from tests.claude_server import ClaudeServer, model_at
from tests.conftest import MakeLine
from tests.fakes import FrozenClock
from tests.file_servers import CalendarServer, calendar, event
from tests.frozen import DATA
from tests.keeping import summariser_at
from tests.line import Line
from tests.open_meteo_server import OpenMeteoServer
from tests.transcripts import Held, Scene, read, write

TRANSCRIPT = DATA / "transcript.md"
SCENES = read(TRANSCRIPT)
DENTIST = event("dentist", "DTSTART:20261124T200000Z", "DTEND:20261124T210000Z", "SUMMARY:Dentist")


@pytest.fixture
def installation(
    request: pytest.FixtureRequest, make_line: MakeLine, clock: FrozenClock, claude: ClaudeServer
) -> Iterator[tuple[Line, dict[str, str]]]:
    """The scene's line, with stand-ins for all partners, and the words that replace values that differ between runs."""
    scene: Scene = request.param
    with ExitStack() as stack:
        enter = stack.enter_context
        weather, calendars = enter(OpenMeteoServer()), enter(CalendarServer())
        of_claude, more = scene.about["model"] == "claude", scene.about.get("with", "")
        partners = {
            "model": enter(closing(model_at(claude, clock))) if of_claude else OfflineModel(clock),
            "summariser": ExtractiveSummariser() if "episodes" not in more else enter(summariser_at(claude, clock)),
            "embedder": request.getfixturevalue("meaning") if "meaning" in more else None,
            "features": FEATURES,
            "made": {weather_source: enter(closing(OpenMeteo(clock, weather.url)))},
            "calendars": enter(closing(IcsCalendars((calendars.url,)))),
        }
        line = make_line(partners, twilio_segments_per_second=0, **scene.settings)
        yield line, {"{calendar}": calendars.hold(calendar(DENTIST))}


@pytest.mark.every_row
@pytest.mark.parametrize(
    ("scene", "installation"), [(one, one) for one in SCENES], indirect=["installation"], ids=[s.title for s in SCENES]
)
def test_a_scene_goes_as_frozen(scene: Scene, installation: tuple[Line, dict[str, str]], claude: ClaudeServer) -> None:
    line, hidden = installation
    written = Held(scene, line, claude, hidden).written()
    if os.environ.get("KEEPSAKE_FREEZE"):
        write(TRANSCRIPT, scene, written)
    else:
        assert written == scene.written
    assert claude.refused == []
