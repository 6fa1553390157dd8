"""What names a subject to be forgotten, in several languages, and what names none."""

import pytest

from app.errors import Refused
from app.features.offline.extract import ExtractiveSummariser
from app.memory import forget
from tests.conftest import MakeServices
from tests.fakes import WordEmbedder
from tests.memory.remembering import TOLD, known, tell
from tests.memory.talking import Talk
from tests.memory.test_forget_about import settle, stands, told, traces


@pytest.fixture
def alex(make_services: MakeServices) -> Talk:
    return Talk(make_services(summariser=ExtractiveSummariser(), embedder=WordEmbedder()))


@pytest.mark.parametrize(
    ("said", "about", "kept"),
    [
        (
            "Meine Schwester Anna hat gestern geheiratet und ich habe geweint",
            "meine Schwester",
            "Mein Vater ist krank und muss am Montag operiert werden",
        ),
        (
            "Mi hermana Anna se ha casado en Lima y he llorado mucho",
            "mi hermana",
            "Mi padre está enfermo y tienen que operarlo mañana",
        ),
        (
            "Ma soeur Anna s'est mariée hier soir et j'ai beaucoup pleuré",
            "ma soeur",
            "Mon père est malade et je suis très triste pour lui",
        ),
    ],
)
def test_who_is_forgotten_in_one_language_goes_from_what_is_kept_in_another(
    alex: Talk, said: str, about: str, kept: str
) -> None:
    alex.say(said)
    alex.say(kept)
    tell(alex.services, alex.person_id, "Has a sister named Anna", "Anna is afraid of dogs", "Likes to visit sisters")
    settle(alex)

    forget(alex.services, alex.person_id, [], TOLD, about=[about])
    settle(alex)

    assert list(known(alex.services, alex.person_id).values()) == ["Likes to visit sisters"]
    assert traces(alex, "Anna") == []
    assert kept.split()[1] in told(alex)


@pytest.mark.parametrize(
    "what", ["last week", "last night", "yesterday", "Monday", "2026", "November", "every day", "the thing", "2"]
)
def test_a_time_or_a_thing_by_itself_forgets_nothing_of_what_was_told_with_it(alex: Talk, what: str) -> None:
    alex.say("The last thing that Karl did on Monday was to fire me, and it made me cry every day")
    settle(alex)
    before = stands(alex)

    with pytest.raises(Refused, match="in a few words"):
        forget(alex.services, alex.person_id, [], TOLD, about=[what])
    settle(alex)
    assert stands(alex) == before != []
