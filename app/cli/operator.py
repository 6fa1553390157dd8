import click

from app import operators
from app.cli.parameters import as_json
from app.cli.persons import noted, ready_services
from app.cli.printing import iso, print_json


@click.group()
def operator() -> None:
    """Whoever logs in to the admin pages."""


@operator.command("list")
@as_json
def list_operators(*, as_json: bool) -> None:
    """Who logs in to the admin pages, with which role and second factor."""
    listed = operators.everyone(ready_services())
    if as_json:
        print_json([{**vars(one), "seen_at": iso(one.seen_at)} for one in listed])
        return
    for one in listed:
        factors = ["app"] * one.has_app + [f"passkeys: {one.passkeys}"] * bool(one.passkeys)
        waits = "one-time password" if one.must_change_password else "password alone"
        click.echo("  ".join([one.name, one.role, ", ".join(factors) or waits]))
    if not listed:
        click.echo("There is no operator yet. `keepsake operator reset` makes the first.", err=True)


@operator.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(operators.ROLES),
    default="support",
    help="What they may do: an owner everything, support no reading of people's words. [default: support]",
)
def add(name: str, role: str) -> None:
    """Let NAME log in to the admin pages, and print a one-time password."""
    services = ready_services()
    noted(services, None)
    click.echo(f"One-time password: {operators.add(services, name, role)}")


@operator.command()
@click.argument("name", required=False)
def reset(name: str | None) -> None:
    """Print a new one-time password for NAME, or for the first owner.

    The old password, the second factors and all open logins end, and so does any wait after wrong tries.
    """
    services = ready_services()
    if name is None:
        noted(services, None)
        password = operators.reset_password(services)
    else:
        found = operators.named(services, name)
        noted(services, None, f"operator {found.id} {found.name}")
        password = operators.reset(services, found.id)
    click.echo(f"One-time password: {password}")
    click.echo("Second factors are off, open logins have ended, and nobody has to wait.", err=True)


@operator.command()
@click.argument("name")
def remove(name: str) -> None:
    """Have NAME logged out and let in no more."""
    services = ready_services()
    found = operators.named(services, name)
    noted(services, None, f"operator {found.id} {found.name}")
    operators.remove(services, found.id)
    click.echo(f"{name} is removed.")
