"""The weight of a sentence in a life: a scale, and the words that tell where on it a sentence stands. Pure.

Source of the scale: T. H. Holmes and R. H. Rahe, The Social Readjustment Rating Scale, Journal of Psychosomatic
Research 11, 1967: life change units, 100 for the death of a spouse, as 394 people rated them. What it does not name
stands beside its nearest: a quarrel with anybody beside *arguments with spouse* (35), an allergy between an illness
(53) and *change in eating habits* (15), a strong feeling a little below *trouble with boss* (23). Whose it is decides
as well: the scale has 100 for a spouse, 63 for close family and 37 for a close friend; of an illness 53 for one's own
and 44 for one in the family. The words are data: life_changes.toml.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MOST = 100.0
_DOUBTED = 0.3  # Of what is supposed, dreamt, feared of, or seen in a film.
_ASKED = 0.7


_ONESELF = re.compile(
    r"^\W*(?:(?:and|so|but|today|yesterday|finally|ok|well|then|now|just|last night)[ ,]+)*(?:i|i['’]\w+|we|"
    r"we['’]\w+|ich|wir|je|j['’]\w+|yo|"
    r"io|eu|ben|biz|ik|wij)\b|^(?:我(?!父|母|爸|妈|哥|弟|姐|妹|爷|奶|妻|老|丈|儿|女|的|朋)|我们)",
    re.IGNORECASE,
)
_DOUBTS = re.compile(
    r"\b(?:movie|film|in (?:the|a|this|my) (?:novel|book)|the novel\b|the book\b|book about|series|season|episode|"
    r"show\b|video game|game\b|dream(?:t|ed)|dream about|if\b|"
    r"imagine|pretend|almost|nobody|no one|never had|joke|laughing|could have|película|novela|serie\b|soñé|wenn ich|"
    r"buch|roman\b|"
    r"geträumt|livre|rêvé|filmi|dizi|rüya)|电影|小说|梦见|如果",
    re.IGNORECASE,
)
_THINGS = re.compile(
    r"\b(?:battery|phone|laptop|computer|plants?|engine|wi-?fi|app\b|server|tv\b|printer|camera|tablet|kettle|fridge|"
    r"batería|móvil|akku|"
    r"handy|batterie|téléphone|telefon\w*|pil(?:i|im)\b)|手机|电池|电脑",
    re.IGNORECASE,
)

_LEVELS = ("partner", "own", "family", "friend", "other")


def _of_table(table: Mapping[str, Any]) -> re.Pattern[str]:
    spaced = "|".join(table["words"].strip().splitlines())
    unspaced = f"|{table['unspaced']}" if "unspaced" in table else ""
    return re.compile(rf"\b(?:{spaced}){unspaced}", re.IGNORECASE)


_READ = tomllib.loads(Path(__file__).with_name("life_changes.toml").read_text(encoding="utf-8"))
_WHOSE = {whose: _of_table(table) for whose, table in _READ["whose"].items()}
_KINDS = {
    kind: (dict(zip(_LEVELS, map(float, table["units"]), strict=True)), _of_table(table))
    for kind, table in _READ["kinds"].items()
}


def units(sentence: str) -> dict[str, float]:
    """The kinds of changes that a sentence tells of, each with its life change units, 0 to `MOST`."""
    held = {name: of for name, (of, words) in _KINDS.items() if words.search(sentence)}
    if not held:
        return {}
    whose = next((who for who, words in _WHOSE.items() if words.search(sentence)), "own")
    if whose in {"friend", "other"} and _ONESELF.search(sentence):
        whose = "own"
    if whose == "own" and _THINGS.search(sentence):
        held.pop("death", None)
    share = _DOUBTED if _DOUBTS.search(sentence) else _ASKED if sentence.rstrip().endswith(("?", "？")) else 1.0
    return {name: share * of[whose] for name, of in held.items()}


def weight(sentence: str) -> float:
    """How much the sentence's changes weigh together, 0 to `MOST`."""
    return together(units(sentence))


def together(changes: Mapping[str, float]) -> float:
    """The greatest, and a quarter of each other: two losses are more than one, and no two quarrels are a death."""
    ordered = sorted(changes.values(), reverse=True)
    return min(MOST, sum(ordered[:1]) + sum(ordered[1:]) / 4)
