"""How the offline model meets what it can make no fact of: troubles, stories, scolding and other languages."""

import pytest

from tests.clients.offline_memory import Memory

LATER = "You can ask me about it later."
HELP = ("988", "112", "911")


SORRY = (
    "That sounds hard, Alex. Thank you for telling me.",
    "I'm sorry to hear that, Alex.",
    "Oh no, I'm sorry, Alex.",
)
GLAD = ("That's good to hear, Alex!", "How lovely, Alex!", "That's wonderful, Alex!")
HEARD = ("Thanks for telling me, Alex.", "Thank you for telling me that, Alex.", "I'm glad you told me, Alex.")


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("I saw a bat in my attic, it flew around and I was terrified", SORRY),
        ("My boss shouted at everyone and Karen cried", SORRY),
        ("had a terrible night shift", SORRY),
        ("I broke my wrist yesterday playing football", SORRY),
        ("I failed my exam yesterday. I was crushed.", SORRY),
        ("I had my surgery this morning", SORRY),
        ("Dr. Smith said I need surgery on Dec. 3 at 8 a.m. because of my knee.", SORRY),
        ("our kitchen is flooded", SORRY),
        ("my presentation went great!", GLAD),
        ("I got married two weeks ago", GLAD),
        ("We had our baby on Monday", GLAD),
        ("there was a long queue at the bakery this morning", HEARD),
        ("We walked along the river and talked about everything", HEARD),
        ("Mr. and Mrs. Lopez moved in next door", HEARD),
        ("The plumber came yesterday and fixed the sink", HEARD),
        ("She said that I should try yoga", HEARD),
        ("I got a blue cast", HEARD),
    ],
)
def test_a_story_is_met_kindly_and_nothing_is_claimed_of_it(text: str, choices: tuple[str, ...]) -> None:
    told = Memory(["Likes tea"], name="Alex").tell(text)

    assert told.reply in [f"{first} {LATER}" for first in choices]
    assert told.facts() == []


def test_what_may_be_is_still_said_not_to_be_kept() -> None:
    for text in ("I might move to Lisbon", "I dreamt that my dog died"):
        assert Memory().tell(text).reply.startswith("Understood. I only keep what you tell me for certain")


def test_a_question_of_bad_news_is_no_bad_news() -> None:
    assert "sorry to hear" not in Memory().tell("Who is in hospital?").reply


def test_who_asks_for_something_else_is_not_told_all_that_is_known() -> None:
    likes = [f"Likes dish {number}" for number in range(10)]

    reply = Memory(likes).tell("what should I cook tonight, something I like?").reply

    assert reply.count("ish ") <= 3
    assert "can't answer that" in reply


def test_what_means_nothing_to_it_is_still_said_not_to_be_understood() -> None:
    assert Memory().tell("asdf qwer zxcv").reply.startswith("Sorry, I don't understand that")


def test_it_is_sorry_once_however_much_there_is_to_be_sorry_for() -> None:
    told = Memory(["Likes tea"], name="Alex").tell("my mum is in hospital, I am scared")

    assert told.reply == (
        "I'm so sorry, Alex, that must be hard. You can text me at any hour. "
        "I'll remember that your mum is in hospital."
    )
    assert Memory().tell("My dog died. I am so sad").reply == "I'm so sorry for your loss."
    assert Memory().tell("I had a miscarriage").reply == "I'm so sorry for your loss."


def test_who_is_worried_is_not_told_what_was_not_understood() -> None:
    told = Memory().tell("I'm stressed about the presentation, my boss is impossible")

    assert told.reply == "Sorry to hear that. I hope it gets better soon."


@pytest.mark.parametrize("text", ["I want to die", "quiero morir", "I can't go on anymore", "I took too many pills"])
def test_who_is_in_danger_is_told_whom_to_call_and_nothing_else(text: str) -> None:
    told = Memory(["Has a dog named Max", "Likes tea"]).tell(text)

    assert all(number in told.reply for number in HELP)
    assert "Max" not in told.reply
    assert told.calls == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hola, me llamo Alex y vivo en Seattle", "¿Me lo dices en inglés?"),
        ("¿qué sabes de mí? quiero saber", "¿Me lo dices en inglés?"),
        ("je suis très content et j'habite à Lyon avec mon frère", "en anglais"),
        ("ich bin müde und habe Hunger", "auf Englisch"),
        ("muchas gracias", "¡De nada!"),
        ("danke", "Gern geschehen!"),
        ("Ayer murió mi perro Toby", "Lo siento muchísimo."),
        ("Hoy fui al cine con Marta", "Gracias por contármelo."),
        ("Mon grand-père est mort hier", "Toutes mes condoléances."),
        ("Gestern ist meine Oma gestorben", "Mein herzliches Beileid."),
        ("Meu avô morreu ontem", "Sinto muito pela sua perda."),
        ("È morto mio nonno ieri", "Le mie condoglianze."),
        ("Dün dedem öldü", "Başın sağ olsun."),
        ("Bugün yeni bir işe başladım", "Ne güzel!"),
        ("我的猫死了", "请节哀"),
        ("你叫什么名字？", "可以用英语告诉我吗"),
    ],
)
def test_another_language_is_answered_in_it(text: str, said: str) -> None:
    assert said in Memory().tell(text).reply


@pytest.mark.parametrize(
    "text", ["I die for tea", "my name is Sole", "The die is cast in a pub", "no me neither", "a a"]
)
def test_english_is_never_taken_for_another_language(text: str) -> None:
    assert "Offline I only understand" not in Memory().tell(text).reply


@pytest.mark.parametrize("text", ["you're useless", "you are so stupid", "You never listen"])
def test_scolding_is_met_with_a_sorry(text: str) -> None:
    assert Memory().tell(text).reply.startswith("I'm sorry that I'm not more help")


def test_that_something_is_wrong_is_met_with_how_to_put_it_right() -> None:
    assert "/undo" in Memory(["Likes tea"]).tell("that's wrong").reply


@pytest.mark.parametrize(
    ("fact", "before", "text", "after"),
    [
        ("Dentist appointment is on Thursday at 3", "My dentist appointment is on Thursday at 3", "no, it's Tuesday",
         "Dentist appointment is on Tuesday at 3"),
        ("Dentist appointment is on Thursday at 3", "My dentist appointment is on Thursday at 3",
         "sorry, it's on Tuesday at 4", "Dentist appointment is on Tuesday at 4"),
        ("Favourite colour is blue", "my favourite colour is blue", "no wait, green", "Favourite colour is green"),
        ("Lives in Portland", "I live in Portland", "I meant Portland Maine", "Lives in Portland Maine"),
    ],
)  # fmt: skip
def test_a_few_words_put_right_what_was_said_just_before(fact: str, before: str, text: str, after: str) -> None:
    memory = Memory(["Yoga is on Thursday at 3", fact, "Owns a blue car"])
    memory.tell(before)

    told = memory.tell(text)

    assert list(memory.rows.values()) == ["Yoga is on Thursday at 3", after, "Owns a blue car"]
    assert told.reply.startswith("Thanks, I've updated that: ")


def test_what_is_put_right_in_the_same_text_is_kept_as_it_is_right() -> None:
    assert Memory().tell("my favourite colour is blue. no wait, green").facts() == ["Favourite colour is green"]


def test_no_sentence_is_said_twice_in_one_answer() -> None:
    reply = (
        Memory(["Likes hiking", "Has a girlfriend named Mia who likes climbing"]).tell("what do Mia and I like?").reply
    )

    assert reply.count("girlfriend") == 1
    assert "you like hiking" in reply.lower()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("remember that I saw a bat in the attic", "you saw a bat in the attic"),
        ("remember the milk", "you noted: the milk"),
    ],
)
def test_what_was_kept_is_said_back_in_good_english(text: str, said: str) -> None:
    assert Memory().tell(text).reply == f"Got it. I'll remember that {said}."


def test_who_asks_what_is_not_known_of_somebody_is_told_so_and_what_is() -> None:
    memory = Memory(["Has a sister named Ana who lives in Lima"])

    assert memory.tell("is Ana older than me?").reply == (
        "I don't know that yet. I do know that you have a sister named Ana who lives in Lima."
    )
    assert memory.tell("where does Ana live?").reply == "You have a sister named Ana who lives in Lima."
