"""The weather in the form the model sees, from a stand-in for Open-Meteo on loopback."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from app import people
from app.conversation import turn
from app.features.weather import WEATHER
from app.features.weather.open_meteo import OpenMeteo
from app.features.weather.tool import weather_source
from app.services import Services
from app.tools.context import ToolContext
from app.tools.registry import offered
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.file_servers import File, page, redirect
from tests.memory.remembering import ANNA, TOLD, add_person, tell
from tests.open_meteo_server import KOLKATA, OpenMeteoServer
from tests.phoning import Phone
from tests.routines.routine_line import Coming
from tests.tools.calling import call, context, refusal


@pytest.fixture
def sky() -> Iterator[OpenMeteoServer]:
    with OpenMeteoServer() as server:
        yield server


@pytest.fixture
def outside(make_services: MakeServices, services: Services, sky: OpenMeteoServer) -> Iterator[Services]:
    with closing(OpenMeteo(services.clock, sky.url)) as weather:
        yield make_services(features=(WEATHER,), made={weather_source: weather})


@pytest.fixture
def ctx(outside: Services, person_id: int) -> ToolContext:
    return context(outside, person_id)


def test_today_is_told_with_its_parts_in_the_units_of_the_persons_country(ctx: ToolContext) -> None:
    told = call(ctx, "get_weather", place="Lisbon")
    assert (told["place"], told["units"]) == ("Lisbon, Lisbon District, Portugal", "°F, mph, inches")
    assert told["now"] == {"sky": "overcast", "degrees": 58, "feels_like": 55, "wind": 10}
    [today] = told["days"]
    assert today["day"] == "today, Saturday 21 November"
    assert (today["sky"], today["low"], today["high"], today["rain_chance"]) == ("light rain", 51, 63, 80)
    assert (today["rain"], today["wind"], today["sunrise"], today["sunset"]) == (0.1, 20, "07:21", "17:17")
    assert list(today["parts"]) == ["night", "morning", "afternoon", "evening"]
    assert today["parts"]["morning"] == {"sky": "partly cloudy", "degrees": 54, "rain_chance": 10}


def test_a_londoner_is_told_celsius_and_miles_an_hour_and_other_units_where_they_are_asked_for(
    outside: Services,
) -> None:
    ctx = context(outside, add_person(outside, "+442079460123"))
    assert call(ctx, "get_weather", place="Lisbon")["units"] == "°C, mph, mm"
    told = call(ctx, "get_weather", place="Lisbon", units="metric")
    assert told["units"] == "°C, km/h, mm"
    assert (told["days"][0]["low"], told["days"][0]["high"], told["days"][0]["rain"]) == (11, 17, 3.2)


def test_tomorrow_is_one_day_without_the_weather_of_now_and_a_week_is_seven(ctx: ToolContext) -> None:
    tomorrow = call(ctx, "get_weather", place="Lisbon", span="tomorrow")
    week = call(ctx, "get_weather", place="Lisbon", span="week")
    assert "now" not in tomorrow
    assert [day["day"] for day in tomorrow["days"]] == ["tomorrow, Sunday 22 November"]
    assert len(week["days"]) == 7
    assert week["days"][-1]["day"] == "Friday 27 November"
    assert "parts" not in week["days"][0]


def test_without_a_place_it_is_where_they_live(ctx: ToolContext, outside: Services, sky: OpenMeteoServer) -> None:
    tell(outside, ctx.person_id, "Sister lives in Kolkata", "Lives in Boston", "Moved to Portland, Oregon in 2021")
    assert call(ctx, "get_weather")["place"].startswith("Portland, ")
    assert sky.asked[0][1]["name"] == "Portland, Oregon"


def test_where_no_home_is_known_it_is_the_city_of_their_zone_and_that_is_said_or_the_town_is_asked_for(
    ctx: ToolContext, outside: Services
) -> None:
    people.set_profile(outside, ctx.person_id, TOLD, timezone="UTC")
    assert refusal(ctx, "get_weather", {}).startswith("It is not known which place is meant.")
    people.set_profile(outside, ctx.person_id, TOLD, timezone="America/New_York")
    tell(outside, ctx.person_id, "Lives in a small flat")
    told = call(ctx, "get_weather")
    assert told["place"].startswith("New York")
    assert "say for which place" in told["note"]
    tell(outside, ctx.person_id, "Lives in Lisbon")
    assert call(context(outside, ctx.person_id, memory_on=False), "get_weather")["place"].startswith("New York")


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (page(b'{"error": true, "reason": "Daily API request limit exceeded."}', 429), "no forecast until tomorrow"),
        (page(b"Bad Gateway", 502), "cannot be reached just now"),
        (page(b'{"error": true, "reason": "Cannot initialize"}', 400), "no usable answer"),
        (page(b"<html>"), "no usable answer"),
        (page(b'{"results": [{"name": 7}]}'), "no usable answer"),
        (page(b" " * 300_000), "no usable answer"),
        (redirect("http://127.0.0.1:1/"), "no usable answer"),
        (page(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}), "cannot be reached just now"),
    ],
)
def test_what_goes_wrong_there_is_a_sentence_that_can_be_passed_on(
    ctx: ToolContext, sky: OpenMeteoServer, odd: File, said: str
) -> None:
    sky.odd = odd
    assert said in refusal(ctx, "get_weather", {"place": "Lisbon"})
    sky.odd = None
    assert call(ctx, "get_weather", place="Lisbon")["place"].startswith("Lisbon")


def test_a_private_address_is_asked_only_where_the_setting_names_it(services: Services, person_id: int) -> None:
    asked: list[str] = []

    def hijacked(host: str, port: int, seconds: float) -> list[str]:
        asked.append(host)
        return ["127.0.0.1"]

    with closing(OpenMeteo(services.clock, lookup=hijacked)) as weather, pytest.raises(Exception, match="reached"):
        weather.forecast("Lisbon", 5.0)
    assert asked == ["geocoding-api.open-meteo.com"]


def test_the_same_place_is_looked_up_once_an_hour_however_it_is_written(
    ctx: ToolContext, outside: Services, sky: OpenMeteoServer
) -> None:
    for place in ("Lisbon", " lisbon", "LISBON"):
        call(ctx, "get_weather", place=place)
    assert [path for path, _ in sky.asked] == ["/v1/search", "/v1/forecast"]
    outside.clock.wait(3600)
    call(ctx, "get_weather", place="Lisbon", span="week")
    assert [path for path, _ in sky.asked] == ["/v1/search", "/v1/forecast"] * 2
    assert (sky.asked[1][1]["latitude"], sky.asked[1][1]["longitude"]) == ("38.72", "-9.13")


def test_today_is_the_day_of_the_place_also_where_it_began_within_the_hour(
    make_services: MakeServices, services: Services, person_id: int
) -> None:
    # 18:15 UTC is 23:45 in Kolkata, and 18:40 the next day there.
    services.clock.wait(timedelta(hours=1, minutes=15).total_seconds())
    with (
        OpenMeteoServer("2026-11-21T23:45", offset_seconds=19_800) as sky,
        closing(OpenMeteo(services.clock, sky.url)) as weather,
    ):
        ctx = context(make_services(features=(WEATHER,), made={weather_source: weather}), person_id)
        first = call(ctx, "get_weather", place=KOLKATA["name"])
        services.clock.wait(timedelta(minutes=25).total_seconds())
        second = call(ctx, "get_weather", place=KOLKATA["name"])
        week = call(ctx, "get_weather", place=KOLKATA["name"], span="week")
    assert first["days"][0]["day"] == "today, Saturday 21 November"
    assert second["days"][0]["day"] == "today, Sunday 22 November"
    assert len(week["days"]) == 7
    assert len(sky.asked) == 2


def test_it_is_offered_only_where_somebody_can_be_asked_and_answers_in_routines_too(
    services: Services, outside: Services, person_id: int
) -> None:
    for there, is_offered in ((services, False), (outside, True)):
        assert ("get_weather" in {tool["name"] for tool in offered(there)}) is is_offered
    assert call(replace(context(outside, person_id), is_routine=True), "get_weather", place="Lisbon")["place"]
    assert refusal(context(services, person_id), "get_weather", {}).startswith("There is no tool named 'get_weather'.")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("weather tomorrow?", "Tomorrow, Sunday 22 November: light rain, 51 to 63 F, 80% chance of rain."),
        ("Hey, what's the weather like in Lisbon today?", "Lisbon, Lisbon District, Portugal: now 58 F, overcast."),
        ("will it rain this week?", "Friday 27 November: light rain"),
        ("What’s the weather in Atlantis?", "No place named 'Atlantis' is known."),
    ],
)
def test_the_offline_model_answers_simple_questions(outside: Services, words: str, said: str) -> None:
    tell(outside, add_person(outside), "Lives in Lisbon")
    assert said in turn.run_turn(outside, ANNA, words).text


def test_the_offline_model_looks_the_weather_up_in_a_routine(outside: Services, background: InlineBackground) -> None:
    phone = Phone(outside, background)
    phone.text("I live in Lisbon")
    coming = Coming(phone)
    coming.run("Text them the weather", repeat="once", in_minutes=20)
    [text] = coming.pass_time(minutes=20)
    assert text.startswith("Lisbon, Lisbon District, Portugal: now 58 F, overcast.")
