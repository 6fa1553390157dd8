from datetime import date

import click

from app.errors import Refused
from app.memory.revise import read_last_day


class LastDay(click.ParamType[date]):
    """The last day of something: `2026-08-10`, or `never` for no end."""

    name = "date"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        if isinstance(value, date):
            return value
        try:
            return read_last_day(value)
        except Refused as refusal:
            self.fail(str(refusal), param, ctx)
