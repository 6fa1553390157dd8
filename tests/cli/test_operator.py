"""The operators by the command line: made, listed, let back in, removed."""

import json
import re
from pathlib import Path

import pytest

from app.operators import FIRST_NAME, everyone, log_in
from app.services.passkeys import Opened
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import Run


def one_time(output: str) -> str:
    found = re.fullmatch(r"One-time password: (\S+)", output.strip())
    assert found is not None
    return found[1]


def test_a_reset_prints_a_password_that_works_and_ends_the_one_before(run: Run) -> None:
    first, second = (one_time(run("operator", "reset").stdout) for _ in range(2))
    assert first != second
    services = build_services(Settings())
    assert log_in(services, FIRST_NAME, first) is None
    assert isinstance(log_in(services, FIRST_NAME, second), Opened)
    assert first.encode() not in Path("instance/keepsake.db").read_bytes()


def test_a_reset_says_what_else_it_ended(run: Run) -> None:
    assert "Second factors are off" in run("operator", "reset").stderr


def test_an_operator_is_added_listed_let_back_in_by_name_and_removed(run: Run) -> None:
    run("operator", "reset")
    password = one_time(run("operator", "add", "sam").stdout)
    services = build_services(Settings())
    assert isinstance(log_in(services, "sam", password), Opened)

    assert run("operator", "list").stdout.splitlines() == [
        "operator  owner  one-time password",
        "sam  support  one-time password",
    ]
    listed = json.loads(run("operator", "list", "--json").stdout)
    assert [(one["name"], one["role"], one["has_app"]) for one in listed] == [
        ("operator", "owner", False),
        ("sam", "support", False),
    ]
    again = one_time(run("operator", "reset", "sam").stdout)
    assert log_in(services, "sam", password) is None
    assert isinstance(log_in(services, "sam", again), Opened)
    assert run("operator", "remove", "sam").stdout == "sam is removed.\n"
    assert [one.name for one in everyone(services)] == ["operator"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("reset", "nobody"), "no operator with the name nobody. There are: operator."),
        (("remove", "operator"), "operator is the only owner and cannot be removed."),
        (("add", "operator"), "There is an operator with the name operator already."),
        (("add", "two words"), "A name has up to 40 letters"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run: Run, arguments: tuple[str, ...], sentence: str) -> None:
    run("operator", "reset")

    result = run("operator", *arguments)

    assert result.exit_code == 1
    assert sentence in result.stderr


def test_before_the_first_start_the_list_says_how_the_first_is_made(run: Run) -> None:
    assert "`keepsake operator reset` makes the first." in run("operator", "list").stderr
