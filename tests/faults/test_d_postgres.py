"""Case D on PostgreSQL: its server ends again and again under load, and comes back."""

import json
import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests import postgres
from tests.claude_server import ClaudeServer, Reply, say
from tests.serving import Serving
from tests.twilio_server import TwilioServer

TEXTS, RESTARTS = 60, 5

pytestmark = [pytest.mark.postgres, pytest.mark.usefixtures("database")]


def echo(asked: dict[str, Any]) -> Reply:
    return say(re.findall(r"#\d+#", json.dumps(asked["messages"]))[-1])


def test_r64_a_server_restarted_under_load_loses_no_text_and_none_is_answered_twice(
    tmp_path: Path, claude: ClaudeServer, twilio: TwilioServer
) -> None:
    claude.otherwise = echo

    def bring(number: int) -> None:  # As Twilio does: again until it is taken.
        taken = 0
        while taken != 200:
            with suppress(OSError):
                taken = keepsake.text(f"#{number}#", sid=f"SM{number:032x}", sender=f"+1206555{number:04d}")

    with (
        postgres.running("synchronous_commit=on") as (address, restart),
        Serving.live(tmp_path, twilio, claude, DATABASE_URL=address, SEND_LEASE_SECONDS="1") as keepsake,
        ThreadPoolExecutor(4) as carrier,
    ):
        brought = [carrier.submit(bring, number) for number in range(TEXTS)]
        for _ in range(RESTARTS):
            restart()
        for one in brought:
            one.result()
        twilio.wait_for(TEXTS)
    assert Counter(twilio.bodies) == dict.fromkeys((f"#{number}#" for number in range(TEXTS)), 1)
