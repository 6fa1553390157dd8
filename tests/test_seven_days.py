"""Seven days of one person's texts with the offline model, from Twilio's webhook to Twilio's API.

It reads like a diary: texts, replies, and the memory after them.
"""

from app.models import Person, Turn
from tests.line import Line
from tests.memory.remembering import known


class Diary:
    """One person's phone over several days, and Keepsake's memory of them."""

    def __init__(self, line: Line, number: str) -> None:
        self.line = line
        self.number = number

    def text(self, *bodies: str) -> str:
        """Send texts together, and return the replies."""
        before = len(self.answers())
        for body in bodies:
            self.line.bring(body, sender=self.number)
        self.line.background.run()
        return "\n".join(self.answers()[before:])

    def answers(self) -> list[str]:
        return [accepted.body for accepted in self.line.twilio.accepted if accepted.to == self.number]

    def next_day(self) -> None:
        self.line.clock.advance(days=1)

    def known(self) -> dict[int, str]:
        return known(self.line.services, self.person().id)

    def person(self) -> Person:
        return self.line.person(self.number)

    def shown(self) -> str:
        """The memory shown to the model in the last turn."""
        with self.line.services.reading() as db:
            turns = db.query(Turn).filter(Turn.person_id == self.person().id, Turn.kind == "reply")
            return str(turns.order_by(Turn.id.desc()).first().memory_shown)  # type: ignore[union-attr]


def test_seven_days_with_alex(line: Line) -> None:  # noqa: PLR0915  (a week is long)
    alex = Diary(line, "+12065550100")

    # Saturday: they meet. The first reply of the day says who is speaking, the next one does not.
    hello = alex.text("Hi! I'm Alex, I work as a software engineer and I like black coffee.", "I have a dog named Max.")
    assert "Alex" in hello
    assert "offline model" in hello
    assert "ANTHROPIC_API_KEY" in hello
    assert alex.person().name == "Alex"
    assert alex.person().timezone == "America/Los_Angeles"
    assert alex.known() == {1: "Works as a software engineer", 2: "Likes black coffee", 3: "Has a dog named Max"}
    assert "Works as a software engineer. Likes black coffee. Has a dog named Max." in alex.shown()
    assert "offline model" not in alex.text("thanks!")

    # Sunday: it knows them, the next day.
    alex.next_day()
    assert "Max" in alex.text("What's my dog's name?")
    assert "software engineer" in alex.text("What do you know about me?")
    alex.text("I'm allergic to peanuts", "and I live in Portland")
    assert alex.known()[4] == "Is allergic to peanuts"
    assert alex.known()[5] == "Lives in Portland"
    assert "peanuts" in alex.text("am I allergic to anything?")
    assert len(alex.known()) == 5

    # Monday: things change. The old is kept as history, and is no longer shown.
    alex.next_day()
    assert "Seattle" in alex.text("Actually I moved to Seattle")
    assert alex.known()[5] == "Lives in Seattle"
    assert "Portland" not in alex.shown()
    assert "Seattle" in alex.text("Where do I live?")
    assert "Portland" in alex.text("Where did I live before?")
    alex.text("No, my dog is called Rex")
    assert alex.known()[3] == "Has a dog named Rex"

    # Tuesday: small talk, questions and maybes leave nothing behind, and nothing is learned twice.
    alex.next_day()
    before = alex.known()
    for chat in ("good morning", "how are you?", "I might move to Berlin", "I like black coffee!", "I'm tired", "ok"):
        assert alex.text(chat)
    alex.text("What do you know about me?")
    alex.text("My password is hunter2")
    assert alex.known() == before
    assert "hunter2" not in str(before)

    # Wednesday: forgetting, and changing one's mind about it.
    alex.next_day()
    assert "forgotten" in alex.text("Forget about my dog").lower()
    assert 3 not in alex.known()
    assert "Rex" not in alex.text("Do I have a dog?")
    assert "Has a dog named Rex" in alex.text("/undo")
    assert alex.known()[3] == "Has a dog named Rex"
    assert "3. Has a dog named Rex" in alex.text("/memory")
    why = alex.text("/memory why 3")
    assert '"No, my dog is called Rex"' in why
    assert "23 Nov 2026" in why
    assert "Has a dog named Max" in why

    # Thursday: they turn memory off for once, and later stop all texts for a while; then nothing is answered.
    alex.next_day()
    alex.text("/memory off")
    alex.text("I have a cat named Tom")
    assert "Tom" not in str(alex.known())
    alex.text("/memory on")
    count = len(alex.answers())
    assert alex.text("STOP") == ""
    assert alex.text("I have a boat") == ""
    assert len(alex.answers()) == count
    assert alex.text("START") == ""

    # Friday: everything is as before; a fact's number is never reused.
    alex.next_day()
    assert "Rex" in alex.text("What's my dog's name?")
    alex.text("My birthday is May 3")
    assert alex.known()[6] == "Birthday is May 3"
    alex.text("/memory forget 6")
    alex.text("My favourite colour is green")
    assert 6 not in alex.known()
    assert 7 in alex.known()
    assert max(map(len, alex.answers())) <= 1600


def test_two_people_never_see_each_others_memory(line: Line) -> None:
    alex = Diary(line, "+12065550100")
    blair = Diary(line, "+12125550101")
    alex.text("I'm Alex and I have a dog named Max", "I live in Portland")
    blair.text("I'm Blair and I have a cat named Zoe")
    assert blair.known() == {1: "Has a cat named Zoe"}
    for question in ("What do you know about me?", "Where do I live?", "Do I have a dog?", "/memory", "/memory why 2"):
        heard = blair.text(question)
        assert "Max" not in heard
        assert "Portland" not in heard
        assert "Alex" not in heard
    blair.text("Forget about my dog")
    blair.text("/memory forget 2")
    assert alex.known() == {1: "Has a dog named Max", 2: "Lives in Portland"}
    assert "Zoe" not in alex.text("What do you know about me?")
    assert blair.person().timezone == "America/New_York"
