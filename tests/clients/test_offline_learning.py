"""What the offline model learns from a text, and what it leaves."""

import re
from pathlib import Path

import pytest

from tests.clients.offline_memory import Memory

DATA = Path(__file__).parent.parent / "data"
CHANGING = {"extract_memory", "update_memory", "remove_memory", "update_profile"}


def _rows(file: str) -> list[str]:
    lines = (DATA / file).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


LEARNED = _rows("offline_learned.txt")
NOT_LEARNED = _rows("offline_not_learned.txt")


@pytest.mark.parametrize("row", LEARNED)
def test_what_a_person_states_is_kept_in_one_call(row: str) -> None:
    text, expected = row.replace("\\n", "\n").split(" => ")
    facts, _, profile = (part.strip() for part in expected.partition("|"))

    told = Memory().tell(text)

    assert told.facts() == [fact.strip() for fact in facts.split(";") if fact.strip()]
    assert told.profile() == dict(part.split("=") for part in profile.split("|") if part)
    assert told.names().count("extract_memory") <= 1


@pytest.mark.parametrize("row", LEARNED)
def test_what_was_kept_is_said_back_to_the_person(row: str) -> None:
    told = Memory().tell(row.replace("\\n", "\n").split(" => ")[0])

    if told.facts():
        assert re.search(r"I'll remember that (?:your? |[a-z])", told.reply)


@pytest.mark.parametrize("text", NOT_LEARNED)
def test_what_is_no_lasting_statement_is_left(text: str) -> None:
    told = Memory().tell(text)

    assert not CHANGING & set(told.names())
    assert told.reply
