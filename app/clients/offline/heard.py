"""What is said to something that the person tells and of which no fact can be made: one short sentence, kindly."""

import re

from app import life_changes
from app.clients.offline.scene import Scene

_SORRY_FOR = frozenset(
    ("death", "prison and violence", "separation", "illness and injury", "work lost or ended", "quarrel", "ailment")
)
_GLAD_OF = frozenset(("wedding", "birth", "new work", "house", "achievement", "journey and feast"))
_LEAST_UNITS = 10.0  # Of a change of somebody else's life, or of one that is only feared or dreamt of, one says less.

_HARD = re.compile(
    r"(?<!not )\b(?:terrified|scared|afraid|frightened|worried|stress(?:ed|ful)|anxious|exhaust(?:ed|ing)|cry(?:ing)?|"
    r"cried|sad|lonely|upset|angry|furious|hurts?|awful|terrible|horrible|nervous|panic(?:k?ed|king)?|pain(?:ful)?|ashamed|"
    r"embarrass(?:ed|ing)|disappoint(?:ed|ing)|heartbroken|struggling|nightmare|miss (?:him|her|them|my)|fired|cancer|"
    r"argument|argued|fight|fought|failed|rejected|stolen|robbed|accident|crushed|devastated|gutted|hopeless|flooded|"
    r"leak(?:ed|ing)|burgled|burn(?:ed|t)|burned down|crashed|smashed|broke (?:my|his|her|our|a|an|down|up)|broken|"
    r"surgery|ran away|got lost|lost (?:my|our|his|her|the)|stole|ruined|cancelled|canceled|injured|bleeding|sick|"
    r"ill|bitten|stuck|humiliated|bullied|scammed|evicted|fell (?:down|off|over|ill)|dumped|cheated|"
    r"miscarr\w+|diagnosed)\b",
    re.IGNORECASE,
)
_GLAD = re.compile(
    r"(?<!not )\b(?:great|happy|excited|wonderful|amazing|awesome|proud|won|passed(?! (?:away|on|out))|fun|lovely|"
    r"fantastic|celebrat\w+|engaged|married|promoted|perfect|beautiful|best|relieved|enjoyed|laughed|graduated|"
    r"(?:had|have) (?:our|a|my) (?:baby|son|daughter)|got in(?:to)?|delighted|thrilled|healed|recovered)\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|got|went|came|saw|said|told|made|took|gave|found|lost|met|left|felt|ran|ate|drank|bought|"
    r"brought|broke|built|caught|chose|drove|fell|flew|forgot|heard|held|hurt|kept|knew|paid|read|sang|sat|sent|slept|"
    r"spent|spoke|stood|stole|swam|taught|thought|threw|understood|woke|won|wore|wrote|became|began|rang|rode|rose|"
    r"grew|hit|cut|let|put|quit|dreamt|learnt|burnt|has been|have been|(?!need|indeed|speed|hundred|naked|sacred)"
    r"[a-z]{2,}ed)\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:might|maybe|perhaps|possibly|probably|may|if|wish|imagine|suppose|pretend|dream(?:t|ed|ing)?|considering|"
    r"hop(?:e|ing)|plan|guess|wonder|doubt|about to|not sure|unsure|in the (?:book|film|movie|story|song|game|play))\b",
    re.IGNORECASE,
)

_SAID = {
    "loss": ("I'm so sorry for your loss{name}.",),
    "hard": (
        "That sounds hard{name}. Thank you for telling me.",
        "I'm sorry to hear that{name}.",
        "Oh no, I'm sorry{name}.",
    ),
    "glad": ("That's good to hear{name}!", "How lovely{name}!", "That's wonderful{name}!"),
    "plain": ("Thanks for telling me{name}.", "Thank you for telling me that{name}.", "I'm glad you told me{name}."),
}


def tone(words: str) -> str:
    """`loss`, `hard`, `glad`, or `plain` where neither shows, by the greatest change of life that the words tell of."""
    changes = {name: units for name, units in life_changes.units(words).items() if units >= _LEAST_UNITS}
    if "death" in changes and not _OPEN.search(words):
        return "loss"
    if _HARD.search(words) or changes.keys() & _SORRY_FOR:
        return "hard"
    return "glad" if _GLAD.search(words) or changes.keys() & _GLAD_OF else "plain"


def is_felt(words: str) -> bool:
    """Whether the words tell of what is good or hard for anybody."""
    return tone(words) != "plain"


def is_told(words: str) -> bool:
    """Whether the words tell of what was, rather than of what may be."""
    return not _OPEN.search(words) and bool(_PAST.search(words) or is_felt(words))


def met_with(words: str, scene: Scene) -> str:
    """The sentence; another one for other words, and always the same for the same."""
    choices = _SAID[tone(words)]
    return choices[len(words) % len(choices)].format(name=f", {scene.name}" if scene.name else "")
