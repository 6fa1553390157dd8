"""Questions that the offline model answers from memory, small talk, and what it says of itself."""

import pytest

from tests.clients.offline_memory import Memory

FACTS = [
    "Works as a software engineer at Acme",
    "Likes black coffee",
    "Dislikes mushrooms",
    "Has a dog named Max",
    "Has a sister named Ana",
    "Lives in Portland",
    "Is from Chile",
    "Is allergic to peanuts",
    "Is vegetarian",
    "Birthday is May 3",
    "Favourite colour is green",
    "Speaks English and Spanish",
    "Uses they/them pronouns",
    "Wakes up at 6",
    "Locker is 42",
    "Drives a Tesla",
    "Takes ibuprofen daily",
    "Plays guitar",
]
DONT_KNOW = "I don't know that yet."

ANSWERS = [
    ("what's my name?", "Your name is Alex."),
    ("whats my name", "Your name is Alex."),
    ("Do you remember my name?", "Your name is Alex."),
    ("What's my time zone?", "Your time zone is America/New_York."),
    ("Where do I live?", "You live in Portland."),
    ("what city do I live in", "You live in Portland."),
    ("where am I from?", "You are from Chile."),
    ("What's my dog's name?", "You have a dog named Max."),
    ("what is my dog called?", "You have a dog named Max."),
    ("Do I have a dog?", "Yes, you have a dog named Max."),
    ("do i have any pets?", "You have a dog named Max."),
    ("who is Max?", "You have a dog named Max."),
    ("Who's my sister?", "You have a sister named Ana."),
    ("what did I say about my sister?", "You have a sister named Ana."),
    ("tell me about Ana", "You have a sister named Ana."),
    ("where does Ana work?", "I don't know that yet. I do know that you have a sister named Ana."),
    ("Do I like coffee?", "Yes, you like black coffee."),
    ("do I like mushrooms?", "No, you dislike mushrooms."),
    ("do I hate mushrooms?", "Yes, you dislike mushrooms."),
    ("what do I like?", "You like black coffee. Your favourite colour is green."),
    ("What's my favorite color?", "Your favourite colour is green."),
    ("what am I allergic to?", "You are allergic to peanuts."),
    ("am I allergic to peanuts?", "Yes, you are allergic to peanuts."),
    ("Am I vegetarian?", "Yes, you are vegetarian."),
    ("when is my birthday?", "Your birthday is May 3."),
    ("When's my bday", "Your birthday is May 3."),
    ("what do I do for work?", "You work as a software engineer at Acme."),
    ("Where do I work?", "You work as a software engineer at Acme."),
    ("what languages do I speak?", "You speak English and Spanish."),
    ("what are my pronouns?", "You use they/them pronouns."),
    ("What time do I wake up?", "You wake up at 6."),
    ("what's my locker number?", "Your locker is 42."),
    ("what car do I drive?", "You drive a Tesla."),
    ("what medication do I take?", "You take ibuprofen daily."),
    ("do I play guitar?", "Yes, you play guitar."),
    ("tell me what you know about my dog", "You have a dog named Max."),
    ("Hey, do you know where I live?", "You live in Portland."),
    ("Hello, where do I live?", "Hello, Alex! You live in Portland."),
    ("Can you tell me where I live?", "You live in Portland."),
    ("remind me what my job is", "You work as a software engineer at Acme."),
    ("do you know where I work?", "You work as a software engineer at Acme."),
    ("Do you have any info on my dog?", "You have a dog named Max."),
    ("do you know when my birthday is?", "Your birthday is May 3."),
    ("do I like tea?", DONT_KNOW),
    ("am I allergic to cats?", DONT_KNOW),
    ("do I have a cat?", DONT_KNOW),
    ("what's my brother's name?", DONT_KNOW),
    ("where did I go to school?", DONT_KNOW),
    ("what's my favourite food?", DONT_KNOW),
]


@pytest.mark.parametrize(("question", "answer"), ANSWERS)
def test_a_question_is_answered_from_memory_in_the_second_person(question: str, answer: str) -> None:
    told = Memory(FACTS, name="Alex").tell(question)

    assert told.reply == answer
    assert not {"extract_memory", "update_memory", "remove_memory", "update_profile"} & set(told.names())


def test_all_that_is_known_is_listed_with_the_name_first() -> None:
    told = Memory(["Likes tea", "Has a dog named Max"], name="Alex").tell("What do you know about me?")

    assert told.names() == ["list_memories"]
    assert told.reply == "Your name is Alex. You like tea. You have a dog named Max."


@pytest.mark.parametrize(
    "question",
    [
        "what do you remember about me",
        "tell me everything you know about me",
        "list my facts",
        "Can you tell me what you know about me?",
        "what have I told you?",
        "list everything you know",
    ],
)
def test_the_same_wish_in_other_words_lists_too(question: str) -> None:
    assert Memory(["Likes tea"]).tell(question).reply == "You like tea."


def test_an_empty_memory_says_so() -> None:
    assert "don't know anything about you yet" in Memory().tell("what do you know about me?").reply


def test_a_long_memory_is_cut_with_the_way_to_the_rest() -> None:
    told = Memory([f"Likes the music of composer number {number}" for number in range(200)]).tell(
        "what do you know about me?"
    )

    assert len(told.reply) <= 1500
    assert told.reply.endswith("more: text /memory to see them all.")


def test_a_fact_that_is_not_shown_is_looked_up() -> None:
    memory = Memory([f"Likes dish {number}" for number in range(25)] + ["Locker is 42"])
    shown = memory.block().replace("Locker is 42.", "")
    memory.block = lambda: shown  # type: ignore[method-assign]

    told = memory.tell("what's my locker number?")

    assert "list_memories" in told.names()
    assert told.reply == "Your locker is 42."


def test_what_was_true_before_is_told_from_earlier_versions() -> None:
    memory = Memory(["Lives in Portland", "Works at Acme"])
    memory.tell("I moved to Seattle")
    memory.tell("Actually, I work at Dell")

    assert memory.tell("where did I live before?").reply == "You lived in Portland."
    assert memory.tell("where did I work before?").reply == "You worked at Acme."
    assert memory.tell("what was my old job?").reply == "You worked at Acme."
    assert memory.tell("where do I live?").reply == "You live in Seattle."


def test_facts_are_read_as_they_were_before_escaping() -> None:
    told = Memory(["Likes R&B <live>", "Lives in St. Louis"]).tell("what do you know about me?")

    assert told.reply == "You like R&B <live>. You live in St. Louis."


SMALL_TALK = [
    ("hi", "Hello, Alex! How can I help?"),
    ("Good morning!", "Hello, Alex! How can I help?"),
    ("thanks so much", "You're welcome!"),
    ("How are you?", "I'm well, thank you, Alex. How are you?"),
    ("hey, how's it going?", "I'm well, thank you, Alex. How are you?"),
    ("good night", "Bye for now, Alex!"),
    ("what time is it?", "It's 09:00."),
    ("what day is it today?", "It's Saturday, 21 November 2026."),
    ("ok", "Okay!"),
    ("I'm so tired today", "Sorry to hear that, Alex. I hope it gets better soon."),
    ("I'm fine, thanks", "Good to hear, Alex!"),
    ("I'm hungry", "Time for a bite or a drink, then, Alex!"),
    ("\U0001f44d", "Glad to hear it!"),
    ("\u2764\ufe0f", "Glad to hear it!"),
    ("?", "I'm here. What is on your mind? Text /help to see what I can do."),
    ("...", "I'm here. What is on your mind? Text /help to see what I can do."),
    ("my grandma died last week", "I'm so sorry for your loss, Alex."),
]


@pytest.mark.parametrize(("text", "answer"), SMALL_TALK)
def test_small_talk_is_answered_shortly_and_without_tools(text: str, answer: str) -> None:
    told = Memory(["Likes tea"], name="Alex").tell(text)

    assert (told.calls, told.reply) == ([], answer)


HONEST = [
    ("what is the capital of France?", "can't answer that offline"),
    ("tell me a joke", "can't answer that offline"),
    ("write me a poem about the sea", "don't understand that"),
    ("remind me to call mom at 5", "Say 5am or 5pm"),
    ("are you a robot?", "simple rules, not Claude"),
    ("what can you do?", "what do you know about me?"),
    ("forget everything", "/memory forget"),
    ("forget that", "/undo"),
    ("no, undo that", "/undo"),
    ("why do you think I have a dog?", "/memory why"),
    ("Can you book me a flight to Paris?", "I can't do that"),
    ("who are you?", "I'm Keepsake"),
    ("my door code is 4417", "haven't remembered that. The text itself stays in our conversation"),
    ("note to self: locker code is 4417", "haven't remembered that. The text itself stays in our conversation"),
    ("I might move to Denver", "only keep what you tell me for certain"),
    ("my password is hunter2", "haven't remembered that. The text itself stays in our conversation"),
]


@pytest.mark.parametrize(("text", "words"), HONEST)
def test_what_it_cannot_do_it_says_plainly(text: str, words: str) -> None:
    told = Memory(["Likes tea"]).tell(text)

    assert words in told.reply
    assert told.calls == [] or told.names() == ["recall_memory"]


CRIES_FOR_HELP = [
    "I want to die",
    "I have chest pains and I live in Rome",
    "im going to kill myself",
    "I've been cutting myself",
    "kms",
    "I'm gonna kms",
    "quiero morir",
    "no quiero vivir",
    "je veux mourir",
    "ich will sterben",
    "my friend wants to kill herself",
]


@pytest.mark.parametrize("text", CRIES_FOR_HELP)
def test_a_cry_for_help_is_met_with_people_who_can_help_and_nothing_is_kept(text: str) -> None:
    told = Memory(["Likes tea"]).tell(text, first_of_day=True)

    assert told.calls == []
    assert "emergency services" in told.reply
    assert all(number in told.reply for number in ("911", "112", "999", "988"))
    assert "ANTHROPIC_API_KEY" not in told.reply


@pytest.mark.parametrize("text", ["I ran 10 kms", "how many kms is it to Rome?", "me muero de hambre"])
def test_what_only_looks_like_a_cry_for_help_is_none(text: str) -> None:
    assert "emergency" not in Memory().tell(text).reply


@pytest.mark.parametrize(
    ("question", "facts", "answer"),
    [
        ("Where do I work?", ["Runs every morning at 6", "Works out on Mondays"], DONT_KNOW),
        ("what am I allergic to?", ["Son is allergic to bees", "Is allergic to nuts"], "You are allergic to nuts."),
        ("what am I allergic to?", ["Has a son named Leo who is allergic to bees"], DONT_KNOW),
        ("what is my son allergic to?", ["Son is allergic to bees"], "Your son is allergic to bees."),
        ("can I eat cheese?", ["Son is allergic to cheese"], DONT_KNOW),
        ("what can I eat?", ["Is gluten free", "Likes ham"], "You are gluten free."),
        ("can I eat cheese?", ["Cannot eat dairy"], "You cannot eat dairy."),
        ("what did Karl and I do?", ["Has a boss named Karl"], "You have a boss named Karl."),
    ],
)
def test_what_is_near_or_of_another_is_no_answer(question: str, facts: list[str], answer: str) -> None:
    assert Memory(facts).tell(question).reply == answer


def test_one_who_gives_a_name_and_asks_for_ours_has_both() -> None:
    reply = Memory().tell("hey im Tom, who are you?").reply

    assert "I'm Keepsake" in reply
    assert "Nice to meet you, Tom!" in reply


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("my brother Sam fell off a horse", 'I didn\'t catch: "fell off a horse".'),
        ("I like tea. Blorp the fizz.", 'I didn\'t catch: "Blorp the fizz".'),
        ("my dog Rex ate the sofa", 'I didn\'t catch: "ate the sofa".'),
    ],
)
def test_what_was_kept_only_in_part_is_said_to_be(text: str, quoted: str) -> None:
    assert Memory().tell(text).reply.endswith(quoted)
