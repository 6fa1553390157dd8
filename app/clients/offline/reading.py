"""What a text says, sorted: facts to keep, corrections, wishes to forget, questions, small talk, and the rest."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from app.clients.offline import birthdays, small_talk
from app.clients.offline.about_others import ask, read_others, read_short_name
from app.clients.offline.ages import told_ages
from app.clients.offline.beings import renamed
from app.clients.offline.danger import danger
from app.clients.offline.patterns import any_of, plausible_name, said_name, trimmed
from app.clients.offline.profile import (
    is_home_again,
    is_own_name,
    last_day_of_stay,
    name_in,
    name_not,
    name_taken_back,
    zone_in,
    zone_of_stay,
)
from app.clients.offline.put_right import swaps
from app.clients.offline.refusals import is_imagined, is_joke, is_reported, is_undecided
from app.clients.offline.rules import take_rules
from app.clients.offline.sentences import Sentence, asks, clauses, sentences, tidy
from app.clients.offline.statements import NOT_TAIL, Said, statement, verbatim
from app.clients.offline.told import is_talk_of_a_time, points_back
from app.clients.offline.understood import Reading, Swap
from app.clients.offline.voice import spoken
from app.clients.offline.words import OCCUPATIONS
from app.clients.offline.zone_places import zone_of_home
from app.redaction import is_secret

FACTS_MAX = 20  # One call of extract_memory stays readable, and a burst rarely says more.


_FILLER = re.compile(
    r"(?:(?:well|hey|hi|hello|hiya|oh|ah|so|and|but|btw|by the way|fyi|also|ok|okay|yeah|yes|yep|yup|"
    r"um|uh|hmm|just so you know|for the record|anyway|anyways|look|listen|honestly|to be honest|tbh|"
    r"basically|in fact|guess what|you know(?: what)?|you should know(?: that)?|"
    r"I want you to know(?: that)?|fun fact|then|plus|good (?:morning|evening|afternoon)|"
    r"i (?:already |just )?(?:told|said)(?: to)? you(?: that)?|i (?:already )?said(?: that)?|keepsake|"
    r"nice to meet you|hi there|hey there|hello there|I (?:just )?wanted to (?:say|"
    r"tell you)(?: that)?|let me tell you(?: that)?|let us see|a fact about me|the thing is(?: that)?|"
    r"it is true that|I have to say(?: that)?|because)\b(?: ?[,:!.-]+ ?| |$)|"
    r"(?:(?:quick )?(?:update|heads up)|one more thing|another thing|another fact|about me|"
    r"first(?:ly)?|second(?:ly)?|third|right|sure|great|cool|thanks|thank you|perfect|awesome|nice|"
    r"good|fine|news)(?: ?[,:!.-]+ ?|$))",
    re.IGNORECASE,
)
_PUTS_RIGHT = re.compile(
    r"(?:(?:actually|correction|nope|sorry|wait|oops|my mistake|i mean|i meant|that is wrong|"
    r"that is not right|wrong|i made a mistake|not quite|you (?:got|have) (?:it|that|this|"
    r"my \w+) wrong|you are wrong|scratch that|to correct (?:that|you|myself))\b[,:.! -]*|"
    r"no(?:,|!|\.)+ ?|no (?=my |i |it |the |he |she |wait\b))",
    re.IGNORECASE,
)
_POLITE = re.compile(
    r"(?:(?:can|could|would|will) you (?:please |kindly |just )*|please (?:can|could|will|would) you |"
    r"please,? |i (?:would like|want|need) you to |you can |you may |you should |feel free to |just |kindly |"
    r"i would like to ask you to )+",
    re.IGNORECASE,
)
_REMEMBER = re.compile(
    r"(?:always )?(?:remember|note(?: down| to self)?|keep in mind|bear in mind|save|write down|memori[sz]e|"
    r"store|make a note|take note|do not forget|never forget|do not let me forget|"
    r"add to (?:your|my) memory|learn|know)\b(?: the fact| this| it)?[:,]?(?: that|"
    r" of this)?[:,]? (?P<what>.+)",
    re.IGNORECASE,
)
_NOT_TO_REMEMBER = re.compile(r"(?:to|about|me|when|how|what|it|this|that|us|if)\b(?: \w+){0,12}$", re.IGNORECASE)
_FORGET = re.compile(
    r"(?:(?:I )?do not want you to (?:remember|know|keep)|forget|delete|remove|erase|unlearn|drop|"
    r"stop remembering|do not remember|wipe|clear)\b(?: (?:about|"
    r"what (?:i|you) (?:said|told you|know|remember|have)(?: about| of)?|"
    r"everything (?:about|you know about)|all (?:about|you know about)|anything about|"
    r"the (?:fact|thing|part|memory|memories|bit|facts)(?: that| about)?|that(?= \w)|"
    r"whatever you know about|any (?:fact|memory) about|your memory of))*(?P<what>(?: .+)?)",
    re.IGNORECASE,
)
_SWAP = re.compile(
    r"(?:it|that|he|she|the \w+|my \w+|this) (?:is|was) not (?:called |"
    r"named )?(?P<wrong>[^,;]{1,60}?)(?:[,;]| -)? ?(?:but|it is|he is|she is|that is|"
    r"rather) (?:called |named |actually )?(?P<right>[^,;]{1,60})|"
    r"(?:it|that|he|she) is (?:called |named |actually )?(?P<right2>[^,;]{1,60}?),? (?:and )?not "
    r"(?P<wrong2>[^,;]{1,60})|(?:I (?:said|meant)|not) (?P<wrong3>[\w'-]+(?: [\w'-]+)?), (?:but |"
    r"it is |I meant )?(?P<right3>[\w'-]+(?: [\w'-]+)?)|(?:I meant )?(?P<right4>[\w'-]+), not "
    r"(?P<wrong4>[\w'-]+)|(?:change|replace|correct) (?P<wrong5>[\w' -]{1,40}) (?:to|with|"
    r"by) (?P<right5>[\w' -]{1,40})",
    re.IGNORECASE,
)
# The head of "note to self: my locker is 42", whose colon parts it from what is to be kept.
_NOTE = re.compile(r"(?:please )?(?:note(?: to self)?|reminder|reminder to self|ps|nb)", re.IGNORECASE)
_RENAME = re.compile(
    r"(?:(?:can|could|would|will) you )?(?:please )?(?:change|update|correct|fix|set) my (?P<whose>[\w -]{2,40}?)'?s? "
    r"name (?:from [\w'-]+ )?to (?P<name>[\w'-]+(?: [\w'-]+)?)",
    re.IGNORECASE,
)
_NOT_SO = re.compile(r"my [\w' -]{1,60}? is not (?:called |named )?", re.IGNORECASE)
_ITS_NAME = re.compile(
    r"(?:(?:his|her|its|their) names? (?:is|are)|(?:he|she|it) is (?:called|named)|"
    r"they are (?:called|named)|named|called|(?:I|we) (?:call|named|called) (?:him|her|it|them)) "
    r"(?P<name>.+)",
    re.IGNORECASE,
)
_NAMELESS = re.compile(r"Has (?:an? |two |three |\d )(?!.*\bnamed\b)[\w' -]+")
_ORIGIN = re.compile(
    r"(?P<head>(?i:(?:\w+[, ]+)?(?:I am|my name is|this is)) "
    r"(?P<name>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)),? from (?P<place>[A-Z].+)"
)
_JOB_ORIGIN = re.compile(rf"(?P<head>I am an? .*{any_of(OCCUPATIONS)}) from (?P<place>(?!home\b).+)", re.IGNORECASE)
_SHARED_HOME = re.compile(
    r"(?P<home>(?:I|we) (?:\w+ )?live (?:in|at|near) .+?) with (?P<who>(?:my|our|a|two|three) .+)", re.IGNORECASE
)


def read(
    text: str, today: date | None, known: Sequence[str] = (), earlier: Sequence[str] = (), name: str | None = None
) -> Reading:
    """Everything that the text says, as far as the rules understand it. `today` is the person's local date."""
    reading = Reading(known=known, earlier=earlier)
    reading.danger = danger(text)
    if reading.danger:
        return reading
    rest, reading.rules, reading.rule_wishes = take_rules(text)
    for sentence in sentences(tidy(rest)):
        if is_joke(sentence.text):
            reading.said.clear()
            reading.small_talk.append("joke")
        elif is_secret(sentence.text):
            reading.secret = True
        else:
            _read_sentence(reading, sentence, today)
    read_short_name(reading, text, reading.name or name)
    del reading.said[FACTS_MAX:]
    _read_home(reading)
    return reading


def _read_home(reading: Reading) -> None:
    """Whoever lives somewhere has the clocks of that place, unless the text says which they have."""
    homes = [zone for said in reading.said if (zone := zone_of_home(said.sentence))]
    if reading.timezone is None and homes:
        reading.timezone, reading.zone_by = homes[-1], "home"


def _read_sentence(reading: Reading, sentence: Sentence, today: date | None) -> None:
    bare, corrects = _opened(sentence.text)
    if is_home_again(bare):
        _read_return(reading, bare)
    rename = _RENAME.fullmatch(bare)
    if rename:
        bare, corrects = f"my {rename['whose']} is called {rename['name']}", True
        sentence = Sentence(bare, asks=False)
    swap = _swap(bare) if not sentence.asks else None
    if small_talk.kind(sentence.text):
        reading.small_talk.append(small_talk.kind(sentence.text) or "")
    elif swap and name_not(bare) is None:
        _read_swap(reading, swap, bare, today)
    elif corrects and not bare:
        reading.small_talk.append("wrong")
    elif corrects and not sentence.asks and _put_right(reading, bare):
        return
    elif points_back(bare, asked=sentence.asks):
        ask(reading, bare)
    else:
        _read_clauses(reading, sentence, bare, corrects=corrects, today=today)


def _read_return(reading: Reading, sentence: str) -> None:
    homes = [zone for fact in reading.known if (zone := zone_of_home(fact))]
    if homes or "home" in sentence.lower():  # "I'm back" may mean from lunch.
        reading.timezone, reading.zone_by = homes[-1] if homes else "home", "home"


def _put_right(reading: Reading, bare: str) -> bool:
    """Whether a few words put right what was said just before, in this text or in the one before it."""
    last = reading.said[-1] if reading.said else None
    found = swaps(bare, [last.sentence] if last else reading.earlier)
    if last is None:
        reading.swaps += found
    for swap in found if last else ():
        sentence = reading.said[-1].sentence.replace(swap.wrong, swap.right)
        reading.said[-1] = replace(reading.said[-1], sentence=sentence, to_person=spoken(sentence))
    return bool(found)


def _read_clauses(reading: Reading, sentence: Sentence, bare: str, *, corrects: bool, today: date | None) -> None:
    imagined = is_imagined(bare) or is_reported(bare)
    aged = None
    if not (sentence.asks or asks(bare) or imagined or is_undecided(bare)):
        aged = told_ages(bare, [being.subject for being in reading.beings()], today)
        bare = aged.rest
    parts = [piece for part in clauses(bare) for piece in _with_origin(part)]
    parts = _forgetting_on(parts) if not sentence.asks else parts
    asked_last = sentence.asks and bool(parts) and asks(_opened(parts[-1])[0])
    greeting = small_talk.opening(sentence.text)
    if greeting and not (greeting == "bad_news" and asks(bare)):
        reading.small_talk.append(greeting)
    for index, part in enumerate(parts):
        clause, clause_corrects = _opened(part)
        asked = sentence.asks and (not asked_last or index == len(parts) - 1)
        if clause:
            corrects = corrects or clause_corrects
            _read_clause(reading, clause, asked=asked, imagined=imagined, corrects=corrects, today=today)
            reading.heard.append(clause)
    for age in aged.ages if aged else ():
        reading.keep(replace(age, corrects=corrects))


def _forgetting_on(parts: list[str]) -> list[str]:
    """`Forget my name and where I live` is two wishes."""
    found: list[str] = []
    for part in parts:
        wished = bool(found) and _FORGET.fullmatch(_POLITE.sub("", _opened(found[-1])[0], count=1))
        found.append(f"forget {part}" if wished and re.match(r"(?:where|what|when|how|who) I\b", part) else part)
    return found


def _with_origin(clause: str) -> list[str]:
    """`I am Alex from Boston` and `I am a nurse from Boston` say two things each."""
    shared = _SHARED_HOME.fullmatch(clause)
    if shared:
        return [shared["home"], f"I live with {shared['who']}"]
    found = _ORIGIN.fullmatch(clause)
    job = _JOB_ORIGIN.fullmatch(clause)
    if job:
        return [job["head"], f"I am from {job['place']}"]
    if found is None or plausible_name(found["name"]) is None:
        return [clause]
    return [found["head"], f"I am from {found['place']}"]


def _opened(clause: str) -> tuple[str, bool]:
    """The clause without what people say to begin, and whether it begins as a correction."""
    corrects = False
    while True:
        filler = _FILLER.match(clause)
        right = _PUTS_RIGHT.match(clause)
        corrects = corrects or bool(right)
        found = right or filler
        if not found or not found[0]:
            return clause.strip(" ,;:-!."), corrects
        clause = clause[found.end() :].lstrip(" ,;:-!")


def _read_clause(
    reading: Reading, clause: str, *, asked: bool, imagined: bool, corrects: bool, today: date | None
) -> None:
    if _NOTE.fullmatch(clause):
        return
    wish = _POLITE.sub("", clause, count=1) if _POLITE.match(clause) else clause
    kind = small_talk.kind(clause) or small_talk.kind(wish)
    forget = _FORGET.fullmatch(wish)
    remember = _REMEMBER.fullmatch(wish)
    if kind:
        reading.small_talk.append(kind)
    elif forget and not (asked and wish == clause):
        _read_forget(reading, forget["what"].strip())
    elif remember and not wish.lower().startswith(("know", "learn")) and not (asked and wish == clause):
        _read_remember(reading, remember["what"], corrects=corrects, today=today)
    elif asked and wish == clause:
        ask(reading, clause)
    elif asked and asks(wish):
        ask(reading, wish)
    elif _read_profile(reading, wish, today, imagined=imagined):
        return
    elif asks(clause) and (wish == clause or asked):
        ask(reading, clause)
    elif imagined or is_undecided(clause):
        reading.undecided = True
    else:
        _read_statement(reading, wish if wish != clause else clause, corrects=corrects, today=today)


def _read_statement(reading: Reading, clause: str, *, corrects: bool, today: date | None) -> None:
    named = _ITS_NAME.fullmatch(clause)
    if named and reading.said and _NAMELESS.fullmatch(reading.said[-1].sentence):
        _name_the_last(reading, named["name"])
        return
    if named and corrects and reading.said:
        again = renamed(clause, [reading.said[-1].sentence], corrects=True)
        if again:
            reading.said[-1] = replace(again, ends=reading.said[-1].ends)
            return
    if birthday := birthdays.told(clause, today, corrects=corrects):
        reading.keep(birthday)
        return
    if read_others(reading, clause, corrects=corrects, today=today):
        return
    said = statement(clause, today, corrects=corrects) or (
        renamed(clause, reading.known, corrects=corrects) if named else None
    )
    if said is None or said.left:
        reading.missed.append(said.left if said and said.left else clause)
    if said:
        reading.keep(said)


def _name_the_last(reading: Reading, words: str) -> None:
    """`I have a dog. His name is Max.` is one fact."""
    last = reading.said[-1]
    name = said_name(words.split(" and ", maxsplit=1)[0])
    if name:
        rest = " and ".join([name, *filter(None, map(said_name, words.split(" and ")[1:]))])
        sentence = f"{last.sentence} named {rest}"
        reading.said[-1] = Said(sentence, last.category, spoken(sentence), last.corrects, last.ends)


def _read_profile(reading: Reading, clause: str, today: date | None, *, imagined: bool) -> bool:
    if imagined:
        return False
    timezone, stay = zone_in(clause), zone_of_stay(clause)
    if timezone or stay:
        reading.timezone, reading.zone_by = timezone or stay, "clock" if timezone else "stay"
        reading.zone_until = last_day_of_stay(clause, today) if stay and today else None
        return True
    name, gone = name_in(clause), name_taken_back(clause)
    if name is None and gone is not None:
        reading.name_gone = gone
        return True
    if name is None:
        return False
    reading.name = name
    return True


def _swap(sentence: str) -> Swap | None:
    found = _SWAP.fullmatch(sentence)
    if found is None:
        return None
    groups = {name.rstrip("0123456789"): words for name, words in found.groupdict().items() if words}
    wrong, right = trimmed(groups["wrong"]), trimmed(groups["right"])
    return Swap(wrong, right) if wrong and right and wrong.lower() != right.lower() else None


def _read_swap(reading: Reading, swap: Swap, sentence: str, today: date | None) -> None:
    """Where the right half is a statement of its own ("my dog is called Rex, not Max"), that is what was said."""
    subject = _NOT_SO.match(sentence)
    right = f"{subject[0]}{swap.right}" if subject else NOT_TAIL.sub("", sentence)
    whole = statement(re.sub(r"\b(is|was) not\b", r"\1", right), today, corrects=True)
    if whole and sentence.lower().startswith("my "):
        reading.said.append(whole)
    elif swap.right != reading.name:
        reading.swaps.append(swap)


def _read_forget(reading: Reading, what: str) -> None:
    what = re.sub(r"^(?:that|about) ", "", what.strip(" ,:"), flags=re.IGNORECASE)
    what = re.sub(r"(?: please| now| from (?:your )?memory| for me)+$", "", what, flags=re.IGNORECASE)
    pieces = re.split(r",? and (?:about )?|, ", what)
    if re.fullmatch(
        r"(?:it|that|this|that last (?:one|thing)|the last (?:one|thing|fact)|what i (?:just )?said)?",
        what,
        re.IGNORECASE,
    ):
        reading.small_talk.append("forget_that")
    elif re.fullmatch(
        r"(?:everything|me|all(?: of it)?|it all|all (?:my |your |the )?(?:data|memories|facts|memory)|"
        r"(?:my|your) (?:data|memory|memories)|all about me|about me|"
        r"everything (?:about|you know about) me|anything|my whole memory|everything i (?:said|told you))",
        what,
        re.IGNORECASE,
    ):
        reading.small_talk.append("forget_everything")
    elif is_talk_of_a_time(what):
        reading.small_talk.append("forget_a_day")
    elif any(map(is_own_name, pieces)):
        reading.name_gone = ""
        reading.forget += [piece for piece in pieces if not is_own_name(piece)]
    elif what.lower() in {"him", "her"}:
        being = reading.meant_by(what)
        (reading.forget.append(being.name or f"my {being.kind}") if being else reading.unclear.append(what.lower()))
    else:
        each_owned = all(re.match(r"(?:my|our) ", piece, re.IGNORECASE) for piece in pieces)
        reading.forget += pieces if each_owned else [what]


def _read_remember(reading: Reading, what: str, *, corrects: bool, today: date | None) -> None:
    if _NOT_TO_REMEMBER.match(what) and not re.match(r"(?:that|this) \w+ (?:is|are)\b", what, re.IGNORECASE):
        reading.small_talk.append("reminder" if what.lower().startswith(("to ", "about ")) else "acknowledged")
        return
    if _read_profile(reading, what, today, imagined=False):
        return
    said = statement(what, today, corrects=corrects, whole=True) or verbatim(what)
    if said is None:
        reading.missed.append(what)
    else:
        reading.keep(said)
