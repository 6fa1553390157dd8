import click

from app.errors import Refused
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
