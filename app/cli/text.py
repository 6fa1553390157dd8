import sys

import click

from app.assistant.turn import hold
from app.cli.numbers import PhoneNumber
from app.cli.ready import ready_services
from app.services import Services
from app.web.phone_numbers import NUMBERS


@click.command()
@click.argument("message", required=False)
@click.option(
    "--from",
    "sender",
    metavar="NUMBER",
    type=PhoneNumber(),
    default=NUMBERS[0],
    show_default=True,
    help="Whose phone this is.",
)
def text(message: str | None, sender: str) -> None:
    """Text the assistant and print its reply; without MESSAGE, chat until the input ends."""
    if message is not None and not message.strip():
        raise click.BadParameter("says nothing. Leave it out to chat.", param_hint="MESSAGE")
    services = ready_services()
    if message is None:
        _chat(services, sender)
    else:
        click.echo(hold(services, sender, message))


def _chat(services: Services, sender: str) -> None:
    # Only somebody at a keyboard is prompted: in a pipe the replies stand alone.
    prompt = "> " if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        try:
            message = input(prompt)
        except EOFError:
            return
        if message.strip():
            click.echo(hold(services, sender, message))
