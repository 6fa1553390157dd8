"""Whether a weekday in an English sentence is no one day: a habit, or a name. Pure.

"Plays tennis on Tuesday" is true of every Tuesday, and would be lost if it were kept for one. What may be a habit is
taken for one, where neither the past nor a modal says otherwise.
"""

import re

from app.memory.tense import Tense

_EVERY_OR_NAME = re.compile(
    r"\b(?:(?:every|each|any|alternate|most|some|all|other|a|first|second|third|fourth|black|good|ash|palm|easter|freaky|"
    r"ruby|girl|named|titled|is called|an? (?:\w+ ){1,2}called|the (?:show|series|film|movie|song|album|book|band))|"
    r"(?:open|closed|opens|closes)(?: on)?)\s+$",
    re.IGNORECASE,
)
_OF_EVERY_MONTH = re.compile(r"^ (?:of|in) (?:the|each|every|any) month\b", re.IGNORECASE)
_MORE_THAN_ONE = re.compile(r"^ (?:morning|afternoon|evening|night)s\b", re.IGNORECASE)
_GOES_ON_AS_A_NAME = re.compile(r"^ (?!(?:Morning|Afternoon|Evening|Night)\b)[A-Z][a-z]")

_USUALLY = r"usually|always|often|normally|typically|regularly|generally|mostly|sometimes|whenever|never|rarely"
_ACTIVITIES = (
    r"work|play|swim|run|eat|drink|cook|prefer|like|love|hate|enjoy|dislike|fast|celebrate|sleep|train|practi[cs]e|attend|"
    r"volunteer|watch|read|clean|shop|walk|bike|cycle|ride|climb|hike|bake|babysit|sing|dance|paint|fish|golf|commute|"
    r"meditate|exercise|jog|box|ski|surf|rest|worship|pray|observe|avoid|teach|study|"
    r"go to (?:church|mass|mosque|temple|synagogue|school|work|yoga|the gym|class|bed)|"
    r"do (?:yoga|pilates|laundry|the laundry)|get paid|take (?!an? )\w+|wake"
)
_ONES = r"therapy|work|class(?:es)?|school|yoga|pilates|practice|training|lessons?|choir|church|gym|rehearsals?|shifts?"
_HABIT = re.compile(
    rf"\b(?:{_USUALLY}|(?:does|do)(?:n['’]?t| not) (?:{_ACTIVITIES})|{_ACTIVITIES}|"
    r"(?:goes to (?:church|mass|mosque|temple|synagogue|school|work|yoga|the gym|class|bed)|"
    r"does (?:yoga|pilates|laundry|the laundry)|gets paid|takes (?!an? )\w+|watches|teaches|fishes|boxes|studies)|"
    rf"(?:{_ACTIVITIES})s|(?:has|have) (?!an? )(?:\w+ ){{0,2}}(?:{_ONES})|"
    r"(?<!wedding )(?<!moving )(?<!big )(?<!last )(?<!first )(?:payday|days?(?: off)?|hours|weekday)(?: of the week)? "
    r"(?:is|are|falls?))\b",
    re.IGNORECASE,
)
# "Prefers meetings on Friday" begins with its verb, as facts do; these tell of one time.
_TELLS_OF_HABITS = re.compile(
    r"^\W*(?!(?i:has|is|was|needs|wants|leaves|flies|starts|begins|arrives|moves|travels|comes|returns|visits|lands|"
    r"departs|turns|marries|gets|graduates|ends|finishes|expects|plans|hopes|intends|meets|sees|gives|takes|interviews|"
    r"drives|hosts|throws|defends|sits|performs|parents|grandparents|friends|guests|kids|twins|sons|daughters|"
    r"brothers|sisters|cousins|neighbou?rs|results|finals|exams|movers|builders|yes|this|his|its|thanks|us|perhaps|guess|\w+ss)\b)"
    r"[A-Z][a-z]{2,}s\b(?!['’]| (?:is|are|has|have|was|were|will|and|\w+s)\b)"  # Nor a name: James comes.
)
_USED_TO = re.compile(r"\bused to\b", re.IGNORECASE)
_CLAUSE = re.compile(r"[.!?\n;,:]|\b(?:and|but|so|because|that|when|who|which|or)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?\n]")
_NOTHING = re.compile(r"^\W*(?:on)?\W*$", re.IGNORECASE)
_A_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.IGNORECASE)


def is_every_or_name(before: str, after: str, which: str) -> bool:
    """Whether the words beside a weekday make it every such day, or a name, whatever the sentence tells."""
    if _EVERY_OR_NAME.search(before) or _MORE_THAN_ONE.match(after):
        return True
    return which == "last" and _OF_EVERY_MONTH.match(after) is not None


def may_be_habit(before: str, phrase: str, after: str, said: Tense | None) -> bool:
    """Whether a weekday by itself may be true of every such day, or the beginning of a name (Friday Night Lights)."""
    sentence = _SENTENCE.split(before)[-1]
    if _USED_TO.search(_own_clause(sentence)):
        return True
    if said in {Tense.PAST, Tense.FUTURE}:
        return False
    if phrase[0].isupper() and sentence.strip() and _GOES_ON_AS_A_NAME.match(after):
        return True
    clause = _own_clause(sentence)
    if _TELLS_OF_HABITS.match(clause) or re.search(rf"\b(?:{_USUALLY})\b", _SENTENCE.split(after)[0], re.IGNORECASE):
        return True
    return _HABIT.search(clause) is not None


def _own_clause(sentence: str) -> str:
    """The clause that a day stands in; where the day is one of several, that of the first."""
    clauses = _CLAUSE.split(sentence)
    while len(clauses) > 1 and _NOTHING.match(_A_DAY.sub("", clauses[-1])):
        clauses.pop()
    return clauses[-1]
