"""A name forgotten by text, as the terminal shows people."""

import json
from pathlib import Path

from tests.cli.conftest import Run

ALEX = "+12065550100"


def test_a_name_forgotten_by_text_is_no_longer_listed(run: Run, tmp_path: Path) -> None:
    config = tmp_path / "people.json"
    config.write_text(json.dumps({ALEX: {"name": "Alex", "timezone": "Europe/Lisbon"}}))
    assert run("people", "import", str(config), "--allow").exit_code == 0
    assert "Alex" in run("people", "list").stdout

    assert run("text", "/memory forget name", "--from", ALEX).stdout == (
        "Forgotten: your name. /undo brings it back.\n"
    )

    assert run("people", "list").stdout == f"{ALEX}  allowed  Europe/Lisbon\n"
    assert [person["name"] for person in json.loads(run("people", "list", "--json").stdout)] == [None]
