"""A stand-in for Open-Meteo's two services, places by name and their weather, in the form of the real ones."""

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.file_servers import File, page
from tests.loopback import Handler, Http, StandIn

LISBON = {
    "id": 2267057,
    "name": "Lisbon",
    "latitude": 38.71667,
    "longitude": -9.13333,
    "elevation": 45.0,
    "feature_code": "PPLC",
    "country_code": "PT",
    "timezone": "Europe/Lisbon",
    "population": 517802,
    "country": "Portugal",
    "admin1": "Lisbon District",
}
NEW_YORK = LISBON | {"name": "New York", "latitude": 40.71427, "longitude": -74.00597} | {
    "country": "United States", "country_code": "US", "admin1": "New York", "timezone": "America/New_York"
}  # fmt: skip
KOLKATA = LISBON | {"name": "Kolkata", "latitude": 22.56263, "longitude": 88.36304} | {
    "country": "India", "country_code": "IN", "admin1": "West Bengal", "timezone": "Asia/Kolkata"
}  # fmt: skip

CURRENT = {"temperature_2m": 14.2, "apparent_temperature": 12.9, "weather_code": 3, "wind_speed_10m": 16.0}
DAY = {
    "weather_code": 61,
    "temperature_2m_max": 17.4,
    "temperature_2m_min": 10.6,
    "precipitation_probability_max": 80,
    "precipitation_sum": 3.24,
    "wind_speed_10m_max": 32.2,
    "sunrise": "07:21",
    "sunset": "17:17",
}
HOUR = {"temperature_2m": 12.0, "precipitation_probability": 10, "weather_code": 2}


class OpenMeteoServer(StandIn):
    """Listens on 127.0.0.1 while the `with` block runs; it knows a few places, all with the same weather."""

    def __init__(self, local_now: str = "2026-11-21T17:00", offset_seconds: int = 0) -> None:
        self.places: dict[str, dict[str, Any]] = {
            "lisbon": LISBON,
            "new york": NEW_YORK,
            "kolkata": KOLKATA,
            "portland, oregon": LISBON | {"name": "Portland"},
        }
        self.local_now = datetime.fromisoformat(local_now)
        self.offset_seconds = offset_seconds
        self.odd: File | None = None
        """An answer that replaces all others."""
        self.asked: list[tuple[str, dict[str, str]]] = []
        """Path and parameters of each request."""
        super().__init__(_Handler)

    def answer(self, path: str, asked: dict[str, str]) -> Any:
        if path == "/v1/search":
            found = self.places.get(asked["name"].casefold())
            return {**({"results": [found]} if found else {}), "generationtime_ms": 0.5}
        assert path == "/v1/forecast"
        return self._forecast(asked)

    def _forecast(self, asked: dict[str, str]) -> dict[str, Any]:
        days = int(asked["forecast_days"])
        midnight = self.local_now.replace(hour=0, minute=0)
        hours = [midnight + timedelta(hours=hour) for hour in range(24 * days)]
        dates = [(midnight + timedelta(days=day)).date().isoformat() for day in range(days)]
        daily: dict[str, list[Any]] = {name: [DAY[name]] * days for name in asked["daily"].split(",")}
        for sun in ("sunrise", "sunset"):
            daily[sun] = [f"{day}T{DAY[sun]}" for day in dates]
        return {
            "latitude": float(asked["latitude"]),
            "longitude": float(asked["longitude"]),
            "generationtime_ms": 0.1,
            "utc_offset_seconds": self.offset_seconds,
            "timezone": "GMT",
            "timezone_abbreviation": "GMT",
            "elevation": 45.0,
            "current": {"time": self.local_now.isoformat(timespec="minutes"), "interval": 900}
            | {name: CURRENT[name] for name in asked["current"].split(",")},
            "hourly": {"time": [hour.isoformat(timespec="minutes") for hour in hours]}
            | {name: [HOUR[name]] * len(hours) for name in asked["hourly"].split(",")},
            "daily": {"time": dates} | daily,
        }


class _Handler(Handler):
    server: Http[OpenMeteoServer]

    def get(self) -> None:
        there = self.server.stand_in
        parts = urlsplit(self.path)
        there.asked.append((parts.path, dict(parse_qsl(parts.query))))
        answer = there.odd or page(json.dumps(there.answer(*there.asked[-1])).encode())
        self.answer(answer.status, answer.content, answer.headers)
