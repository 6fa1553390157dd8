"""Names and zones of an earlier assistant, taken over from its own file."""

import json
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2

from app import people
from app.errors import NotFound, Refused
from app.people.user_config import import_legacy_file
from app.services import Services
from tests.memory.remembering import TOLD, add_person, person_at

ALEX, BLAIR, CASEY = "+12065550100", "+442079460018", "+12065550101"


def legacy_database(path: Path) -> Path:
    connection = dbapi2.connect(str(path))
    connection.execute("CREATE TABLE user_config (phone_number TEXT PRIMARY KEY, name TEXT, timezone TEXT)")
    rows = [
        (ALEX, "Alex", "Europe/Lisbon"),
        (BLAIR, None, "Europe/Paris"),
        ("nobody", "X", "UTC"),
        (CASEY, "C", "Moon/Sea"),
    ]
    connection.executemany("INSERT INTO user_config VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return path


def test_names_and_zones_come_over_from_the_table_of_an_sqlite_file(services: Services, tmp_path: Path) -> None:
    path = legacy_database(tmp_path / "50%41#old?.db")
    before = path.read_bytes()
    result = import_legacy_file(services, path, "waiting")
    assert result.people == [ALEX, BLAIR]
    assert [sentence.split(":")[0] for sentence in result.left_out] == ["nobody", CASEY]
    assert "Moon/Sea" in result.left_out[1]
    alex, blair = person_at(services, ALEX), person_at(services, BLAIR)
    assert (alex.name, alex.timezone, alex.timezone_source, alex.access) == ("Alex", "Europe/Lisbon", "told", "waiting")
    assert (blair.name, blair.timezone) == (None, "Europe/Paris")
    assert path.read_bytes() == before
    with services.reading() as db:
        assert people.by_address(db, CASEY) is None


@pytest.mark.parametrize(("field", "number"), [("phone_number", "+1 206 555 0100"), ("user_id", ALEX)])
def test_json_is_taken_over(field: str, number: str, services: Services, tmp_path: Path) -> None:
    path = tmp_path / "people.json"
    path.write_text(json.dumps([{field: number, "name": "Alex", "timezone": "Europe/Lisbon"}]), "utf-8-sig")
    assert import_legacy_file(services, path, "allowed").people == [ALEX]
    assert (person_at(services, ALEX).name, person_at(services, ALEX).access) == ("Alex", "allowed")


def test_what_a_person_has_told_us_themselves_stays(services: Services, tmp_path: Path) -> None:
    people.set_profile(services, add_person(services, ALEX), TOLD, name="Lex", timezone="Asia/Tokyo")
    import_legacy_file(services, legacy_database(tmp_path / "legacy.db"), "waiting")
    alex = person_at(services, ALEX)
    assert (alex.name, alex.timezone, alex.access) == ("Lex", "Asia/Tokyo", "allowed")


@pytest.mark.sqlite
def test_a_file_of_another_kind_and_one_without_people_are_refused(services: Services, tmp_path: Path) -> None:
    for content in (b"not json", b'"a word"', b"[1, 2]", b"[" * 100_000, b'{"people": [1], "+12065550100": {}}'):
        path = tmp_path / "people.json"
        path.write_bytes(content)
        with pytest.raises(Refused, match=r"people\.json"):
            import_legacy_file(services, path, "allowed")
    lacks = {tmp_path / "none.json": "no file", Path("/dev/null"): "an empty one"}
    for file, said in (lacks | {services.settings.database_path: "user_config"}).items():
        with pytest.raises(NotFound, match=said):
            import_legacy_file(services, file, "allowed")
