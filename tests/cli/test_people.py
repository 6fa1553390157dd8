"""Commands that let people in and keep them out."""

import json
import re
from pathlib import Path

import pytest
from sqlalchemy import select

from app.models import Message
from app.operations.alerts import open_alerts, raise_alert
from app.services import Services
from tests.cli.conftest import ALEX, KIM, Run
from tests.file_servers import CalendarServer, calendar, event
from tests.web.admin.scenes import add_person, add_text


def test_a_number_is_let_in_before_its_first_text_blocked_and_let_in_again(run: Run) -> None:
    nobody = run("people", "list")
    assert (nobody.exit_code, nobody.stdout) == (0, "")
    assert nobody.stderr.startswith("Nobody is known yet.")
    assert run.printed("people", "allow", "+1 206 555 0100") == f"{ALEX} may text.\n"
    assert run.printed("people", "list") == f"{ALEX}  allowed  America/Los_Angeles\n"
    (person,) = run.json("people", "list")
    assert (person["number"], person["access"], person["timezone"]) == (ALEX, "allowed", "America/Los_Angeles")
    assert run.printed("people", "block", ALEX) == f"{ALEX} is blocked.\n"
    assert run.json("people", "allow", ALEX)["access"] == "allowed"
    assert run.json("people", "block", ALEX)["access"] == "blocked"


def test_people_of_every_channel_are_let_in_and_what_is_no_channel_makes_nobody_known(run: Run) -> None:
    for typed, address in (
        ("whatsapp:+1 206 555 0100", f"whatsapp:{ALEX}"),
        ("messenger:1234567890", "messenger:1234567890"),
    ):
        assert run.printed("people", "allow", typed) == f"{address} may text.\n"
    for wrong in (f"signal:{ALEX}", f":{ALEX}", "messenger:", "messenger:x"):
        assert "names nobody who texts" in run.refusal("people", "allow", wrong, exit_code=2)
    assert len(run.json("people", "list")) == 2


@pytest.mark.parametrize("command", [("block",), ("retry",), ("show",), ("opt-out", "x"), ("calendar",)], ids=" ".join)
def test_of_a_number_that_nobody_knows_nothing_is_done(run: Run, alex: str, command: tuple[str, ...]) -> None:
    verb, *words = command
    assert run.refusal("people", verb, KIM, *words).startswith(f"Nobody with the number {KIM} is known.")


def test_people_of_an_earlier_assistant_are_taken_over_and_a_forgotten_name_is_not(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    file.write_text(json.dumps({ALEX: {"name": "Alex", "timezone": "Europe/Lisbon"}, "x": {"name": "?"}}))
    result = run("people", "import", str(file), "--allow")
    assert result.stdout == "1 taken over.\n"
    assert result.stderr.startswith("Left out: x: ")
    assert run.printed("people", "list") == f"{ALEX}  allowed  Europe/Lisbon  Alex\n"
    assert run.printed("text", "/memory forget name") == "Forgotten: your name. /undo brings it back.\n"
    assert run.printed("people", "list") == f"{ALEX}  allowed  Europe/Lisbon\n"
    assert [person["name"] for person in run.json("people", "list")] == [None]


def test_all_that_somebody_said_on_being_texted_is_shown(run: Run, alex: str) -> None:
    assert run.printed("people", "show", alex).endswith("It has not said yes or no to texts yet.\n")
    run("text", "stop everything")
    assert "Asked what is to stop: nothing that it did not ask for" in run.printed("people", "show", alex)
    run("text", "no, keep going")
    assert "Asked what is to stop" not in run.printed("people", "show", alex)
    for words in ("please stop texting me", "START", "Cancel"):
        run("text", words)
    assert "hear nothing until they text START" in run.printed("people", "allow", alex)
    (listed,), shown = run.json("people", "list"), run.json("people", "show", alex)
    assert (listed["access"], listed["opted_out_at"]) == ("allowed", shown["opted_out_at"])
    assert [(one["agrees"], one["how"], one["words"]) for one in shown["consents"]] == [
        (False, "own_words", "please stop texting me"),
        (True, "carrier_word", "START"),
        (False, "carrier_word", "Cancel"),
    ]
    lines = run.printed("people", "show", alex).splitlines()
    assert re.fullmatch(rf"{re.escape(alex)}  opted out .{{10}}  America/Los_Angeles", lines[0])
    assert re.fullmatch(r"Opted out since .{16} UTC: nothing is sent to it until it texts START\.", lines[1])
    assert lines[2].endswith('no  in their own words: "please stop texting me"')
    assert lines[4].endswith("""no  the carrier's word: "Cancel\"""")


def test_who_said_elsewhere_that_they_want_no_texts_is_opted_out_and_drives_no_terminal(run: Run, alex: str) -> None:
    assert "The proof is empty." in run.refusal("people", "opt-out", alex, " ")
    said = "Stop texting me\x1b]0;mine\x07 \x9b2J\u202e\n2020-01-01 09:00 UTC  yes  let in by the operator"
    opted_out = run.printed("people", "opt-out", alex, said)
    assert opted_out == f"{alex} has opted out, and hears nothing until it texts START.\n"
    assert run("text", "Hello").exit_code == 1
    assert run.printed("people", "show", alex).endswith(
        ': "Stop texting me\ufffd]0;mine\ufffd \ufffd2J\ufffd 2020-01-01 09:00 UTC yes let in by the operator"\n'
    )
    (consent,) = run.json("people", "show", alex)["consents"]
    assert (consent["agrees"], consent["how"], consent["words"]) == (False, "operator", said)


def test_a_blocked_number_gets_no_answer_at_the_terminal_either(run: Run, alex: str) -> None:
    run("people", "block", alex)
    assert "This number is blocked" in run.refusal("text", "Hello")


def test_the_operator_connects_a_calendar_whose_address_is_not_shown_again(run: Run, alex: str) -> None:
    with CalendarServer() as there:
        address = there.hold(calendar(event("a", "DTSTART:20261123T200000Z", "SUMMARY:Dentist")))
        connected = run.printed("people", "calendar", alex, address, "--name", "work", CALENDAR_ORIGINS=there.url)
    assert connected == f"Calendars of {alex}: work.\n"
    assert run.json("people", "calendar", alex) == {"number": alex, "calendars": ["work"]}
    refused = run.refusal("people", "calendar", alex, "http://127.0.0.1:1/private.ics")
    assert "begins with https" in refused
    assert "private" not in refused
    assert run.printed("people", "calendar", alex, "--remove") == f"Calendars of {alex}: none.\n"


def test_given_up_texts_are_tried_again_once_and_with_the_last_the_alert_ends(services: Services, run: Run) -> None:
    for number, access in ((ALEX, "blocked"), (KIM, "allowed")):
        add_text(services, add_person(services, number, access=access).id, "Hi", state="dead")
    with services.transaction() as db:
        raise_alert(db, "dead_letters", "A text was given up. Look at it.", services.clock.now())
    said = run.refusal("people", "retry", ALEX)
    assert said.startswith(f"{ALEX} is blocked, waits to be let in, or has opted out")
    assert "nothing would be sent" in said
    run("people", "allow", ALEX)
    assert run.printed("people", "retry", KIM).startswith("Texts tried again: 1.")
    for count, open_ones in ((1, ["dead_letters"]), (0, [])):
        with services.reading() as db:
            assert [alert.kind for alert in open_alerts(db)] == open_ones
        assert run.json("people", "retry", ALEX) == {"number": ALEX, "tried_again": count}
    with services.reading() as db:
        assert db.scalars(select(Message.state).where(Message.direction == "in")).all() == ["waiting", "waiting"]


def test_a_text_in_somebodys_name_shows_their_words_and_is_logged(run: Run, alex: str) -> None:
    run.printed("facts", "add", "Likes tea", "--person", alex)
    run.printed("text", "What do you know about me?", "--from", alex)
    assert "text  person 1  done" in run.printed("log", "list")
    assert "keepsake text" in run.printed("text", "/who looked", "--from", alex)
