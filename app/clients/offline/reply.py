"""The reply: what the tools of this turn have done, the answers, and honest words about the rest."""

import re
from typing import Any

from app.clients.offline import abroad, heard, small_talk
from app.clients.offline.answers import MEMORY_OFF, answers
from app.clients.offline.beings import name_told
from app.clients.offline.changes import known_already, meant
from app.clients.offline.matching import same, same_kind
from app.clients.offline.plan import listed, to_forget
from app.clients.offline.rule_talk import rule_replies
from app.clients.offline.scene import Scene, Step
from app.clients.offline.understood import Reading
from app.clients.offline.voice import capital, joined, plain, spoken
from app.clients.offline.voice import told as said_back

REPLY_MAX_CHARS = 1500  # Twilio takes 1,600.
MISSED_MAX_CHARS = 60
MISSED_MIN_WORDS = 3  # After small talk alone, a word or two that was not understood is let pass.
QUERY_MAX_CHARS = 100  # A longer one is not said back.

_HELP_IS_NEAR = (
    "I'm so sorry, that sounds serious. I'm only a simple offline program and can't help with this. "
    "Please contact your local emergency services (911, 112 or 999) now. In the US and Canada you can also call or "
    "text 988 at any hour. And talk to someone you trust."
)
# Source: poisonhelp.hrsa.gov. It is answered at any hour, and free.
_POISON_HELP = " For anything swallowed, Poison Help in the US is 1-800-222-1222: call also if you still feel fine."
_GIVEN_AWAY = (  # Only what is remembered is without it: the text is a part of the thread, as all are.
    "I don't remember passwords, codes or card numbers, so I haven't remembered that. The text itself stays in our "
    "conversation: it's safest not to text them."
)
_UNDECIDED = "Understood. I only keep what you tell me for certain, so I haven't noted that."
_NOT_UNDERSTOOD = "Sorry, I don't understand that: I'm only the offline model, with a few simple rules. "
_WHOSE_NAME = 'I can\'t tell whose name that is. Say it in full, such as "my dog is called Max".'
_WHO = 'I can\'t tell who "{pronoun}" is. Say it in full, such as "my sister Ana is a nurse".'
_OF_OTHERS = "is not what the person wrote"
_NOT_THEIRS = "I kept nothing of that, as somebody else wrote it. If it is true of you, tell me so in your own words."
_FAILED = "I'm sorry, that could not be kept just now. Please try again a little later."
_CANNOT_CHANGE = "I'm sorry, I can't change my memory just now. Please tell me again a little later."
_HEARD = "You can ask me about it later."
_SORROWS = ("grief", "bad_news", "worry", "low_mood")  # The heaviest first.
_TELLS = re.compile(
    r"\b(?:I|we|my|our|he|she|they|his|her|their|(?:there|it|the \w+) (?:is|was|are|were))\b",
    re.IGNORECASE,
)
_CHANGING = ("extract_memory", "update_memory", "remove_memory", "update_profile")


def reply(reading: Reading, scene: Scene) -> str:
    """One plain text for the person."""
    if reading.danger:
        # The note about the offline model would be out of place here; the text says what it is.
        return _HELP_IS_NEAR + (_POISON_HELP if reading.danger == "poison" else "")
    foreign = abroad.answer(scene.words) if not _kept_or_changed(scene) else None
    if foreign:
        return plain(foreign)
    parts = [*_opening(reading, scene), *_done(reading, scene), *answers(reading, scene), *_closing(reading, scene)]
    parts = [*parts, *_missed_or_heard(reading, scene)] if parts else [_nothing_said(reading, scene)]
    text = plain(" ".join(dict.fromkeys(part for part in parts if part)))
    note = f" {small_talk.OFFLINE_NOTE}" if scene.first_of_day else ""
    return _cut(text, REPLY_MAX_CHARS - len(note)) + note


def _kept_or_changed(scene: Scene) -> bool:
    return any(step.tool in _CHANGING and not step.failed for step in scene.steps)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3].rsplit(" ", 1)[0] + "..."


def _opening(reading: Reading, scene: Scene) -> list[str]:
    kinds = list(dict.fromkeys(reading.small_talk))
    greeted = "hello" in kinds
    if greeted and (reading.name or len(kinds) > 1):
        kinds.remove("hello")
    sorrows = [kind for kind in _SORROWS if kind in kinds]
    if len(sorrows) > 1:  # To be sorry once, and for all of it, is kinder than three times.
        kept = "shared_sorrow" if sorrows[0] == "bad_news" else sorrows[0]
        kinds = [kept, *(kind for kind in kinds if kind not in sorrows)]
    more = reading.has_business
    if more or len(kinds) > 1:
        kinds = [kind for kind in kinds if kind not in {"acknowledged", "yes_no", "thanks", "sorry"}]
    parts = [small_talk.answer(kind, scene) for kind in kinds]
    if kinds == ["hello"] and not more and not reading.missed and not reading.undecided:
        parts.append("What would you like me to remember?" if not scene.facts else "How can I help?")
    return parts


def _done(reading: Reading, scene: Scene) -> list[str]:
    parts = [
        *_profile(reading, scene),
        *_kept(reading, scene),
        *_updated(reading, scene),
        *_forgotten(reading, scene),
        *_ended(reading, scene),
        *rule_replies(reading, scene),
    ]
    failed = [step for step in scene.steps if step.failed and step.tool in (*_CHANGING, "list_memories")]
    if failed and not all(_mended(step, scene) for step in failed):
        parts.append(_NOT_THEIRS if any(_OF_OTHERS in step.message for step in failed) else _FAILED)
    elif not scene.steps and not scene.tools and _wishes_change(reading, scene):
        parts.append(MEMORY_OFF if scene.memory_off else _CANNOT_CHANGE)
    return parts


def _mended(failed: Step, scene: Scene) -> bool:
    """Whether a refused update was made good by keeping its sentence as a new fact."""
    return any(
        not step.failed and failed.input.get("fact") in _attempted(step) for step in scene.steps_of("extract_memory")
    )


def _wishes_change(reading: Reading, scene: Scene) -> bool:
    new = [said for said in reading.said if not known_already(said.sentence, scene.facts)]
    forgets = reading.forget or (reading.name_gone is not None and scene.name)
    rules = reading.rules or reading.rule_wishes
    return bool(new or forgets or rules or reading.swaps or reading.name or reading.timezone)


def _profile(reading: Reading, scene: Scene) -> list[str]:
    parts = []
    changed: dict[str, Any] = {}
    then: dict[str, str] | None = None
    for step in scene.steps_of("update_profile"):
        if not step.failed:
            known = step.result.get("known_already") or []
            changed |= {field: step.result.get(field) for field in step.input if field not in known}
            then = step.result.get("then") if "until" in step.input else then
    if changed.get("name"):
        again = re.search(
            r"\bcall|\bactually\b|\bnot\b|n't\b|\bchanged?\b|\bprefer\b|^no\b", scene.words, re.IGNORECASE
        )
        parts.append(f"Got it, I'll call you {changed['name']}." if again else f"Nice to meet you, {changed['name']}!")
    elif "name" in changed:
        parts.append("Done, I've forgotten your name.")
    elif reading.name_gone is not None and not any(step.failed for step in scene.steps_of("update_profile")):
        parts.append(f"I don't call you {reading.name_gone}." if reading.name_gone else "I don't know your name.")
    elif reading.name and reading.name == scene.name:
        parts.append(f"Yes, you're {scene.name}.")
    return parts + _zone(reading, scene, changed.get("timezone"), then)


def _zone(reading: Reading, scene: Scene, changed: str | None, then: dict[str, str] | None) -> list[str]:
    """Which zone is theirs now, and how long."""
    parts = []
    if changed:
        parts.append(f"I've set your time zone to {changed}.")
        if reading.zone_by == "stay" and not then:
            parts.append("It stays so until you tell me where you are next.")
    elif reading.timezone and reading.timezone == scene.timezone and reading.zone_by != "home":
        parts.append(f"Your time zone is already {scene.timezone}.")
    if then:
        parts.append(f"From {then['from']} on it is {then['timezone']} again; if you are back sooner, tell me.")
    return parts


def _kept(reading: Reading, scene: Scene) -> list[str]:
    results = [step.result for step in scene.steps_of("extract_memory") if not step.failed]
    stored = _sentences(results, "stored")
    old = [*_sentences(results, "duplicates"), *_known_before(reading, scene), *_unchanged(scene)]
    parts = []
    if stored:
        phrases = [_to_person(sentence, reading) for sentence in stored]
        parts.append(
            f"I'll remember that {joined(phrases)}."
            if scene.steps_of("update_profile") or "bad_news" in reading.small_talk
            else f"Got it. I'll remember that {joined(phrases)}."
        )
    if old:
        parts.append(f"I already know that {joined([_to_person(fact, reading) for fact in dict.fromkeys(old)])}.")
    return [*parts, *_rivals(results, scene)]


def _rivals(results: list[dict[str, Any]], scene: Scene) -> list[str]:
    """A word about each known fact that the new one may replace: only the person can tell."""
    changed = {step.input.get("fact_id") for step in scene.steps_of("update_memory")}
    conflicts = [one for result in results for one in result.get("conflicts") or [] if isinstance(one, dict)]
    rivals = [
        str(known.get("fact"))
        for one in conflicts
        for known in one.get("known") or []
        if isinstance(known, dict)
        and known.get("id") not in changed
        and same_kind(str(one.get("fact")), str(known.get("fact")))
    ]
    if not rivals:
        return []
    known = joined([spoken(fact) for fact in dict.fromkeys(rivals)])
    return [f"I also know that {known}. If one of these is over, tell me what to forget."]


def _known_before(reading: Reading, scene: Scene) -> list[str]:
    """What was said and known already, so that no tool was asked to keep it."""
    attempted = [fact for step in scene.steps for fact in _attempted(step)]
    return [
        said.sentence
        for said in reading.said
        if known_already(said.sentence, scene.facts) and not any(same(said.sentence, fact) for fact in attempted)
    ]


def _attempted(step: Step) -> list[str]:
    facts = [str(item.get("fact")) for item in step.input.get("facts") or [] if isinstance(item, dict)]
    return [*facts, str(step.input.get("fact") or "")]


def _sentences(results: list[dict[str, Any]], key: str) -> list[str]:
    found = []
    for result in results:
        for item in result.get(key) or []:
            fact = item.get("fact") if isinstance(item, dict) else item
            found.append(str(fact.get("fact") if isinstance(fact, dict) else fact or ""))
    return [fact for fact in found if fact]


def _to_person(sentence: str, reading: Reading) -> str:
    own = next((said.to_person for said in reading.said if same(said.sentence, sentence)), None)
    return own or spoken(sentence)


def _updated(reading: Reading, scene: Scene) -> list[str]:
    shortened, unchanged = _shortened(reading, scene), _unchanged(scene)
    phrases = []
    for step in scene.steps_of("update_memory"):
        sentence = _updated_to(step)
        if not step.failed and _as_asked(step) not in shortened and sentence not in unchanged:
            phrases.append(_to_person(sentence, reading))
    thanks = "I've" if "bad_news" in reading.small_talk else "Thanks, I've"
    return [f"{thanks} updated that: {joined(phrases)}."] if phrases else []


def _updated_to(step: Step) -> str:
    fact = step.result.get("fact")
    return str((fact.get("fact") if isinstance(fact, dict) else fact) or step.input.get("fact") or "")


def _unchanged(scene: Scene) -> list[str]:
    """What was to be updated and said just that already, with its date: `tomorrow` is one on each day."""
    before = {fact.number: fact.sentence for fact in listed(scene) or []}
    steps = [step for step in scene.steps_of("update_memory") if not step.failed]
    return [_updated_to(step) for step in steps if before.get(step.input.get("fact_id", 0)) == _updated_to(step)]


def _shortened(reading: Reading, scene: Scene) -> dict[tuple[Any, Any], list[str]]:
    """What was to go from each fact of which a part was to stay, by its number and by what was to stay."""
    wishes = to_forget(reading, scene, listed(scene) or [])
    return {(wish.number, wish.rest): wish.gone for wish in wishes if wish.rest is not None}


def _as_asked(step: Step) -> tuple[Any, Any]:
    return step.input.get("fact_id"), step.input.get("fact")


def _forgotten(reading: Reading, scene: Scene) -> list[str]:
    parts = []
    removed = _sentences([step.result for step in scene.steps_of("remove_memory") if not step.failed], "removed")
    shortened = _shortened(reading, scene)
    shorter = [step for step in scene.steps_of("update_memory") if not step.failed and _as_asked(step) in shortened]
    gone = [*removed, *(part for step in shorter for part in shortened[_as_asked(step)])]
    told = _told_of(scene)
    if gone:
        parts.append(f"Done, I've forgotten that {joined([spoken(fact) for fact in gone])}.")
    if told:
        done = "I've also" if gone else "Done, I've"
        parts.append(f"{done} forgotten {' and '.join(told)}.")
    if shorter:
        parts.append(f"I still know that {joined([spoken(str(step.input['fact'])) for step in shorter])}.")
    facts = listed(scene)
    if facts is None:
        return parts
    found = [one for step in scene.steps_of("remove_memory") for one in step.result.get("about") or []]
    unknown = [
        query for query in reading.forget if query not in found and not to_forget(Reading(forget=[query]), scene, facts)
    ]
    parts += [_nothing_about(query) for query in unknown]
    parts += _still_coming(scene)
    updated = scene.steps_of("update_memory")
    parts += [f"I don't have anything that says {swap.wrong}." for swap in reading.swaps if not updated]
    return parts


def _still_coming(scene: Scene) -> list[str]:
    """The routines and rules that speak of what was forgotten, with how to end each."""
    removals = [step.result for step in scene.steps_of("remove_memory") if not step.failed]
    coming = [one for result in removals for one in result.get("still_coming") or []]
    ruling = [one for result in removals for one in result.get("still_ruling") or []]
    return [
        *(f"Still to come: {one['words']}, {one['when']}. /routines forget {one['id']} stops it." for one in coming),
        *(f"A rule still names it: {one['rule']}. /rules forget {one['id']} ends it." for one in ruling),
    ]


def _told_of(scene: Scene) -> list[str]:
    """What was forgotten beside facts: `what we said once about your exam`."""
    phrases = []
    for step in scene.steps_of("remove_memory"):
        about = [_to_you(str(one)) for one in step.result.get("about") or []]
        episodes = step.result.get("episodes") or 0
        if about and episodes:
            times = "once" if episodes == 1 else f"{episodes} times"
            phrases.append(f"what we said {times} about {joined(about)}")
        elif about and not step.result.get("removed"):
            phrases.append(f"what you said about {joined(about)}")
    return phrases


def _ended(reading: Reading, scene: Scene) -> list[str]:
    """What the person said to be over, where nothing known or more than one thing can be meant."""
    facts = listed(scene)
    known = scene.facts if facts is None else [fact.sentence for fact in facts]
    parts = []
    for said in (said for said in reading.said if said.only_known):
        several = meant(said, known)
        if several:
            parts.append(f"Which one do you mean? I know that {joined([spoken(one) for one in several])}.")
        elif not scene.steps_of("update_memory") and said.ends and not known_already(said.sentence, known):
            parts.append("I have no note that says otherwise, so there is nothing to change.")
    return parts


def _nothing_about(query: str) -> str:
    if re.match(r"(?:I|we) |my .+ (?:is|are) ", query, re.IGNORECASE) and len(query) < QUERY_MAX_CHARS:
        return f"I have nothing that says {said_back(query)}."
    swapped = _to_you(query)
    return f"I don't have anything about {swapped}." if len(swapped) < QUERY_MAX_CHARS else "I don't have that."


def _to_you(words: str) -> str:
    swapped = re.sub(r"\b(?:my|our)\b", "your", words, flags=re.IGNORECASE)
    swapped = re.sub(r"\bI am\b", "you are", swapped)
    return re.sub(r"\bI\b", "you", swapped)


def _closing(reading: Reading, scene: Scene) -> list[str]:
    who = [_WHO.format(pronoun=pronoun) for pronoun in reading.unclear[:1]]
    return who + ([_GIVEN_AWAY] if reading.secret else []) + _undecided(reading, scene)


def _undecided(reading: Reading, scene: Scene) -> list[str]:
    """That what may be is not kept; who tells what was is heard instead."""
    if not reading.undecided or any(kind in small_talk.TELLING for kind in reading.small_talk):
        return []
    return [_heard(scene.words, scene) if heard.is_told(scene.words) else _UNDECIDED]


def _heard(words: str, scene: Scene) -> str:
    return MEMORY_OFF if scene.memory_off else f"{heard.met_with(words, scene)} {_HEARD}"


def _missed_or_heard(reading: Reading, scene: Scene) -> list[str]:
    """A story beside what was understood is met kindly; of the rest it is said what was not understood."""
    if reading.has_business or any(kind in small_talk.TELLING for kind in reading.small_talk) or reading.undecided:
        return _missed(reading)
    story = ". ".join(words for words in reading.missed if len(words.split()) >= MISSED_MIN_WORDS)
    return [_heard(story, scene)] if story and heard.is_told(story) else _missed(reading)


def _missed(reading: Reading) -> list[str]:
    """What was not understood beside what was, so that nobody takes it for kept."""
    if not reading.has_business and any(kind in _SORROWS for kind in reading.small_talk):
        return []  # Nothing was kept, and whoever is sad is not to be told what was not understood.
    told = any(kind in small_talk.TELLING for kind in reading.small_talk) or reading.undecided
    missed = [
        words for words in reading.missed if reading.has_business or not (told or len(words.split()) < MISSED_MIN_WORDS)
    ]
    quoted = [f'"{_cut(words, MISSED_MAX_CHARS)}"' for words in dict.fromkeys(missed)]
    return [f"I didn't catch: {' and '.join(quoted[:2])}."] if quoted else []


_KIND_SIGNS = (  # Thumbs, hands, smiles and hearts.
    "\U0001f44d\U0001f44c\U0001f64f\U0001f600\U0001f60a\U0001f642\U0001f389\u2764\u2665\U0001f495"
    "\U0001f496\U0001f970\U0001f60d"
)


def _nothing_said(reading: Reading, scene: Scene) -> str:
    if not reading.missed and not reading.said:
        if any(sign in scene.words for sign in _KIND_SIGNS):
            return "Glad to hear it!"
        return "I'm here. What is on your mind? Text /help to see what I can do."
    if any(map(name_told, reading.missed)):
        return _WHOSE_NAME
    long = [words for words in reading.missed if len(words.split()) >= MISSED_MIN_WORDS]
    if any(_TELLS.search(words) or heard.is_told(words) for words in long):
        return _heard(scene.words, scene)
    return capital(_NOT_UNDERSTOOD + small_talk.CAN_DO)
