"""Ollama, OpenAI and Voyage: how they are asked, and what comes of it when they do not answer as they should."""

import json
import logging
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from app.embeddings.remote import RemoteEmbedder, address_of
from app.errors import EmbeddingError
from app.settings import Settings
from tests.embedding_servers import KEY, SERVERS, Answer, EmbeddingServer, OllamaServer, embedder_of
from tests.fakes import FrozenClock
from tests.loopback import NOWHERE

WORDS = "My sister has a secret"


@pytest.fixture(params=SERVERS, ids=lambda server: server.provider)
def server(request: pytest.FixtureRequest) -> Iterator[EmbeddingServer]:
    with request.param() as server:
        yield server


@pytest.fixture
def embedder(server: EmbeddingServer, clock: FrozenClock) -> RemoteEmbedder:
    return server.embedder(clock)


def fault(embedder: RemoteEmbedder, **given: Any) -> str:
    with pytest.raises(EmbeddingError) as raised:
        embedder.embed([WORDS, "ok"], **given)
    assert raised.value.__cause__ is None
    return str(raised.value)


Change = Callable[[list[list[Any]]], list[Any]]


def changed(change: Change) -> Answer:
    """The right answer but for its rows."""

    def body(right: bytes) -> bytes:
        answer = json.loads(right)
        if "embeddings" in answer:
            answer["embeddings"] = change(answer["embeddings"])
        else:
            rows = sorted(answer["data"], key=lambda one: one["index"])
            rows = change([one["embedding"] for one in rows])
            answer["data"] = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
        return json.dumps(answer).encode()

    return Answer(body=body)


UNUSABLE: dict[str, Change] = {
    "one is missing": lambda rows: rows[:1],
    "one too many": lambda rows: [*rows, rows[0]],
    "none": lambda rows: [],
    "no direction": lambda rows: [rows[0], [0.0] * len(rows[1])],
    "no number": lambda rows: [rows[0], [float("nan"), *rows[1][1:]]],
    "infinity": lambda rows: [rows[0], [float("inf"), *rows[1][1:]]],
    "too large": lambda rows: [rows[0], [1e300] * len(rows[1])],
    "far too large": lambda rows: [rows[0], [10**400] * len(rows[1])],
    "different lengths": lambda rows: [rows[0], rows[1][:5]],
    "words": lambda rows: [[str(number) for number in row] for row in rows],
    "nothing": lambda rows: [None, None],
    "no numbers at all": lambda rows: [[], []],
    "yes and no": lambda rows: [[True] * 8, [False] * 8],
    "too deep": lambda rows: [[row] for row in rows],
}


def test_vectors_of_no_use_are_refused(server: EmbeddingServer, embedder: RemoteEmbedder) -> None:
    for why, change in UNUSABLE.items():
        server.answers = [changed(change)]
        said = fault(embedder)
        assert ("cannot be used" in said, "EMBEDDING_MODEL" in said) == (True, True), why
    assert len(server.requests) == len(UNUSABLE), "it would say the same again"


def test_an_answer_in_another_form_fails(server: EmbeddingServer, embedder: RemoteEmbedder) -> None:
    row: dict[str, object] = {"embedding": [1.0]}
    numbered = [[row | {"index": 0}, row | {"index": second}] for second in (0, 2)]
    lists: list[object] = [None, {}, [row, row], [{"index": 0}, {"index": 1}], [[1.0], [1.0]], *numbered]
    for listed in lists:
        server.answers = [Answer(body=json.dumps({"data": listed}).encode())]
        assert "cannot be used" in fault(embedder)


BROKEN = {
    "cut off": Answer(body=lambda right: right, breaks_off_after=200),
    "cut off at once": Answer(body=lambda right: right, breaks_off_after=0),
    "no whole JSON": Answer(body=lambda right: right[:-20]),
    "a page": Answer(body=b"<html>Sign in to the network</html>"),
    "too deep": Answer(body=b"[" * 200_000),
    "busy": Answer(status=503, body=b"{}"),
    "too many": Answer(status=429, body=b"{}"),
}


def test_what_may_go_better_is_tried_three_times(
    server: EmbeddingServer, embedder: RemoteEmbedder, clock: FrozenClock
) -> None:
    for why, answer in BROKEN.items():
        server.requests.clear()
        server.answers = [answer, answer]
        assert embedder.embed([WORDS]).shape == (1, server.dimension), why
        assert len(server.requests) == 3, why
        server.answers = [answer] * 5
        assert "Asked 3 times." in fault(embedder), why
        assert len(server.answers) == 2
    assert len(clock.waits) == 4 * len(BROKEN)


REFUSED = {
    "redirected": (Answer(status=307, headers={"Location": "http://127.0.0.1:9/"}), "not sent on to another address"),
    "no object": (Answer(body=b"[1, 2]"), "is no JSON object"),
    "bad request": (Answer(status=400), "Check EMBEDDING_MODEL and EMBEDDING_DIMENSION."),
    "forbidden": (Answer(status=403), "HTTP 403. Check "),
    "endless": (Answer(body=b" " * (33 * 1024 * 1024)), "more than 33,554,432 bytes"),
    "an hour's rest": (Answer(status=429, headers={"Retry-After": "3600"}), "asks to wait 3,600 s; at most 8 s"),
}


def test_what_stays_is_asked_once(server: EmbeddingServer, embedder: RemoteEmbedder) -> None:
    for answer, says in REFUSED.values():
        server.answers = [answer]
        assert says in fault(embedder)
    assert len(server.requests) == len(REFUSED)


def test_a_busy_provider_is_left_in_time(server: EmbeddingServer, embedder: RemoteEmbedder, clock: FrozenClock) -> None:
    server.answers = [Answer(status=503)]
    assert "too few to ask again" in fault(embedder, deadline=clock.monotonic() + 0.3)
    assert clock.waits == []

    def never(right: bytes) -> bytes:
        server.closing.wait()
        return right

    server.answers = [Answer(body=never)]
    assert "s are left, too few to ask again" in fault(embedder, deadline=clock.monotonic() + 0.2)


def test_nobody_who_listens_a_key_that_is_refused_and_a_model_that_is_not_there_are_told_with_the_next_step(
    server: EmbeddingServer, clock: FrozenClock
) -> None:
    is_ollama, key = server.provider == "ollama", f"{server.provider}_api_key"
    address = "ollama_host" if is_ollama else f"{server.provider}_base_url"
    said = fault(server.embedder(clock, **{address: f"http://{NOWHERE}"}))
    assert f"{NOWHERE} could not be reached" in said
    assert f"check {address.upper()}" in said
    if not is_ollama:
        said = fault(server.embedder(clock, **{key: "a-revoked-key"}))
        assert f"HTTP 401. Check {key.upper()}." in said
        assert "revoked" not in said
        server.requests.clear()
    said = fault(server.embedder(clock, embedding_model="no-such-model"))
    assert ("`ollama pull no-such-model`" if is_ollama else "Check EMBEDDING_MODEL") in said
    assert len(server.requests) == 1


def test_no_words_and_no_key_are_in_what_is_said_or_logged(
    server: EmbeddingServer, embedder: RemoteEmbedder, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="app")
    quoting = json.dumps({"error": {"message": f"{WORDS} {KEY}"}, "detail": WORDS}).encode()
    said, refused = [], [answer for answer, _ in REFUSED.values()]
    for answer in [*BROKEN.values(), *refused, Answer(500, quoting), Answer(400, quoting)]:
        server.answers = [answer] * 3
        said.append(fault(embedder))
    server.answers = []
    for text in [*said, caplog.text]:
        assert "sister" not in text
        assert KEY not in text


def test_texts_are_cut_and_requests_kept_small_enough_for_every_provider(
    server: EmbeddingServer, embedder: RemoteEmbedder
) -> None:
    # In the last a character is cut through, at 8,000 bytes.
    texts = ["é" * 9_000] * 14 + ["word " * 10] * 100 + ["x" + "é" * 9_000]
    assert len(embedder.embed(texts)) == len(texts)

    sent = [request["input"] for request in server.requests]
    assert [len(texts) for texts in sent] == [12, 64, 39]
    assert max(len(text.encode()) for texts in sent for text in texts) <= 8_000 + len("search_document: ")
    assert sent[-1][-1].endswith("é")


def test_each_is_asked_as_its_documents_say(server: EmbeddingServer, embedder: RemoteEmbedder) -> None:
    document, query = embedder.embed(["ok"]), embedder.embed(["ok"], is_query=True)

    asked = [{name: value for name, value in request.items() if name != "input"} for request in server.requests]
    kinds: list[dict[str, Any]] = [{}, {}]
    if server.provider == "voyage":
        kinds = [{"input_type": "document"}, {"input_type": "query"}]
    assert asked == [{"model": server.model} | kind for kind in kinds]
    assert (np.abs(document - query).max() < 1e-5) == (server.provider == "openai"), "OpenAI's have one form"
    assert all(("Authorization" in headers) == (server.provider != "ollama") for headers in server.headers)


def test_fewer_numbers_make_another_name_and_are_counted(server: EmbeddingServer, clock: FrozenClock) -> None:
    whole, short = server.embedder(clock), server.embedder(clock, embedding_dimension=256)
    assert short.dimension == 256
    assert short.embed(["ok"]).shape == (1, 256)
    assert whole.name + ":256" == short.name
    assert whole.name.startswith(f"{server.provider}:{server.model}")

    server.answers = [changed(lambda rows: [row * 4 for row in rows])]
    assert "Vectors of 1,024 numbers came, and not of 256." in fault(short)


def test_the_form_that_a_model_was_trained_with_is_put_before_each_text_and_in_the_name(clock: FrozenClock) -> None:
    nomic = dict.fromkeys(("nomic-embed-text", "nomic-embed-text:v1.5"), "[search_document:]")
    for model, form in (nomic | {"embeddinggemma": "[title: none | text:]", "mxbai-embed-large": ""}).items():
        asked = Settings(embeddings="ollama", embedding_model=model)
        assert embedder_of(asked, clock).name == f"ollama:{model}{form}"
    with OllamaServer() as server:
        embedder = server.embedder(clock)
        embedder.embed(["ok"])
        embedder.embed(["ok", ""], is_query=True)
        sent = [request["input"] for request in server.requests]
    assert sent == [["search_document: ok"], ["search_query: ok", "search_query: ."]]


HOSTS = [
    ("127.0.0.1", "http://127.0.0.1:11434"), ("localhost:8000", "http://localhost:8000"),
    ("0.0.0.0", "http://127.0.0.1:11434"), ("0.0.0.0:8000", "http://127.0.0.1:8000"),
    ("http://ollama.local", "http://ollama.local"), ("https://ollama.example.org/", "https://ollama.example.org"),
    ("https://example.org:8443/ollama/", "https://example.org:8443/ollama"), ("[::1]", "http://[::1]:11434"),
    ("[::]:8000", "http://[::1]:8000"),
]  # fmt: skip


@pytest.mark.parametrize(("host", "address"), HOSTS)
def test_ollama_is_found_in_every_form_in_which_it_takes_its_host(host: str, address: str) -> None:
    assert address_of(Settings(ollama_host=host).ollama_host) == address
