"""The facts that the model is shown where there is no room for all, and those that its reply draws on: pure."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from xml.sax.saxutils import escape

from app.memory.facts import Known
from app.memory.facts.categories import PASSING_TOPICS, TOPIC_WORDS
from app.text.wording import BEGUN, MEASURES, SAYS_LITTLE, TASTES, subjects, things

MOST_CHARACTERS = 16  # Of a sentence that parts no words.
_UNSPACED = "\u3040"  # Where the scripts of China, Japan and Korea begin.

_TOPIC_OF = {word[:BEGUN]: f"topic {topic}" for topic in sorted(PASSING_TOPICS) for word in TOPIC_WORDS[topic].split()}
_TASTE = "a taste"

ENOUGH = 0.5  # "How is Max?" draws on the dog named Max; "see you at work" on no software engineer.
_OF_ANYONE = subjects("live work")  # Said of so many facts that alone they point to none.


def varied(facts: Sequence[Known]) -> list[Known]:
    """The facts so that those that say much the same as better ones stand after those that say something new.

    `facts` stand by how much they matter, and those that lead stay first. Each other has a level, by how often on
    average its words stand in facts before it: 0, 1, 2 to 3, 4 to 7 and so on. A taste counts as one more taste, and as
    one more of its topic, so that a latte comes after espressos.

    Source: H. Lin and J. Bilmes, A Class of Submodular Functions for Document Summarization, 2011.
    """
    told: defaultdict[str, int] = defaultdict(int)
    keys_of: dict[str, tuple[str, ...]] = {}
    leading, levels = [], list[list[Known]]()
    for fact in facts:
        times = count = 0
        for word in fact.normalised.split():
            keys = keys_of.get(word)
            if keys is None:
                keys = keys_of[word] = _keys(word)
            for key in keys:
                times += told[key]
                told[key] += 1
                count += 1
        if fact.leads:
            leading.append(fact)
            continue
        level = (times // count).bit_length() if count else 0
        while len(levels) <= level:
            levels.append([])
        levels[level].append(fact)
    return [*leading, *chain.from_iterable(levels)]


def choose(facts: Sequence[Known], *, max_tokens: int) -> list[Known]:
    """The facts to show within `max_tokens`: each that has room, those that matter most first.

    They stand by number, whatever their rank, so that the model's cached prefix survives from turn to turn.
    """
    room = max_tokens
    chosen = []
    for fact in facts:
        cost = estimate_tokens(escape(fact.sentence) + ". ")  # As the prompt writes it: `&` takes five characters.
        if cost <= room:
            room -= cost
            chosen.append(fact)
    return sorted(chosen, key=lambda fact: fact.number)


def estimate_tokens(text: str) -> int:
    """Tokens of a text, seldom too few: one for three bytes of UTF-8; Claude's tokenizer is not published.

    English has about four bytes a token; scripts of three-byte characters about one token a character.
    """
    return -(-len(text.encode("utf-8", "replace")) // 3)


def drawn_on(reply: str, sentences: Mapping[int, str]) -> set[int]:
    """The numbers of the sentences of which the reply says at least `ENOUGH` of the things, in any form."""
    said = subjects(reply)
    about = {number: things(one) - MEASURES for number, one in sentences.items()}
    return {
        number
        for number, named in about.items()
        if said & named - _OF_ANYONE and len(said & named) >= ENOUGH * len(named)
    }


def _keys(word: str) -> tuple[str, ...]:
    """What a word is counted as: its beginning, and what it is a taste of; its characters where they are not parted."""
    if word[0] >= _UNSPACED:
        return tuple(word[:MOST_CHARACTERS])
    begun = word[:BEGUN]
    if begun in TASTES:
        return (_TASTE,)
    if begun in SAYS_LITTLE:
        return ()
    return (begun, _TOPIC_OF[begun]) if begun in _TOPIC_OF else (begun,)
