import click

from app import operators
from app.cli.call import Call, with_call

operator = click.Group("operator", help="Operators, who log in to the admin pages.")


@operator.command("list")
@with_call
def list_operators(call: Call) -> None:
    """List the operators, each with role and second factor."""
    listed = operators.everyone(call.services)
    lines = []
    for one in listed:
        factors = ["app"] * one.has_app + [f"passkeys: {one.passkeys}"] * bool(one.passkeys)
        waits = "one-time password" if one.must_change_password else "password alone"
        lines.append("  ".join([one.name, one.role, ", ".join(factors) or waits]))
    nothing = "There is no operator yet. `keepsake operator reset` makes the first."
    call.answer([one._asdict() for one in listed], *lines, nothing=nothing)


@operator.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(operators.ROLES),
    default="support",
    help="An owner may do everything; support may not read people's words. [default: support]",
)
def add(name: str, role: str) -> None:
    """Let NAME log in to the admin pages, and print a one-time password."""
    call = Call()
    call.note(None)
    click.echo(f"One-time password: {operators.add(call.services, name, role)}")


@operator.command()
@click.argument("name", required=False)
def reset(name: str | None) -> None:
    """Print a new one-time password for NAME, or for the first owner.

    This ends the old password, the second factors, all sessions, and any wait after wrong passwords.
    """
    call = Call()
    if name is None:
        call.note(None)
        password = operators.reset(call.services)
    else:
        password = operators.reset(call.services, _id_noted(call, name))
    click.echo(f"One-time password: {password}")
    click.echo("Second factors are off, open logins have ended, and nobody has to wait.", err=True)


@operator.command()
@click.argument("name")
def remove(name: str) -> None:
    """Log NAME out and delete the login."""
    call = Call()
    operators.remove(call.services, _id_noted(call, name))
    click.echo(f"{name} is removed.")


def _id_noted(call: Call, name: str) -> int:
    """The id of the operator with that name; the log entry names them."""
    found = operators.named(call.services, name)
    call.note(None, f"operator {found.id} {found.name}")
    return found.id
