"""Killed at random places under load, again and again; after each kill, and in the end, nothing is amiss.

The places are those of `faultpoints.py`, hit at a random arrival: before and after each commit, around each call of
the model, each tool and each text that is sent. The seeds are fixed, so that a run can be looked at again.
"""

import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlcipher3 import dbapi2

from app.conversation import turn, waiting
from app.delivery.ledger import MAX_PEOPLE
from app.jobs import reconcile_sends
from app.settings import load_settings
from app.wiring import build_services
from tests.claude_server import ClaudeServer, Reply, call, say
from tests.conftest import IS_WHOLE
from tests.fakes import FrozenClock, InlineBackground
from tests.faults.lives import begin, settings_of, take_texts
from tests.forking import ANYWHERE
from tests.twilio_server import CUT_AFTER_ACCEPTING, TwilioServer

SEEDS = (20261121, 20261122, 20261123)  # A world each: runners that share their work out have one for each core.
KILLS = -(-int(os.environ.get("KEEPSAKE_CHAOS_KILLS", "300" if IS_WHOLE else "90")) // len(SEEDS))  # Of each world.
TEXTS_TOGETHER = 18  # That three people send; then three others do. Who texts faster is taken for a machine, and rests.
MOST_ARRIVALS = 60  # About what two texts and their answers pass through.
SPARED_SHARE = 0.4  # Of the lives: six strikes in a row make a text poison, and too few would ever be answered.
CARRIER_FAULT_SHARE = 0.05
MARK = re.compile(r"#(\d+)#")

_RULES = (Path(__file__).parents[1] / "data" / "chaos_invariants.sql").read_text("utf-8").split("-- # ")[1:]
INVARIANTS = dict(rule.split("\n", 1) for rule in _RULES)


class World:
    """The stand-ins, the process that forks, and all that was ever texted."""

    def __init__(self, folder: Path, claude: ClaudeServer, twilio: TwilioServer, seed: int) -> None:
        self.path = folder / "keepsake.db"
        self.chance = random.Random(seed)
        self.twilio = twilio
        self.settings = settings_of(folder, twilio, claude, burst_quiet_seconds=0, workers=4)
        self.texts: dict[str, tuple[str, str]] = {}
        self.acknowledged: set[str] = set()
        self.log: list[str] = []

    def live(self, *, kill_at: int, new_texts: int) -> int:
        """One life: texts that are new, and those that Twilio brings again; how the process ended."""
        for _ in range(new_texts):
            number = len(self.texts) + 1
            body = f"Text #{number}#: I like thing number {number}."
            person = number // TEXTS_TOGETHER * 3 + number % 3
            self.texts[f"SM{number:032x}"] = (f"+1206555{person:04d}", body)
        brought = [(sid, *text) for sid, text in self.texts.items() if sid not in self.acknowledged]
        if self.chance.random() < CARRIER_FAULT_SHARE:
            self.twilio.next_faults = [CUT_AFTER_ACCEPTING]
        faults = f"{ANYWHERE}:{kill_at}:KILL" if kill_at else ""
        life = begin(take_texts, self.path.parent, settings=self.settings, texts=brought, faults=faults)
        self.log += life.printed().splitlines()
        self.acknowledged |= self.texts.keys() & set(self.log)
        return life.wait()

    def ask(self, question: str) -> Any:
        with dbapi2.connect(str(self.path)) as connection:
            return connection.execute(question).fetchall()

    def settle(self) -> None:
        """Settle texts in doubt by the carrier's ledger, without waiting for the minutes between two queries."""
        clock = FrozenClock(datetime.now(UTC))
        self.twilio.ledger.now = clock.now  # Its list has a text some seconds after it was taken, by the same clock.
        background = InlineBackground(clock)
        services = replace(build_services(load_settings(**self.settings)), clock=clock, background=background)
        background.start(partial(turn.answer, services))
        ((in_doubt,),) = self.ask("SELECT count(DISTINCT person_id) FROM messages WHERE state = 'unknown'")
        for _ in range(4):
            clock.advance(minutes=3)
            waiting.wake_waiting(services, quiet_seconds=0)
            for _ in range(1 + in_doubt // MAX_PEOPLE):
                reconcile_sends.run(services)
            background.run()
        services.store.close()

    def check(self) -> None:
        assert self.ask("PRAGMA quick_check") == [("ok",)]
        kept = {sid for (sid,) in self.ask("SELECT sid FROM messages WHERE direction = 'in'")}
        assert self.acknowledged <= kept, "A text that was acknowledged is not there."
        for sentence, question in INVARIANTS.items():
            assert self.ask(question) == [(0,)], f"Not so: {sentence}."
        sent = Counter(number for body in self.twilio.bodies for number in MARK.findall(body))
        assert all(times == 1 for times in sent.values()), f"Answered twice: {sent.most_common(3)}."


def answer(asked: dict[str, Any]) -> Reply:
    """The model's answer: it first keeps the thing told, then says its number."""
    newest = json.dumps(asked["messages"][-1]["content"])
    if "tool_result" in newest:
        newest = json.dumps(asked["messages"][-3]["content"])
        return say("Heard: " + " ".join(f"#{number}#" for number in MARK.findall(newest)))
    things = [{"fact": f"Likes thing number {number}"} for number in MARK.findall(newest)]
    return call("extract_memory", {"facts": things})


@pytest.fixture(params=[SEEDS[0], *(pytest.param(seed, marks=pytest.mark.whole) for seed in SEEDS[1:])])
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    with ClaudeServer(otherwise=answer) as claude, TwilioServer(now=partial(datetime.now, UTC)) as twilio:
        yield World(tmp_path, claude, twilio, seed=request.param)


def test_r53_killed_again_and_again_it_loses_nothing_and_answers_nothing_twice(world: World) -> None:
    kills = lives = 0
    while kills < KILLS:
        lives += 1
        assert lives < 4 * KILLS, f"Only {kills} of {lives} lives ended by a kill."
        kill_at = 0 if world.chance.random() < SPARED_SHARE else world.chance.randint(1, MOST_ARRIVALS)
        ended = world.live(kill_at=kill_at, new_texts=world.chance.randint(1, 4))
        assert ended in {0, -9}, world.log[-40:]
        kills += ended == -9
        world.check()
    assert world.live(kill_at=0, new_texts=0) == 0
    world.check()
    assert world.acknowledged == set(world.texts)
    # A text whose turn died six times in a row is given up: its person was told, and it may be tried again.
    dead = "SELECT messages.id FROM messages JOIN turns ON turns.id = turn_id WHERE messages.state = 'dead'"
    given_up = world.ask(f"{dead} AND turns.attempts > 5")
    assert world.ask(dead) == given_up
    others = "SELECT DISTINCT state FROM messages WHERE direction = 'in' AND state != 'dead'"
    assert world.ask(others) == [("answered",)]
    answered = world.ask("SELECT sid FROM messages WHERE direction = 'in' AND state = 'answered' ORDER BY sid")
    assert len(given_up) < len(answered) / 3
    learned = world.ask("""
        SELECT DISTINCT sid FROM facts JOIN messages ON messages.id = facts.message_id
        WHERE messages.state = 'answered' ORDER BY sid""")
    assert learned == answered
    world.settle()
    world.check()
    assert world.ask("SELECT DISTINCT state FROM messages WHERE direction = 'out'") == [("sent",)]
    heard = {number for body in world.twilio.bodies for number in MARK.findall(body)}
    assert {f"SM{int(number):032x}" for number in heard} >= {sid for (sid,) in answered}
