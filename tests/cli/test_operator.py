"""The operators by the command line: made, listed, let back in, removed."""

import re

import pytest

from app.operators import FIRST_NAME, everyone
from app.operators.login import log_in
from app.services.feature import CompletedLogin
from app.settings import Settings
from app.wiring import build_services
from tests.cli.conftest import DATABASE, Run

pytestmark = pytest.mark.usefixtures("migrated")


def one_time(output: str) -> str:
    found = re.fullmatch(r"One-time password: (\S+)", output.strip())
    assert found is not None
    return found[1]


def test_an_operator_is_added_listed_let_back_in_by_name_and_removed(run: Run) -> None:
    assert "`keepsake operator reset` makes the first." in run("operator", "list").stderr
    first = run("operator", "reset")
    assert "Second factors are off" in first.stderr
    password = one_time(run.printed("operator", "add", "sam"))
    services = build_services(Settings())
    assert isinstance(log_in(services, FIRST_NAME, one_time(first.stdout)), CompletedLogin)
    assert isinstance(log_in(services, "sam", password), CompletedLogin)
    assert password.encode() not in DATABASE.read_bytes()

    assert run.printed("operator", "list").splitlines() == [
        "operator  owner  one-time password",
        "sam  support  one-time password",
    ]
    assert [(one["name"], one["role"], one["has_app"]) for one in run.json("operator", "list")] == [
        ("operator", "owner", False),
        ("sam", "support", False),
    ]
    again = one_time(run.printed("operator", "reset", "sam"))
    assert log_in(services, "sam", password) is None
    assert isinstance(log_in(services, "sam", again), CompletedLogin)
    assert run.printed("operator", "remove", "sam") == "sam is removed.\n"
    assert [one.name for one in everyone(services)] == ["operator"]


def test_what_cannot_be_done_is_said_in_a_sentence(run: Run) -> None:
    run.printed("operator", "reset")
    for command, sentence in (
        ("reset nobody", "no operator with the name nobody. There are: operator."),
        ("remove operator", "operator is the only owner and cannot be removed."),
        ("add operator", "There is an operator with the name operator already."),
    ):
        assert sentence in run.refusal("operator", *command.split())
    assert "A name has up to 40 letters" in run.refusal("operator", "add", "two words")
