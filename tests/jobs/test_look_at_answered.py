"""What hooks note of replies is looked at within seconds; what they could not note is found in the rows."""

import pytest

from app.jobs import look_at_answered, summarise_quiet
from app.services import JustAnswered
from tests.claude_server import ClaudeServer
from tests.conftest import MakeServices
from tests.keeping import SUMMARY, keep, tell_of_the_exam
from tests.memory.talking import Talk

EVERY_FOUR = pytest.mark.parametrize("settings", [{"episode_triggers": "count", "episode_messages": 4}], indirect=True)


@EVERY_FOUR
def test_a_conversation_that_a_reply_made_long_enough_is_an_episode_at_once(alex: Talk, claude: ClaudeServer) -> None:
    claude.queue(keep(SUMMARY))
    tell_of_the_exam(alex)
    look_at_answered.run(alex.services)
    assert [one.trigger for one in alex.episodes()] == ["count"]


@EVERY_FOUR
def test_what_a_dead_process_noted_is_in_rows(alex: Talk, claude: ClaudeServer, make_services: MakeServices) -> None:
    claude.queue(keep(SUMMARY))
    tell_of_the_exam(alex)
    after_death = make_services(summariser=alex.services.summariser, just_answered=JustAnswered())
    look_at_answered.run(after_death)
    assert alex.episodes() == []
    summarise_quiet.run(after_death)
    assert [one.trigger for one in alex.episodes()] == ["count"]
