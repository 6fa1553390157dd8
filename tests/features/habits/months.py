"""Made-up months of texts, labelled with the expected suggestions, and processed day by day as by the job.

A file in `tests/data/habits` begins with lines of `#`: what it is about, the `zone`, each habit that is to be suggested
(`suggest routine monday+friday 07:00 weather|rain`, `suggest rule shorter`), what the person `has` already, and where
they are from a day on (`moves 2026-10-12 Europe/Madrid`). Then come the texts by the person's own clock: theirs with
`>`, and with `<` what came to them by itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
from numpy.typing import NDArray

from app.clock import WEEKDAYS
from app.features.habits.habits import Known, Said, find
from app.models import Suggestion
from app.routines.suggestions import schedule_of

MONTHS = Path(__file__).resolve().parents[2] / "data" / "habits"
NEAR = timedelta(minutes=30)
Embed = Callable[[list[str]], NDArray[np.float32]]


@dataclass
class Month:
    name: str
    zone: str = "UTC"
    about: str = ""
    wanted: list[str] = field(default_factory=list)  # `routine daily 07:00 weather` or `rule shorter`.
    known: list[Known] = field(default_factory=list)
    moves: list[tuple[date, str]] = field(default_factory=list)
    texts: list[Said] = field(default_factory=list)

    def zone_on(self, day: date) -> str:
        return next((zone for since, zone in reversed(self.moves) if since <= day), self.zone)


def read(path: Path) -> Month:
    month = Month(f"{path.parent.name}/{path.stem}")
    heard_routine = False
    for number, line in enumerate(path.read_text().splitlines()):
        if line.startswith("# "):
            word, _, rest = line.removeprefix("# ").partition(" ")
            match word:
                case "zone":
                    month.zone = rest
                case "suggest":
                    month.wanted.append(rest)
                case "has":
                    kind, _, words = rest.partition(" ")
                    month.known.append(Known("rule" if kind == "rule" else "routine", words))
                case "moves":
                    day, zone = rest.split()
                    month.moves.append((date.fromisoformat(day), zone))
                case _:
                    month.about = f"{word} {rest}"
            continue
        at, who, words = line[:16], line[17], line[19:]
        wall = datetime.fromisoformat(at)
        if who == ">":
            there = wall.replace(tzinfo=ZoneInfo(month.zone_on(wall.date())))
            month.texts.append(Said(number, there, words, answers_routine=heard_routine))
        heard_routine = who == "<"
    return month


def months(part: str) -> list[Month]:
    return [read(path) for path in sorted((MONTHS / part).glob("*.txt"))]


def suggested_in(month: Month, embed: Embed | None) -> list[Suggestion]:
    """All that is suggested in the month, each once, when every evening what was said so far is looked at."""
    texts: Sequence[Said] = month.texts
    if embed is not None:
        vectors = embed([text.words for text in texts])
        texts = [replace(text, vector=vector) for text, vector in zip(texts, vectors, strict=True)]
    known, found = list(month.known), []
    day = month.texts[0].at.date()
    while day <= month.texts[-1].at.date():
        now = datetime.combine(day, time(23, 30), ZoneInfo(month.zone_on(day)))
        told = [replace(text, at=text.at.astimezone(now.tzinfo)) for text in texts if text.at <= now]
        for new in find(told, known, now):
            found.append(new)
            if new.kind == "rule":
                known.append(Known("rule", new.procedure or "", new.manner))
            else:
                known.append(Known("routine", new.words, schedule=schedule_of(new), was_asked=True))
        day += timedelta(days=1)
    return found


def measure(some: Sequence[Month], embed: Embed | None) -> tuple[float, float, str]:
    """Precision and recall of what is suggested in the months, and what was wrong and what was missed."""
    right, wrong, missed = 0, [], []
    for month in some:
        open_labels = list(month.wanted)
        for new in suggested_in(month, embed):
            fits = next((label for label in open_labels if _fits(new, label)), None)
            if fits is None:
                wrong.append(f"{month.name}: {new.kind} {new.words}")
            else:
                open_labels.remove(fits)
                right += 1
        missed += [f"{month.name}: {label}" for label in open_labels]
    return right / (right + len(wrong)), right / (right + len(missed)), f"wrong {wrong}; missed {missed}"


def _fits(new: Suggestion, label: str) -> bool:
    kind, _, rest = label.partition(" ")
    if kind != new.kind:
        return False
    if new.kind == "rule":
        return rest.casefold() in f"{new.words} {new.procedure} {new.manner}".casefold()
    schedule, (days, at, word) = schedule_of(new), rest.split(" ", 2)
    named = {"daily": (), "weekdays": WEEKDAYS[:5]}.get(days, tuple(days.split("+")))
    wanted, given = (datetime.combine(date.min, one) for one in (time.fromisoformat(at), schedule.times[0]))
    is_near = abs(wanted - given) <= NEAR and schedule.weekdays == named
    return is_near and any(one in new.words.casefold() for one in word.casefold().split("|"))
