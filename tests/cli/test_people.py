"""Who may text, from the terminal."""

import json
import re
from pathlib import Path

from tests.calendar_server import CalendarServer, calendar, event
from tests.cli.conftest import Run

ALEX = "+12065550100"


def test_a_number_can_be_let_in_before_its_first_text(run: Run) -> None:
    assert run("people", "allow", "+1 206 555 0100").stdout == f"{ALEX} may text.\n"
    (person,) = json.loads(run("people", "list", "--json").stdout)
    assert (person["number"], person["access"]) == (ALEX, "allowed")
    assert person["timezone"] == "America/Los_Angeles"
    assert run("people", "list").stdout == f"{ALEX}  allowed  America/Los_Angeles\n"


def test_whoever_is_blocked_can_be_let_in_again(run: Run) -> None:
    run("people", "allow", ALEX)
    assert run("people", "block", ALEX).stdout == f"{ALEX} is blocked.\n"
    assert json.loads(run("people", "allow", ALEX, "--json").stdout)["access"] == "allowed"
    assert json.loads(run("people", "block", ALEX, "--json").stdout)["access"] == "blocked"


def test_that_nobody_is_known_is_said_apart_from_the_list(run: Run) -> None:
    result = run("people", "list")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("Nobody is known yet.")


def test_an_opt_out_is_seen_where_the_access_is(run: Run) -> None:
    run("people", "allow", ALEX)
    run("text", "STOP")
    (line,) = run("people", "list").stdout.splitlines()
    assert re.fullmatch(rf'{re.escape(ALEX)}  opted out \d{{4}}-\d\d-\d\d \("STOP"\)  America/Los_Angeles', line)
    (person,) = json.loads(run("people", "list", "--json").stdout)
    assert (person["access"], person["opted_out_at"] is not None) == ("allowed", True)
    assert "hear nothing until they text START" in run("people", "allow", ALEX).stdout
    run("text", "START")
    assert run("people", "allow", ALEX).stdout == f"{ALEX} may text.\n"
    assert json.loads(run("people", "list", "--json").stdout)[0]["opted_out_at"] is None


def test_a_number_that_is_not_known_cannot_be_blocked(run: Run) -> None:
    result = run("people", "block", ALEX)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Nobody with the number {ALEX} is known.")


def test_people_of_an_earlier_assistant_are_taken_over(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "people.json"
    file.write_text(json.dumps({ALEX: {"name": "Alex", "timezone": "Europe/Lisbon"}, "x": {"name": "?"}}))
    result = run("people", "import", str(file), "--allow")
    assert result.stdout == "1 taken over.\n"
    assert result.stderr.startswith("Left out: x: ")
    assert run("people", "list").stdout == f"{ALEX}  allowed  Europe/Lisbon  Alex\n"


def test_all_that_somebody_said_on_being_texted_is_shown(run: Run) -> None:
    run("people", "allow", ALEX)
    assert run("people", "show", ALEX).stdout.endswith("It has said nothing yet on being texted.\n")
    for words in ("please stop texting me", "START", "Cancel"):
        run("text", words)
    shown = json.loads(run("people", "show", ALEX, "--json").stdout)
    assert shown["opted_out_at"] is not None
    assert [(one["agrees"], one["how"], one["words"]) for one in shown["consents"]] == [
        (False, "own_words", "please stop texting me"),
        (True, "carrier_word", "START"),
        (False, "carrier_word", "Cancel"),
    ]
    lines = run("people", "show", ALEX).stdout.splitlines()
    assert lines[0] == f"{ALEX}  allowed  America/Los_Angeles"
    assert re.fullmatch(r"Opted out since .{16} UTC: nothing is sent to it until it texts START\.", lines[1])
    assert lines[2].endswith('no  in their own words: "please stop texting me"')
    assert lines[4].endswith("""no  the carrier's word: "Cancel\"""")


def test_what_somebody_says_on_being_texted_neither_drives_the_terminal_nor_passes_for_a_line_of_the_record(
    run: Run,
) -> None:
    texted = "Stop texting me\x1b]0;mine\x07 \x9b2J\u202e\n2020-01-01 09:00 UTC  yes  let in by the operator"
    run("people", "allow", ALEX)
    run("people", "opt-out", ALEX, texted)

    shown = run("people", "show", ALEX).stdout

    assert shown.endswith(
        ': "Stop texting me\ufffd]0;mine\ufffd \ufffd2J\ufffd 2020-01-01 09:00 UTC yes let in by the operator"\n'
    )
    assert json.loads(run("people", "show", ALEX, "--json").stdout)["consents"][-1]["words"] == texted


def test_whoever_has_said_elsewhere_that_they_want_no_texts_is_opted_out_by_the_operator(run: Run) -> None:
    run("people", "allow", ALEX)
    result = run("people", "opt-out", ALEX, "By phone: no more texts, please")
    assert result.stdout == f"{ALEX} has opted out, and hears nothing until it texts START.\n"
    assert run("text", "Hello").exit_code == 1
    (said,) = json.loads(run("people", "show", ALEX, "--json").stdout)["consents"]
    assert (said["agrees"], said["how"], said["words"]) == (False, "operator", "By phone: no more texts, please")
    assert run("people", "opt-out", "+12065550199", "x").exit_code == 1


def test_to_retry_the_texts_of_a_number_that_nobody_knows_is_refused(run: Run) -> None:
    result = run("people", "retry", "+12065550100")
    assert result.exit_code == 1
    assert "Nobody with the number +12065550100 is known." in result.stderr


def test_to_retry_where_nothing_was_given_up_says_so(run: Run) -> None:
    run("people", "allow", "+12065550100")
    assert json.loads(run("people", "retry", "+12065550100", "--json").stdout) == {
        "number": "+12065550100",
        "tried_again": 0,
    }


def test_the_operator_connects_a_calendar_whose_address_is_not_shown_again(run: Run) -> None:
    run("people", "allow", ALEX)
    with CalendarServer() as there:
        address = there.put(calendar(event("a", "DTSTART:20261123T200000Z", "SUMMARY:Dentist")))
        home = {"CALENDAR_ORIGINS": there.url}
        connected = run("people", "calendar", ALEX, address, "--name", "work", **home)
    assert connected.stdout == f"Calendars of {ALEX}: work.\n"
    listed = run("people", "calendar", ALEX, "--json")
    assert json.loads(listed.stdout) == {"number": ALEX, "calendars": ["work"]}
    refused = run("people", "calendar", ALEX, "http://127.0.0.1:1/private.ics")
    assert (refused.exit_code, "begins with https" in refused.stderr) == (1, True)
    assert "private" not in refused.stderr
    assert run("people", "calendar", ALEX, "--remove").stdout == f"Calendars of {ALEX}: none.\n"


def test_a_person_who_was_asked_what_is_to_stop_is_shown_as_such_until_they_answer(run: Run, alex: str) -> None:
    run("text", "stop everything")
    assert "Asked what is to stop: nothing that it did not ask for" in run("people", "show", alex).stdout
    run("text", "no, keep going")
    assert "Asked what is to stop" not in run("people", "show", alex).stdout
