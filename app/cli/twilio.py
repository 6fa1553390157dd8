import re

import click

from app.delivery.account import CarrierAccount, Sender
from app.errors import Refused
from app.operations.checks.twilio import Changes, changes, check_public
from app.settings import Settings, load_settings
from app.wiring import carrier_account

_CREDENTIALS = re.compile(r"//[^/@]*@")

twilio = click.Group("twilio", help="Set up Keepsake's number at Twilio.")


@twilio.command()
@click.option("--dry-run", is_flag=True, help="Show the changes without making them.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def connect(*, dry_run: bool, yes: bool) -> None:
    """Have Twilio send texts, delivery reports and calls to PUBLIC_URL.

    Shows the new addresses of the number or Messaging Service TWILIO_FROM, and sets them after your yes.
    """
    settings = load_settings()
    account = carrier_account(settings)
    if account is None:
        raise Refused("Twilio is not set up here. Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.")
    check_public(settings)
    planned = _planned(settings, account)
    for sender, wanted in planned:
        click.echo(f"{sender.name}:")
        for name, (is_now, to) in wanted.items():
            # Without the name and password that an address may hold.
            shown = [_CREDENTIALS.sub("//…@", value) or "(none)" for value in (is_now, to)]
            click.echo(f"  {name}: {' -> '.join(shown)}")
    if not planned:
        click.echo(f"Nothing to change: texts and calls are brought to {settings.address} already.")
        return
    if dry_run:
        click.echo("Nothing was changed.")
        return
    if not yes:
        click.confirm("Change this at Twilio?", abort=True)
    for sender, wanted in planned:
        account.set_values(sender, {name: to for name, (_, to) in wanted.items()})
    if left := _planned(settings, account):
        raise Refused(f"Twilio took the change, and {left[0][0].name} is not as it should be. Run this once more.")
    click.echo("Changed. `keepsake doctor` tries whether a webhook arrives.")


def _planned(settings: Settings, account: CarrierAccount) -> list[tuple[Sender, Changes]]:
    senders = account.senders()
    if not senders:
        raise Refused(
            f"Twilio's API does not show {settings.twilio_from} among the senders of this account. In Twilio's "
            f"console, set its webhook and its fallback to {settings.address}/sms, POST; or mend TWILIO_FROM."
        )
    found = [(sender, changes(settings, sender)) for sender in senders]
    return [(sender, wanted) for sender, wanted in found if wanted]
