import sys

import click

from app.cli.call import Call, phone_number
from app.conversation.commands import ASKED_WHAT_TO_STOP
from app.conversation.finish import Reply
from app.conversation.turn import run_turn
from app.errors import Conflict, Refused
from app.models import Turn
from app.services import Services
from app.web.phone import NUMBERS

ANSWERED = frozenset({*Turn.SPOKEN, "command", ASKED_WHAT_TO_STOP})

NO_ANSWER = {
    "model": "The model gave no answer. `keepsake doctor` checks the set-up; the log above says what went wrong.",
    "model_down": "The model is down. `keepsake doctor` checks the set-up; the log above says what went wrong.",
    "model_refused": "The model's server refuses the request; the log above has its sentence. Mend that first.",
    "budget": "The log above says whose budget has no room. Raise DAILY_BUDGET_CENTS or PERSON_DAILY_BUDGET_CENTS.",
    "thinking_refused": "The model's server refuses what the model thought before. Text once more.",
    "context_too_long": "The model found the conversation too long, also when shortened. Lower HISTORY_MAX_TOKENS.",
    "max_tokens": "The model's answer was too long, twice. Ask for one part of it.",
    "refusal": "The model refused to answer. Ask in other words.",
    "too_many_calls": "The model called tools until the turn was over, and said nothing. Try again.",
    "no_words": "The text holds no words. Text some.",
    "failed": "The turn failed, which is a fault of Keepsake's. The log above says where.",
    "given_up": "Earlier attempts at this text ended their process, so it is not tried again. Text it anew.",
}
"""Explanations of kind sentences for the operator, by the outcome of the turn."""


@click.command()
@click.argument("message", required=False)
@click.option(
    "--from",
    "sender",
    metavar="NUMBER",
    type=phone_number,
    default=NUMBERS[0],
    show_default=True,
    help="The phone number that texts.",
)
def text(message: str | None, sender: str) -> None:
    """Text the assistant and print its reply.

    Without MESSAGE it is a chat: each line is a text, until the input ends.

    If a text gets no answer, because the model cannot be reached for instance, a kind sentence is printed, the reason
    goes to stderr, and the exit code is 1. A chat goes on, and ends with the code of its last text.
    """
    if message is not None and not message.strip():
        raise click.BadParameter("says nothing. Leave it out to chat.", param_hint="MESSAGE")
    call = Call(sender)
    services, person = call.services, call.found()
    if person is not None:
        call.note(person.id)
    answered = _chat(services, sender) if message is None else _print(run_turn(services, sender, message))
    if not answered:
        click.get_current_context().exit(1)


def _chat(services: Services, sender: str) -> bool:
    """Answer each line of input; True if the last text got an answer."""
    # Only a person at a keyboard sees the prompt: a pipe gets the replies alone.
    prompt = "> " if sys.stdin.isatty() and sys.stdout.isatty() else ""
    answered = True
    while True:
        try:
            message = input(prompt)
        except EOFError:
            return answered
        if not message.strip():
            continue
        try:
            answered = _print(run_turn(services, sender, message))
        except (Conflict, Refused) as refusal:
            click.echo(str(refusal), err=True)
            answered = False


def _print(held: Reply) -> bool:
    """Print the reply; True if it is an answer. If not, the reason goes to stderr, apart from the reply."""
    click.echo(held.text)
    if held.outcome not in ANSWERED:
        click.echo(f"No answer: {NO_ANSWER.get(held.outcome, NO_ANSWER['failed'])}", err=True)
    return held.outcome in ANSWERED
