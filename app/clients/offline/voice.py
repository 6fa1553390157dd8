"""Facts speak of the person in the third person; replies speak to the person. This turns one into the other."""

import re
import unicodedata
from collections.abc import Sequence

from app.clients.offline.words import PETS, RELATIONS, VERBS

_IRREGULAR = {"am": "is", "are": "is", "have": "has", "do": "does", "go": "goes", "was": "was", "were": "was"}
_UNCHANGING = frozenset(
    "can cannot will would must should could may might used grew got had met quit lost saw went made took bought broke "
    "came did forgot gave heard kept knew ran said sent slept spent told thought woke won wrote drove flew ate "
    "drank".split()
)
_ADVERBS = frozenset({"usually", "always", "often", "never", "rarely", "sometimes", "typically", "normally", "only"})
_ADVERBS_MORE = frozenset({"generally", "mostly", "regularly", "currently", "also", "really", "still"})
ADVERBS = _ADVERBS | _ADVERBS_MORE
_POSSESSED = frozenset(
    "appointment deadline exam exams graduation haircut interview lesson operation presentation surgery test tests "
    "trip holiday vacation visit meeting dentist project "
    "address anniversary bank bed bedtime birthday birth blood boat building bus car cell cello "
    "class color company commute desk diet email employer eye eyes family fathers favorite favorites "
    "favourite favourites first flat flight gate goal gym hair height hobby hobbies home hometown "
    "house insurance job key keys landline last licence license locker luggage lunch maiden main "
    "major middle mobile native new nickname number office parking passport phone plate postcode "
    "pronouns ring room school seat shift shirt shoe size spare star surname team time train trainer "
    "uniform wedding weekend weight wifi work zip zodiac mother's father's allergies".split()
)
_DIRECT = {
    "i am": "they are", "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves",
    "we": "they", "us": "them", "our": "their", "ours": "theirs", "am": "are",
}  # fmt: skip
_DIRECT_PATTERN = re.compile(r"\b(?:I am|I|me|my|mine|myself|we|us|our|ours|am)\b(?!['.]\w)", re.IGNORECASE)
_TO_YOU = {"their": "your", "theirs": "yours", "themselves": "yourself", "they": "you", "them": "you"}
_TO_YOU_PATTERN = re.compile(r"(?<![/\w])(?:their|theirs|themselves|they)\b(?![/'])")
_GSM = frozenset(
    "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
    "abcdefghijklmnopqrstuvwxyzäöñüà^{}\\[~]|€"
)
_PLAIN = {"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "...", "\u00a0": " ", "`": "'"}


def third_person(verb: str) -> str:
    """`like` → `likes`, `have` → `has`, `study` → `studies`; a past form or `can` stays as it is."""
    word, _, rest = verb.lower().partition(" ")
    if rest:
        return f"{third_person(word)} {rest}"
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _UNCHANGING or (word.endswith("ed") and word not in VERBS):
        return word
    if word.endswith(("s", "sh", "ch", "x", "z", "o")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


_BASE_FORM = {third_person(verb): verb for verb in VERBS} | {
    "is": "are", "has": "have", "does": "do", "was": "were", "goes": "go", "was born": "were born",
}  # fmt: skip
_JOINED_VERB = re.compile(r"\b(and|but) (has|is|likes|loves|hates|dislikes|works|lives|plays|speaks|prefers|studies)\b")


def neutral(words: str) -> str:
    """The person's own words with `my`, `me` and `I` in the third person: `my wife` → `their wife`."""
    return _DIRECT_PATTERN.sub(lambda match: _DIRECT[match[0].lower()], words)


def capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def uncapital(sentence: str) -> str:
    """The sentence as it stands inside another: `Birthday is …` → `birthday is …`, but `NASA` and `I` stay."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


def spoken(fact: str) -> str:
    """What a fact says, to the person, without a full stop: `Has a dog named Max` → `you have a dog named Max`."""
    sentence = fact.strip().rstrip(".")
    words = sentence.split()
    if not words:
        return ""
    return _TO_YOU_PATTERN.sub(lambda match: _TO_YOU[match[0]], _addressed(sentence, words))


_WAS_THEN = re.compile(
    r"\b(?P<was>was|were)(?P<how> [\w, ]+ (?:year|month|week)s? old| in hospital\b.*?) in [A-Z][a-z]+ \d{4}$",
    re.IGNORECASE,
)
_NOW = {"was": "is", "were": "are", "Was": "Is", "Were": "Are"}


def present(fact: str) -> str:
    """What was true in a month as it is told in it: `Leo was 7 years old in May 2026` → `Leo is 7 years old`."""
    return _WAS_THEN.sub(lambda match: _NOW[match["was"]] + match["how"], fact)


def told(words: str) -> str:
    """The person's own words, said back: `rent for my flat is due` → `rent for your flat is due`."""
    return _TO_YOU_PATTERN.sub(lambda match: _TO_YOU[match[0]], neutral(words))


_AFTER_A_NAME = (["is"], ["was"], ["has"], ["lives"], ["works"])  # "Will is 7 years old" is about Will.


def _addressed(sentence: str, words: Sequence[str]) -> str:
    adverbs = 0
    while adverbs < len(words) and words[adverbs].lower() in ADVERBS:
        adverbs += 1
    if sentence.lower().startswith("no longer "):
        adverbs = 2
    verb = words[adverbs].lower() if adverbs < len(words) else ""
    if (verb in _BASE_FORM or verb in _UNCHANGING) and words[adverbs + 1 : adverbs + 2] not in _AFTER_A_NAME:
        head = [word.lower() for word in words[:adverbs]] + [_BASE_FORM.get(verb, verb)]
        rest = _JOINED_VERB.sub(lambda m: f"{m[1]} {_BASE_FORM[m[2]]}", " ".join(words[adverbs + 1 :]))
        return f"you {' '.join(head)} {rest}".rstrip()
    if verb.endswith("ed") and verb != "wed":
        return f"you {uncapital(sentence)}"
    first = words[0].lower()
    if first.removesuffix("'s") in PETS | RELATIONS | _POSSESSED or first in _POSSESSED:
        return f"your {uncapital(sentence)}"
    if first in {"the", "a", "an", "there", "this", "on", "in", "at", "if", "when"}:
        return uncapital(sentence)
    return sentence


def joined(phrases: Sequence[str]) -> str:
    """`you like tea`, `you have a dog` → `you like tea and have a dog`."""
    if len(phrases) == 1:
        return phrases[0]
    if all(phrase.startswith("you ") for phrase in phrases) and not any(
        re.search(r",| and ", phrase) for phrase in phrases
    ):
        short = [phrases[0], *(phrase.removeprefix("you ") for phrase in phrases[1:])]
        return ", ".join(short[:-1]) + " and " + short[-1]
    return ", that ".join(phrases[:-1]) + ", and that " + phrases[-1]


def plain(text: str) -> str:
    """The text in GSM-7, but for the person's own letters: a name is not misspelled to save a segment."""
    return "".join(_plain_character(character) for character in text)


def _plain_character(character: str) -> str:
    if character in _GSM:
        return character
    if character in _PLAIN:
        return _PLAIN[character]
    kept = unicodedata.category(character) in {"Ll", "Lu", "Lo", "Lt", "Lm", "Mn", "Mc", "Nd"}
    return character if kept and character != "\ufe0f" else ""
