"""The subject of a log entry, read back from what was written, with the address of what is there still."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import url_for
from sqlalchemy import literal, select, tuple_, union
from sqlalchemy.orm import Session

from app.models import AuditEntry, Episode, Fact, Routine, Rule
from app.web import auth
from app.web.auth import may

_TABLES: dict[str, Any] = {"fact": Fact, "rule": Rule, "episode": Episode, "routine": Routine}
_GROUP = re.compile(r"(fact|rule|episode|routine) ((?:\d{1,9}(?:-\d{1,9})? ?)+)(and \d+ more)?")
_OPERATOR = re.compile(r"operator (\d{1,9})(?: (.+))?")

Key = tuple[str, int, int]
"""A row by its kind, its person and its number."""


@dataclass(frozen=True)
class Part:
    """Some rows of one kind and one person, or what else an entry says it is about."""

    words: str
    """The kind, in the singular or the plural; or all there is to say."""
    rows: list[tuple[str, str]]
    """The name of each, and its address where it is there still and may be opened."""
    person_id: int | None = None
    more: str = ""


def known_rows(db: Session, entries: Iterable[AuditEntry]) -> frozenset[Key]:
    """Those of the rows that the entries name which are there."""
    named = {key for entry in entries for key in _keys(entry)}
    looks = []
    for kind, table in _TABLES.items():
        of = [(person, number) for its_kind, person, number in named if its_kind == kind]
        rows = select(literal(kind), table.person_id, table.number)
        looks.append(rows.where(tuple_(table.person_id, table.number).in_(of)))
    return frozenset((kind, person, number) for kind, person, number in db.execute(union(*looks)))


def people_of(entry: AuditEntry) -> set[int | None]:
    """The people that the entry is about besides the one that it names."""
    return {person for _, person, _ in _keys(entry)}


def parts(entry: AuditEntry, known: frozenset[Key], operators: Mapping[int, str]) -> list[Part]:
    """The subjects of the entry, in the order in which they were written."""
    written = filter(None, entry.about.split(", "))
    return [part for one in written for part in _read(entry, one, known, operators)]


def _read(entry: AuditEntry, written: str, known: frozenset[Key], operators: Mapping[int, str]) -> Iterator[Part]:
    if operator := _OPERATOR.fullmatch(written):
        operator_id = int(operator[1])
        name = operator[2] or operators.get(operator_id, "")
        is_open = operators.get(operator_id) == name and may(auth.operator(), "admin.one_operator")
        href = url_for("admin.one_operator", operator_id=operator_id) if is_open else ""
        yield Part("operator", [(name or operator[1], href)])
    elif group := _GROUP.fullmatch(written):
        found: dict[int | None, list[tuple[str, str]]] = {}
        for person_id, number in _refs(entry, group[2]):
            is_there = (group[1], person_id, number) in known
            href = url_for(f"admin.{group[1]}", person_id=person_id, number=number) if is_there else ""
            found.setdefault(person_id, []).append((str(number), href))
        for person_id, rows in found.items():
            yield Part(group[1] if len(rows) == 1 else f"{group[1]}s", rows, person_id, group[3] or "")
    else:
        yield Part(written.removeprefix("action "), [])


def _refs(entry: AuditEntry, written: str) -> list[tuple[int | None, int]]:
    refs = [ref.rpartition("-") for ref in written.split()]
    return [(int(person) if person else entry.person_id, int(number)) for person, _, number in refs]


def _keys(entry: AuditEntry) -> Iterator[Key]:
    for group in filter(None, map(_GROUP.fullmatch, entry.about.split(", "))):
        yield from ((group[1], whose, number) for whose, number in _refs(entry, group[2]) if whose is not None)
