import socket
import threading
import time
from contextlib import closing
from typing import Any

import pytest

from app.clients.claude import ClaudeModel
from app.clock import SystemClock
from app.errors import ModelError
from tests import claude_server
from tests.claude_server import ClaudeServer, Reply, say
from tests.clients.asking_claude import ask, claude, refusal_of


@pytest.mark.parametrize(
    "slow",
    [claude_server.drip("body"), claude_server.drip("headers"), claude_server.hang()],
    ids=["body", "headers", "hang"],
)
def test_r39_the_deadline_holds_for_a_response_that_drips_or_never_comes(slow: Reply) -> None:
    clock = SystemClock()
    threads = threading.active_count()
    with ClaudeServer(slow) as server, claude(server, clock) as model:
        before = time.monotonic()
        with pytest.raises(ModelError, match=r"did not answer in time\. 0\.0 s are left"):
            model.complete(ask(clock, seconds=0.3))
        took = time.monotonic() - before

        assert 0.25 < took < 1.5
        assert server.hung_up.wait(5), "The connection of the abandoned exchange was left open."

    assert len(server.asked) == 1
    assert threading.active_count() == threads


def test_r39_the_deadline_holds_for_a_host_that_never_shakes_hands() -> None:
    clock = SystemClock()
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        address = f"https://127.0.0.1:{silent.getsockname()[1]}"
        with closing(ClaudeModel(api_key="k", model="m", base_url=address, clock=clock)) as model:
            before = time.monotonic()
            with pytest.raises(ModelError):
                model.complete(ask(clock, seconds=0.3))

    assert 0.25 < time.monotonic() - before < 1.5


def test_r39_a_request_whose_time_is_over_is_not_sent() -> None:
    problem, _, server = refusal_of(seconds=0.0)

    assert "time for the answer was over" in str(problem)
    assert server.asked == []


def test_r39_an_exchange_that_ran_out_of_time_spoils_no_later_one() -> None:
    clock = SystemClock()
    with ClaudeServer(claude_server.drip("body"), say("Again.")) as server, claude(server, clock) as model:
        with pytest.raises(ModelError):
            model.complete(ask(clock, seconds=0.2))
        assert model.complete(ask(clock)).content[0].to_dict()["text"] == "Again."


def test_many_threads_share_one_model_and_each_keeps_its_own_deadline() -> None:
    clock = SystemClock()
    outcomes: dict[str, str] = {}

    def answer(request: dict[str, Any]) -> Reply:
        return say("quick") if request["messages"][0]["content"] == "quick" else claude_server.drip("body")

    with ClaudeServer(otherwise=answer) as server, claude(server, clock) as model:

        def work(name: str) -> None:
            words, seconds = ("quick", 30.0) if name.startswith("quick") else ("slow", 0.3)
            try:
                model.complete(ask(clock, seconds=seconds, messages=[{"role": "user", "content": words}]))
                outcomes[name] = "answered"
            except ModelError:
                outcomes[name] = "late"

        threads = [threading.Thread(target=work, args=(f"{kind} {n}",)) for n in range(6) for kind in ("quick", "slow")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert outcomes == {
        f"{kind} {n}": "answered" if kind == "quick" else "late" for n in range(6) for kind in ("quick", "slow")
    }
