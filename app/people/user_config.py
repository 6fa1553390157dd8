"""Imports the names and time zones that an earlier assistant kept in `user_config`.

SQLite   a table `user_config` with `name`, `timezone` and the number in `phone_number`, `phone` or `user_id`
JSON     a list of objects with the same fields, or one object by number: {"+12065550100": {"name": "Alex"}}
"""

import json
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlcipher3 import dbapi2

from app import people
from app.errors import KeepsakeError, NotFound, Refused
from app.memory import Origin
from app.services import Services
from app.text.phone_number import parse_number

NUMBER_FIELDS = ("phone_number", "phone", "number", "user_id", "address")
SQLITE_MARK = b"SQLite format 3\0"


@dataclass
class ImportOutcome:
    """Outcome of an import, row by row."""

    people: list[str] = field(default_factory=list)  # Numbers of the rows taken over.
    left_out: list[str] = field(default_factory=list)  # A sentence on each row left out: its number and the reason.


def import_legacy_file(services: Services, path: Path, access: str) -> ImportOutcome:
    """Outcome of importing people from a legacy file; what people have told Keepsake themselves is kept.

    Raises:
        NotFound: there is no such file, or nothing or no `user_config` in it.
        Refused: the file is neither SQLite nor JSON of the forms above.
    """
    result = ImportOutcome()
    for row in _rows(path):
        written = next((str(row[name]) for name in NUMBER_FIELDS if row.get(name)), "")
        try:
            number, name, zone = parse_number(written), _text(row.get("name")), _text(row.get("timezone"))
            with services.transaction() as db:
                person = people.by_address(db, number)
                if person is None:
                    people.checked_profile(name, zone)  # Before a new person is added for it.
                    person = people.add(db, number, access=access, now=services.clock.now())
            name = name if person.name is None else None
            zone = zone if person.timezone_source != "told" else None
            if name or zone:
                people.set_profile(services, person.id, Origin("operator", "imported"), name=name, timezone=zone)
            result.people.append(number)
        except KeepsakeError as error:
            result.left_out.append(f"{written or 'A row without a number'}: {error}")
    return result


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file() or not path.stat().st_size:
        raise NotFound(f"{path} is no file, or an empty one.")
    with path.open("rb") as file:
        if file.read(len(SQLITE_MARK)) == SQLITE_MARK:
            return _rows_of_sqlite(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):  # JSON may be nested too deeply to read.
        raise Refused(f"{path} is neither an SQLite database nor JSON.") from None
    if isinstance(found, dict) and all(isinstance(row, dict) for row in found.values()):
        found = [{"phone_number": number, **row} for number, row in found.items()]
    if not isinstance(found, list) or not all(isinstance(row, dict) for row in found):
        raise Refused(f"{path} holds no list of people. Give a list of objects with phone_number, name and timezone.")
    return found


def _rows_of_sqlite(path: Path) -> list[dict[str, Any]]:
    with closing(dbapi2.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            cursor = connection.execute("SELECT * FROM user_config")
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
        except dbapi2.Error as error:
            raise NotFound(f"{path} holds no table user_config that can be read ({error}).") from None


def _text(value: object) -> str | None:
    return str(value) if value else None
