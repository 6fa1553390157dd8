"""The words that belong to the carrier and the law: STOP, START, HELP and their kin. Pure."""

from typing import Literal

CarrierWord = Literal["STOP", "START", "HELP"]

# Twilio's default keywords for long codes. A text is one of them only as a whole, whatever its case. A stop or an
# exclamation mark behind it is passed over, and so is the space in two of them: when in doubt the person has opted out
# (47 CFR 64.1200(a)(10)). Other languages have none unless the operator sets some up, and then Twilio says which it
# has matched. Source: https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out
_STOP = frozenset(
    {"stop", "unsubscribe", "end", "quit", "stopall", "stop all", "revoke", "optout", "opt out", "cancel"}
)
_START = frozenset({"start", "unstop"})
_START_AGAIN = _START | {"yes"}  # Twilio takes "yes" as START; from somebody who has not opted out it is an answer.
_HELP = frozenset({"help", "info"})


def carrier_word(body: str, opt_out_type: str | None, *, opted_out: bool) -> CarrierWord | None:
    """Which of the carrier's words the text is, if any.

    `opt_out_type` is the carrier's own finding; `opted_out`, whether the carrier holds that the person has opted out.
    """
    if opt_out_type in {"STOP", "START", "HELP"}:
        return opt_out_type  # type: ignore[return-value]
    word = body.strip().rstrip(" \t\r\n.!").casefold()
    if word in _STOP:
        return "STOP"
    if word in (_START_AGAIN if opted_out else _START):
        return "START"
    return "HELP" if word in _HELP else None
