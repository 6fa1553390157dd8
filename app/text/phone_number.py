"""Phone numbers: parse them as people type them, and format them."""

import phonenumbers

from app.errors import Refused


def parse_number(typed: str) -> str:
    """The typed number in E.164: `+12065550100`.

    Raises:
        Refused: it is not a phone number with a country code.
    """
    digits = typed.strip()
    if typed.startswith(" ") and digits[:1].isdigit():
        digits = f"+{digits}"  # A `+` in an address bar arrives as a space.
    elif digits.startswith("00"):
        digits = f"+{digits[2:]}"
    number = number_in(digits)
    if number is None or number.extension or not phonenumbers.is_possible_number(number):
        raise Refused(
            f"“{typed.strip()[:40]}” is not a whole phone number. "
            f"Begin with + and the country code, as in +12065550100."
        )
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)


def number_in(address: str) -> phonenumbers.PhoneNumber | None:
    """The number in an address such as `whatsapp:+12065550100`; None if there is none."""
    try:
        return phonenumbers.parse(address.rpartition(":")[2])
    except phonenumbers.NumberParseException:
        return None


def written(address: str) -> str:
    """The number as people write it: `+1 206-555-0100`."""
    number = number_in(address)
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL) if number else address


def country_of(address: str) -> str | None:
    """The country of a number as two letters, `US`; None if its digits do not tell."""
    if (number := number_in(address)) is None:
        return None
    # Fictional and example numbers belong to no region, but their country code does.
    return phonenumbers.region_code_for_number(number) or phonenumbers.region_code_for_country_code(
        number.country_code or 0
    )
