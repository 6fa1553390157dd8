"""The thread of one person: its texts in order, a page at a time, and what is known of them beside it."""

import re

from app import memory
from app.memory import RuleWords
from app.models import Person
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import TOLD, Someone, add_person


def said(page: str) -> list[str]:
    return re.findall(r'<p class="words" dir="auto">([^<]*)</p>', page)


def test_texts_read_from_top_to_bottom_as_on_the_phone_by_the_days_and_times_of_the_person(
    operator: Browser, alex: Someone, clock: FrozenClock
) -> None:
    alex.turn("Hi", "Hello!")
    alex.turn("How are you?", "Fine, thanks.")
    page = operator.get(alex.path)
    assert said(page) == ["Hi", "Hello!", "How are you?", "Fine, thanks."]
    assert re.findall(r'class="bubble (mine|theirs)', page) == ["mine", "theirs"] * 2
    for hours, words in ((7, "Good afternoon"), (9, "Good night")):
        clock.advance(hours=hours)
        alex.text(words)
    operator.log_in()
    page = operator.get(alex.path)
    assert re.findall(r'class="day">([^<]+)<', page) == ["Saturday, 21 Nov 2026", "Sunday, 22 Nov 2026"]
    assert re.findall(r"From the person, (\d\d:\d\d)", page) == ["09:00", "09:00", "16:00", "01:00"]


def test_what_became_of_a_text_is_said_beside_it(operator: Browser, services: Services, alex: Someone) -> None:
    alex.text("Hi", state="held")
    alex.text("No", state="refused", direction="out", note="The number cannot be reached (30003).")
    alex.text("Yes", state="sent", direction="out", delivery="delivered")
    page = operator.get(alex.path)
    for words in ("held until let in", "not sent", "The number cannot be reached (30003).", "delivered"):
        assert words in page
    with services.transaction() as db:
        db.get_one(Person, alex.id).opted_out_at = services.clock.now()
    page = operator.get(alex.path)
    assert "opted out" in page
    assert "nothing is sent to them until they text START" in page


def test_a_long_conversation_is_read_backwards_and_a_cut_turn_is_shown_once(operator: Browser, alex: Someone) -> None:
    alex.text("Alone")
    for number in range(50):
        alex.turn(f"Question {number}", f"Answer {number}")
    newest, middle, oldest = operator.pages(alex.path)
    assert said(newest)[-1] == "Answer 49"
    turns = [words for number in range(50) for words in (f"Question {number}", f"Answer {number}")]
    assert said(oldest) + said(middle) + said(newest) == ["Alone", *turns]
    assert sum(page.count('<details class="turn"') for page in (oldest, middle, newest)) == 50
    assert "Later texts" not in newest
    later = operator.get(re.findall(r'href="/admin(/people/\d+\?after=\d+)', oldest)[0])
    assert said(later)[0] == said(middle)[0]


def test_a_text_that_is_looked_for_is_marked_among_those_around_it(operator: Browser, alex: Someone) -> None:
    texts = [alex.text(f"Text {number}") for number in range(120)]
    page = operator.get(f"{alex.path}?around={texts[30].id}")
    assert f'sought" id="message-{texts[30].id}"' in page
    assert (said(page)[0], said(page)[-1]) == ("Text 5", "Text 44")


def test_a_conversation_never_shows_another_persons_texts(operator: Browser, services: Services, alex: Someone) -> None:
    alex.turn("Alex says hi", "Hello Alex")
    secret = add_person(services, "+12065550199", name="Blake").text("Blake's secret")
    for query in ("", f"?around={secret.id}", f"?before={secret.id + 1}", "?after=0"):
        assert "secret" not in operator.get(f"{alex.path}{query}")


def test_what_is_known_of_them_stands_beside_in_short(operator: Browser, services: Services, alex: Someone) -> None:
    alex.learn(*(f"Knows the word w{number}" for number in range(8)))
    memory.set_rule(services, alex.id, RuleWords("always", None, "Keep answers short"), TOLD, proposed=True)
    alex.episode()
    page = operator.get(alex.path)
    beside = in_words(page[page.index("<aside") : page.index("</aside>")])
    for part in (
        "Facts 8 All facts Knows the word w7 Knows the word w6",
        "Episodes 1 All episodes Alex passed the exam.",
        "Rules 1 All rules Keep answers short proposed",
        "Routines 0 All routines None.",
    ):
        assert part in beside
    assert "w1" not in beside
