"""The process log: the entries that it has, and the words that it never contains."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from typing import Literal

import pytest
from sqlalchemy.exc import OperationalError

from app.cli.process_log import Mask, log_to_stderr
from app.clients.claude import ClaudeModel
from app.errors import Refused
from tests.claude_server import ClaudeServer, Reply, call, error, html, overloaded, say
from tests.cli.conftest import ROOT
from tests.conftest import MakeLine
from tests.line import Line
from tests.tables import rows
from tests.twilio_server import (
    ACCOUNT_SID,
    AUTH_TOKEN,
    CUT_AFTER_ACCEPTING,
    HTML_503,
    PERSON,
    PROBLEM_400,
    PUBLIC_URL,
    TOO_MANY,
    inbound_form,
)

Written = Callable[[], str]


@pytest.fixture
def log(_logging_as_before: None, capsys: pytest.CaptureFixture[str]) -> Callable[..., Written]:
    """A function that starts the log, and returns one that reads the lines written since."""

    def begin(form: Literal["text", "json"] | None = "json", secrets: tuple[str, ...] = ()) -> Written:
        log_to_stderr(logging.DEBUG, form=form, secrets=secrets)
        return lambda: capsys.readouterr().err

    return begin


def test_r102_where_no_terminal_reads_along_a_line_is_an_object_with_its_time_and_the_ids_of_whom_it_is_about(
    log: Callable[..., Written],
) -> None:
    written = log(None)
    logging.getLogger("app.conversation").warning("Turn %s of person %d: message %s is unknown", 7, 3, 12)
    line = json.loads(written())
    assert str(line.pop("time")).endswith("+00:00")
    assert line == {
        "level": "WARNING",
        "logger": "app.conversation",
        "message": "Turn 7 of person 3: message 12 is unknown",
        "turn_id": 7,
        "person_id": 3,
        "message_id": 12,
    }


def test_for_people_a_line_is_text_and_no_text_can_pretend_to_be_a_line(log: Callable[..., Written]) -> None:
    written = log("text")
    logging.getLogger("app.web").error("One\n2026-11-21 ERROR app: forged")
    [line] = written().splitlines()
    assert line.endswith(" ERROR app.web: One\\n2026-11-21 ERROR app: forged")


@pytest.mark.parametrize(("said", "shown"), rows("masked.tsv"))
def test_r102_numbers_keys_and_signed_addresses_are_masked(said: str, shown: str) -> None:
    assert Mask()(said) == shown


def test_r102_the_settings_own_secrets_are_masked_whatever_they_look_like() -> None:
    assert Mask(["tulip", "tulips and more", "ab"])("tulip, tulips and more, abc") == "…, …, abc"


WORDS = "my secret words"


def break_down(cause: Exception) -> None:
    try:
        raise cause  # noqa: TRY301  (as it comes from somewhere below)
    except Exception as error:
        raise RuntimeError(WORDS) from error


def test_r102_an_errors_own_words_are_left_out_where_they_may_be_somebodys(log: Callable[..., Written]) -> None:
    written = log()
    logger = logging.getLogger("app")
    for broken in (
        ValueError(f"invalid literal: {WORDS!r}"),
        KeyError(WORDS),
        Refused("Nobody at +12065550100."),
        OperationalError(f"SELECT {WORDS!r}", {"body": WORDS}, Exception("database is locked")),
    ):
        try:
            break_down(broken)
        except RuntimeError:
            logger.exception("Turn 4 failed")
        logger.warning("Because of %s", broken)
    said = written()
    assert WORDS not in said
    assert "2065550100" not in said
    for kept in (
        "Refused: Nobody at +1206…00.",
        "database is locked",
        "ValueError",
        "RuntimeError",
        "test_process_log.py",
    ):
        assert kept in said


def test_r102_errors_that_end_a_thread_and_the_process_are_logged_without_their_words() -> None:
    program = """
import logging, threading
from app.cli.process_log import log_to_stderr, log_uncaught_errors

def fail():
    raise ValueError("my " + "words")

log_to_stderr(logging.INFO, form="json")
log_uncaught_errors()
thread = threading.Thread(target=fail)
thread.start()
thread.join()
fail()
"""
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    told = [json.loads(one) for one in ended.stderr.splitlines()]
    assert [line["level"] for line in told] == ["CRITICAL"] * 2
    assert all("ValueError" in line["error"] for line in told)
    assert "my words" not in ended.stderr


BODIES = ("my diary is under the mat", "the goldfish is called Bartholomew", "nobody may read these words")
KEEP = "extract_memory"


@pytest.mark.sqlite
def test_r102_after_a_day_with_faults_the_log_at_debug_holds_no_word_number_or_key_of_anybody(
    make_line: MakeLine, claude: ClaudeServer, claude_model: ClaudeModel, log: Callable[..., Written]
) -> None:
    line = make_line({"model": claude_model}, anthropic_api_key=claude.key)
    written = log(secrets=line.services.settings.secrets)
    logging.getLogger().setLevel(logging.DEBUG)
    claude.otherwise = say(BODIES[1])
    _live_a_day(line, claude)
    said = written()
    assert len(said.splitlines()) > 30, "the libraries speak at DEBUG, too"
    for secret in (*BODIES, "Bartholomew", "goldfish", "diary", PERSON[1:], AUTH_TOKEN, claude.key, ACCOUNT_SID):
        assert secret not in said, next(line for line in said.splitlines() if secret in line)
    for sent in line.twilio.accepted:
        assert str(sent.status_callback).partition("m=")[2] not in said
    for told in ("was not signed by Twilio", "no such table", "registry.py"):
        assert told in said


def _live_a_day(line: Line, claude: ClaudeServer) -> None:
    """Texts answered, refused, cut off and broken, in every way at hand."""

    def text(*replies: Reply) -> None:
        claude.queue(*replies)
        line.text(BODIES[0])

    def run_sql(statement: str) -> None:
        with line.services.transaction() as db:
            db.connection().exec_driver_sql(statement)

    text(call(KEEP, {"facts": [{"fact": BODIES[1]}]}), say(BODIES[1]))
    text(call(KEEP, {"facts": BODIES[2]}), say(BODIES[1]))
    text(call("no_such_tool", {"words": BODIES[2]}), say(BODIES[1]))
    text(html(), overloaded(), say(BODIES[1]))
    for fault in (CUT_AFTER_ACCEPTING, HTML_503, PROBLEM_400, TOO_MANY):
        line.twilio.next_faults = [fault]
        text()
    run_sql("CREATE TRIGGER broken BEFORE INSERT ON changes BEGIN INSERT INTO gone VALUES (1); END")
    with pytest.raises(OperationalError) as broken:  # The tool breaks down, and once more when its turn goes on.
        text(call(KEEP, {"facts": [{"fact": BODIES[2]}]}), say(BODIES[1]))
    logging.getLogger("app").error("Person 1 could not be answered", exc_info=broken.value)  # As a lane says it.
    line.sweep(seconds=10)
    run_sql("DROP TRIGGER broken")
    text(error(400, "invalid_request_error", f"messages: {BODIES[0]}"))
    text(error(401, "authentication_error", "invalid bearer token"))
    sms, form = f"{PUBLIC_URL}/sms", inbound_form(BODIES[2])
    assert line.post(sms, form, signature="forged") == 403
    for name in ("MessageSid", "AccountSid"):
        assert line.post(sms, form | {name: BODIES[2]}) == 403
    for sent in list(line.twilio.accepted):
        assert line.call_back(sent, "undelivered", ErrorCode="30003") == 204
        assert line.call_back(sent, BODIES[2]) == 204
    line.background.run()
    run_sql("ALTER TABLE messages RENAME TO gone")
    assert line.post(sms, inbound_form(BODIES[0])) == 503
