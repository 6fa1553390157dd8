"""Types of arguments and options that several commands share."""

import re
from datetime import date
from typing import Any

import click

from app.errors import Refused
from app.memory.revise import read_last_day
from app.text.phone_number import parse_number


class PhoneNumber(click.ParamType[str]):
    """A phone number in any international spelling, as E.164: `+12065550100`, also after `whatsapp:`."""

    name = "number"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        channel, colon, written = value.strip().rpartition(":")
        try:
            return channel + colon + parse_number(written)
        except Refused as refusal:
            self.fail(str(refusal), param, ctx)


class EpisodeNumber(click.ParamType[int]):
    """An episode as the lists name it, `ep3`, or its number alone."""

    name = "episode"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = re.fullmatch(r"(?:ep)?(\d{1,18})", str(value).strip(), re.IGNORECASE)
        if found is None:
            self.fail(f"{value!r} names no episode. Give one as `keepsake episodes list` shows it: ep3.", param, ctx)
        return int(found[1])


class LastDay(click.ParamType[date]):
    """The last day of something: `2026-08-10`, or `never` for no end."""

    name = "date"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return value if isinstance(value, date) else read_last_day(value)
        except Refused as refusal:
            self.fail(str(refusal), param, ctx)


as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
of_whom = click.option(
    "--person", "number", metavar="NUMBER", type=PhoneNumber(), help="Only this person's; else everyone's."
)
whose = click.option(
    "--person",
    "number",
    metavar="NUMBER",
    type=PhoneNumber(),
    help="Whose memory. May be left out while only one person is known.",
)
