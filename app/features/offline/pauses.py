"""Pauses of what comes by itself, of all or of one, and their ends, read from a sentence. Pure."""

import re
from datetime import date

from app.features.offline.ends import END, End, read_end
from app.features.offline.wish import THIS, Wish

_HOLDS = re.compile(
    rf"(?:please )?(?P<hold>pause)(?: (?:{THIS}|(?:the |my )?(?P<what>(?!rule\b).+)))?|"
    rf"(?:please )?(?P<resume>resume|unpause|restart)(?: (?:{THIS}|(?:the |my )?(?P<what2>(?!rule\b).+)))?",
    re.IGNORECASE,
)
_ALL = (
    r"(?:(?:all |any )?(?:of )?(?:my |the |your )?(?:reminders|routines|alarms|texts|messages)|everything|"
    r"all(?: of (?:them|it))?)"
)
_PAUSES = r"(?:pause|hold|mute|silence|suspend)"
_LETS_BE = (
    rf"(?:(?:stop|turn off|switch off|skip|snooze|cancel|no|no more) {_ALL}|(?:please )?leave me (?:alone|in peace)|"
    rf"(?:do not|never) (?:text|message|disturb|bother|remind) me(?: (?:at all|again|anymore|of anything))?|"
    rf"I (?:do not want|want no) {_ALL})"
)
"""What means a pause where an end of it is said."""
_HOLDS_ALL = re.compile(
    rf"(?:please )?(?:(?P<hold>{_PAUSES} {_ALL})(?:,? (?P<end>{END}))?|{_LETS_BE},? (?P<end2>{END})|"
    rf"(?:resume|unpause|restart)(?: {_ALL})?|(?:unmute|continue|start|turn on|switch on|turn back on) {_ALL}|"
    rf"(?:turn|switch) {_ALL} (?:back )?on|you (?:can|may) (?:text|remind|message) me)(?: again| please)*",
    re.IGNORECASE,
)
_ONE_WITH_END = re.compile(rf"(?:(?P<what>.+?),? )?(?P<end>{END})", re.IGNORECASE)
_UNTIL_WHEN = "Until when? Say it as: pause everything until Monday, or for two hours."
_WHOLE_DAYS = "One by itself I pause for whole days. Say it as: pause stretch until Monday."


def pause_of_all(sentence: str, today: date) -> Wish | None:
    """That all are to pause, or to come again; None where the sentence says neither."""
    said = _HOLDS_ALL.fullmatch(sentence)
    if said is None:
        return None
    until = said["end"] or said["end2"]
    if not (said["hold"] or until):
        return Wish("resume all")
    end = read_end(until, today) if until else End()
    if end is None:
        return Wish("unclear", question=_UNTIL_WHEN)
    if end.at.hour is not None and (question := end.at.schedule(waking=False)[1]):
        return Wish("unclear", question=f"{question} And say again what to pause.")
    return Wish("pause all", end=end)


def pause_of_one(sentence: str, today: date) -> Wish | None:
    """That one is to pause, until a day if one is said, or to come again; None where the sentence says neither."""
    hold = _HOLDS.fullmatch(sentence)
    if hold is None:
        return None
    until = _ONE_WITH_END.fullmatch(hold["what"] or "")
    if until is None:
        return Wish("pause" if hold["hold"] else "resume", words=hold["what"] or hold["what2"] or "")
    end, what = read_end(until["end"], today), until["what"] or ""
    if end is None:
        return Wish("unclear", question=_UNTIL_WHEN)
    if end.minutes or end.at.hour is not None:
        return Wish("unclear", question=_WHOLE_DAYS)
    return Wish("pause", words="" if re.fullmatch(THIS, what, re.IGNORECASE) else what, end=end)
