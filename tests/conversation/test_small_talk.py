import pytest

from app.services import Services
from app.text.wording import normalise
from tests.claude_server import Reply, call, say
from tests.conftest import MakeServices
from tests.memory.remembering import ANNA, add_person, live, tell
from tests.talking import talking

PARAPHRASES = ["Loves black coffee", "drinks coffee black", "Dog is called Max", "Max is his dog", "Resides in Lima"]
SMALL_TALK = ["good morning!", "haha ok", "coffee time", "thanks, you are lovely", "Max says hi", "rain in Lima today"]


@pytest.mark.parametrize("settings", [{"person_daily_budget_cents": 300}], indirect=True)
def test_two_hundred_turns_of_small_talk_teach_nothing_twice(services: Services, make_services: MakeServices) -> None:
    known = ["Likes black coffee", "Has a dog named Max", "Lives in Lima"]
    person_id = add_person(services)
    tell(services, person_id, *known)
    again = [*known, *(sentence.upper() + "!" for sentence in known), *PARAPHRASES]
    replies: list[Reply] = []
    for number in range(200):
        facts = [{"fact": again[(number + step) % len(again)]} for step in range(2)]
        replies += [call("extract_memory", {"facts": facts}), say("Have a good one!")]

    with talking(make_services, *replies) as (server, text):
        for number in range(200):
            assert text(ANNA, SMALL_TALK[number % len(SMALL_TALK)]) == "Have a good one!"
            services.clock.wait(60)

    assert len(server.requests) == 400
    held = live(services, person_id)  # What says it in other words may say more: it is kept once, as a conflict.
    assert [one.sentence for one in held[:3]] == known
    assert sorted(one.normalised for one in held[3:]) == sorted(map(normalise, PARAPHRASES))
    assert {one.version for one in held} == {1}
