import re

from app import memory
from app.memory import Origin, RuleWords
from app.models import Person
from app.services import Services
from tests.fakes import FrozenClock
from tests.web.admin.conftest import Browser, in_words
from tests.web.admin.scenes import add_episode, add_person, add_text, add_turn, learn

A_TURN = '<details class="turn"'


def said(page: str) -> list[str]:
    return re.findall(r'<p class="words" dir="auto">([^<]*)</p>', page)


def test_texts_read_from_top_to_bottom_as_on_the_phone(operator: Browser, services: Services, alex: Person) -> None:
    add_turn(services, alex.id, "Hi", "Hello!")
    add_turn(services, alex.id, "How are you?", "Fine, thanks.")

    page = operator.get(f"/people/{alex.id}")

    assert said(page) == ["Hi", "Hello!", "How are you?", "Fine, thanks."]
    assert re.findall(r'class="bubble (mine|theirs)', page) == ["mine", "theirs"] * 2


def test_times_and_days_are_those_of_the_person(
    operator: Browser, services: Services, alex: Person, clock: FrozenClock
) -> None:
    add_text(services, alex.id, "Good morning")
    clock.advance(hours=7)
    add_text(services, alex.id, "Good afternoon")
    clock.advance(hours=9)
    add_text(services, alex.id, "Good night")
    operator.log_in()

    page = operator.get(f"/people/{alex.id}")

    assert re.findall(r'class="day">([^<]+)<', page) == ["Saturday, 21 Nov 2026", "Sunday, 22 Nov 2026"]
    assert re.findall(r"From the person, (\d\d:\d\d)", page) == ["09:00", "16:00", "01:00"]


def test_what_became_of_a_text_is_said_beside_it(operator: Browser, services: Services, alex: Person) -> None:
    add_text(services, alex.id, "Hi", state="held")
    add_text(services, alex.id, "No", state="refused", direction="out", note="The number cannot be reached (30003).")
    add_text(services, alex.id, "Yes", state="sent", direction="out", delivery="delivered")

    page = operator.get(f"/people/{alex.id}")

    assert "held until let in" in page
    assert "not sent" in page
    assert "The number cannot be reached (30003)." in page
    assert "delivered" in page
    with services.transaction() as db:
        db.get_one(Person, alex.id).opted_out_at = services.clock.now()
    page = operator.get(f"/people/{alex.id}")
    assert "opted out" in page
    assert "nothing is sent to them until they text START" in page


def test_a_long_conversation_is_read_backwards_page_by_page(
    operator: Browser, services: Services, alex: Person
) -> None:
    for number in range(50):
        add_turn(services, alex.id, f"Question {number}", f"Answer {number}")

    newest = operator.get(f"/people/{alex.id}")
    middle = operator.get(re.findall(r'href="/admin(/people/\d+\?before=\d+)', newest)[0])
    oldest = operator.get(re.findall(r'href="/admin(/people/\d+\?before=\d+)', middle)[0])

    assert said(newest)[-1] == "Answer 49"
    assert said(oldest) + said(middle) + said(newest) == [
        words for number in range(50) for words in (f"Question {number}", f"Answer {number}")
    ]
    assert "Earlier texts" not in oldest
    assert "Later texts" not in newest
    later = operator.get(re.findall(r'href="/admin(/people/\d+\?after=\d+)', oldest)[0])
    assert said(later)[0] == said(middle)[0]


def test_a_turn_cut_by_the_page_is_shown_once(operator: Browser, services: Services, alex: Person) -> None:
    add_text(services, alex.id, "Alone")
    for number in range(25):
        add_turn(services, alex.id, f"Question {number}", f"Answer {number}")
    add_text(services, alex.id, "Alone again")

    newest = operator.get(f"/people/{alex.id}")
    older = operator.get(re.findall(r'href="/admin(/people/\d+\?before=\d+)', newest)[0])

    assert newest.count(A_TURN) + older.count(A_TURN) == 25


def test_a_text_that_is_looked_for_is_marked_among_those_around_it(
    operator: Browser, services: Services, alex: Person
) -> None:
    texts = [add_text(services, alex.id, f"Text {number}") for number in range(120)]

    page = operator.get(f"/people/{alex.id}?around={texts[30].id}")

    assert f'sought" id="message-{texts[30].id}"' in page
    assert said(page)[0] == "Text 5"
    assert said(page)[-1] == "Text 44"


def test_a_conversation_never_shows_another_persons_texts(operator: Browser, services: Services, alex: Person) -> None:
    other = add_person(services, "+12065550199", name="Blake")
    add_turn(services, alex.id, "Alex says hi", "Hello Alex")
    secret = add_text(services, other.id, "Blake's secret")

    for query in ("", f"?around={secret.id}", f"?before={secret.id + 1}", "?after=0"):
        assert "secret" not in operator.get(f"/people/{alex.id}{query}")


def test_what_is_known_of_them_stands_beside_the_thread_in_short(
    operator: Browser, services: Services, alex: Person
) -> None:
    learn(services, alex, *(f"Knows the word w{number}" for number in range(8)))
    origin = Origin(actor="assistant", source="explicit")
    memory.set_rule(services, alex.id, RuleWords("always", None, "Keep answers short"), origin, proposed=True)
    add_episode(services, add_turn(services, alex.id, "I passed!", "Congratulations!"), "Alex passed the exam.")

    page = operator.get(f"/people/{alex.id}")

    beside = in_words(page[page.index("<aside") : page.index("</aside>")])
    assert "Facts 8 All facts Knows the word w7 Knows the word w6" in beside
    assert "w1" not in beside
    assert "Episodes 1 All episodes Alex passed the exam." in beside
    assert "Rules 1 All rules Keep answers short proposed" in beside
    assert "Routines 0 All routines None." in beside
