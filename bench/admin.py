"""Time to the first byte, and size, of every operator's page in a large installation.

Ten thousand people with a hundred texts and thirty facts each, beside ten such people; the two are measured in turn.
The pages come from the routes, so that none is left out. `python -m bench.admin [--people N] [--rounds N]`
"""

import argparse
import gzip
import random
import re
import tempfile
import time
from contextlib import chdir
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.routing import Rule as Route

from app.cli.serve import freeze_loaded_objects
from app.models import Change, ChangeItem, Episode, Fact, Occurrence, Routine, Rule, Spending
from app.routines.request import ScheduleRequest, from_request
from app.text.wording import normalise
from bench.filled import NOW, TEXTS_OF_A_PERSON, Installation, Rows, texts
from bench.load import percentile
from tests.fakes import FrozenClock
from tests.statements import asked

FEW_PEOPLE = 10
FACTS_OF_A_PERSON = 30
ROUTINES_OF_A_PERSON = 3
OCCURRENCES_OF_A_ROUTINE = 10
WARM_UP = 2
FIRST_BYTE_MS = 50.0
COMPRESSED_KB = 60.0
QUERIES = 12

CATEGORIES = ("family", "health", "work", "taste", None)
KINDS = ("likes", "owns", "knows", "remembers", "avoids", "collects")
THINGS = ("tea", "maps", "jazz", "clocks", "ferns", "chess")


@dataclass
class Looks:
    """Measurements of one page in one installation."""

    ms: list[float] = field(default_factory=list)
    core_ms: list[float] = field(default_factory=list)
    """Processor time; the rest of `ms` is waiting, which grows if the machine has other work."""
    queries: int = 0
    bytes: int = 0


class World(Installation):
    """An installation with `people` people, a logged-in operator, and the measurements of each page."""

    def __init__(self, path: Path, people: int) -> None:
        super().__init__(path, FrozenClock(NOW), f"{people:,} people", _rows(people), embeddings="none")
        self.people = people
        self.browser = self.open_pages()
        self.looks: dict[str, Looks] = {}

    def look(self, path: str, person_id: int) -> None:
        address = path.replace("PERSON", str(person_id))
        looks = self.looks.setdefault(path, Looks())
        with asked(self.services.store) as statements:
            began, core_began = time.perf_counter(), time.thread_time()
            response = self.browser.client.get(address)
            looks.core_ms.append((time.thread_time() - core_began) * 1000)
            looks.ms.append((time.perf_counter() - began) * 1000)
        assert response.status_code in {200, 303}, f"{address}: {response.status_code}"
        looks.queries = max(looks.queries, len(statements))
        looks.bytes = max(looks.bytes, len(gzip.compress(response.data, 6)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=10_000, help="people in the large installation")
    parser.add_argument("--rounds", type=int, default=20, help="how often each page is looked at")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        worlds = [World(Path(folder) / f"{people}.db", people) for people in (FEW_PEOPLE, given.people)]
        freeze_loaded_objects()
        chance = random.Random(0)
        for _ in range(given.rounds + WARM_UP):
            for path in _pages(worlds[0].browser.client.application):
                for world in worlds:
                    world.look(path, chance.randint(1, world.people))
        _show(*worlds)
        for world in worlds:
            world.services.store.close()


def _pages(app: Flask) -> list[str]:
    """Every page in the routes, with `PERSON` for the person's id and 1 for every other id."""
    return sorted(
        {
            _filled(route)
            for route in app.url_map.iter_rules()
            if route.rule.startswith("/admin")
            and "GET" in (route.methods or ())
            and not route.endpoint.endswith(("login", "_events"))  # Event streams never end.
            and all(kind == "int" for kind in re.findall(r"<(?:(\w+):)?\w+>", route.rule))
        }
    )


def _filled(route: Route) -> str:
    return re.sub(r"<[^>]+>", "1", route.rule.replace("<int:person_id>", "PERSON"))


def _rows(people: int) -> Rows:
    """Rows of a hundred texts for each person, and of the facts, rules, episodes, routines and spending with them."""
    yield from texts(people, NOW)
    numbers = range(1, people + 1)
    began = NOW - TEXTS_OF_A_PERSON // 2 * timedelta(days=1)
    yield Fact, (_fact(people, number, place) for place in range(FACTS_OF_A_PERSON) for number in numbers)
    yield (
        Change,
        (
            {"id": place * people + number, "person_id": number, "actor": "assistant", "verb": "remember", "at": began}
            for place in range(FACTS_OF_A_PERSON)
            for number in numbers
        ),
    )
    yield (
        ChangeItem,
        ({"change_id": one, "added_fact_id": one, "field": None} for one in range(1, FACTS_OF_A_PERSON * people + 1)),
    )
    yield Rule, (_rule(number) for number in numbers)
    yield Episode, (_episode(people, number, place) for place in range(5) for number in numbers)
    yield Routine, (_routine(people, number, place) for place in range(ROUTINES_OF_A_PERSON) for number in numbers)
    yield (
        Occurrence,
        (
            _occurrence(people, number, place, time_of)
            for time_of in range(OCCURRENCES_OF_A_ROUTINE)
            for place in range(ROUTINES_OF_A_PERSON)
            for number in numbers
        ),
    )
    yield (
        Spending,
        (
            {
                "day": (NOW - timedelta(days=day)).date(),
                "person_id": number,
                "cents": 0.4,
                "is_settled": True,
                "at": NOW,
            }
            for day in range(10)
            for number in numbers
        ),
    )


def _fact(people: int, number: int, place: int) -> dict[str, Any]:
    at = NOW - timedelta(days=FACTS_OF_A_PERSON - place)
    sentence = f"{KINDS[place % 6].capitalize()} {THINGS[place // 6]} of {1900 + place}"
    return {
        "id": place * people + number,
        "person_id": number,
        "number": place + 1,
        "version": 1,
        "sentence": sentence,
        "normalised": normalise(sentence),
        "category": CATEGORIES[place % len(CATEGORIES)],
        "source": ("explicit", "inferred")[place % 2],
        "confidence": (1.0, 0.7)[place % 2],
        "created_at": at,
        "recorded_at": at,
        "fresh_at": at,
        "message_id": place * 2 * people + 2 * number - 1,
    }


def _rule(number: int) -> dict[str, Any]:
    return {
        "id": number,
        "person_id": number,
        "number": 1,
        "version": 1,
        "trigger_kind": "always",
        "procedure": "Answer in one sentence",
        "normalised": "always answer in one sentence",
        "state": "active",
        "source": "explicit",
        "created_at": NOW,
        "recorded_at": NOW,
    }


def _episode(people: int, number: int, place: int) -> dict[str, Any]:
    at = NOW - timedelta(days=10 * (5 - place))
    return {
        "id": place * people + number,
        "person_id": number,
        "number": place + 1,
        "version": 1,
        "conversation_id": place * people + number,
        "upto_turn_id": (place * 10 + 9) * people + number,
        "trigger": "quiet",
        "summary": "They had a quiet day and a good walk by the lake.",
        "narrative": "They told of a quiet day, of a good walk by the lake, and of friends whom they met there.",
        "topics": ["walk", "lake"],
        "key_facts": ["They met friends."],
        "importance": 0.5,
        "message_count": 20,
        "started_at": at - timedelta(days=9),
        "ended_at": at,
        "written_by": "extractive",
        "recorded_at": at,
    }


def _routine(people: int, number: int, place: int) -> dict[str, Any]:
    at = NOW - timedelta(days=30)
    request = ScheduleRequest(repeat="daily", times=[f"{8 + 4 * place:02d}:{number % 60:02d}"])
    return {
        "id": place * people + number,
        "person_id": number,
        "number": place + 1,
        "does": "remind",
        "words": ("Stretch", "Drink water", "Call home")[place],
        "schedule": from_request(request, at, "America/Los_Angeles").as_dict(),
        "state": "active",
        "useful_minutes": 60,
        "at_night": False,
        "carrier": "phone",
        "source": "explicit",
        "next_due_at": NOW + timedelta(hours=1, seconds=(place * people + number) % 86_400),
        "created_at": at,
    }


def _occurrence(people: int, number: int, place: int, time_of: int) -> dict[str, Any]:
    at = NOW - timedelta(days=OCCURRENCES_OF_A_ROUTINE - time_of, hours=place, seconds=number % 3600)
    return {
        "routine_id": place * people + number,
        "person_id": number,
        "due_at": at,
        "run_at": at,
        "state": "sent",
        "late_seconds": number % 20,
        "said_at": at,
    }


def _show(few: World, many: World) -> None:
    print(
        f"\n{'':>36} | {'few: p50':>8} {'p95 ms':>7} | {'many: p50':>9} {'p95 ms':>7} | {'core: p50':>9} {'p95 ms':>7}"
        f" | {'ratio':>5} | queries |   kB"
    )
    for path, looks in many.looks.items():
        small, large = (sorted(world.looks[path].ms[WARM_UP:]) for world in (few, many))
        core = sorted(looks.core_ms[WARM_UP:])
        p95, kb = percentile(large, 0.95), looks.bytes / 1000
        beyond = [
            word
            for word, is_beyond in (
                (f"over {FIRST_BYTE_MS:.0f} ms", p95 > FIRST_BYTE_MS),
                (f"over {COMPRESSED_KB:.0f} kB", kb > COMPRESSED_KB),
                (f"over {QUERIES} queries", looks.queries > QUERIES),
                ("more queries than with few", looks.queries > few.looks[path].queries),
            )
            if is_beyond
        ]
        print(
            f"{path:>36} | {percentile(small, 0.5):>8.1f} {percentile(small, 0.95):>7.1f} | "
            f"{percentile(large, 0.5):>9.1f} {p95:>7.1f} | "
            f"{percentile(core, 0.5):>9.1f} {percentile(core, 0.95):>7.1f} | "
            f"{percentile(large, 0.5) / percentile(small, 0.5):>5.2f} | "
            f"{looks.queries:>7} | {kb:>4.1f} {', '.join(beyond)}"
        )


if __name__ == "__main__":
    main()
