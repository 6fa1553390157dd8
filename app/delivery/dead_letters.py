"""Texts that were given up because they ended their process, tried again when the operator says so."""

from sqlalchemy import select

from app import people
from app.errors import NotFound, Refused
from app.models import Message
from app.models.message import TROUBLED
from app.models.states import move
from app.operations.alerts import clear
from app.services import Services


def try_again(services: Services, address: str) -> int:
    """How many given-up texts of the person wait again, each to be begun anew as if it had just come.

    Raises:
        NotFound: nobody has that number.
        Refused: whoever has it is not to be texted.
    """
    with services.transaction() as db:
        person = people.by_address(db, address)
        if person is None:
            raise NotFound(f"Nobody with the number {address} is known. `keepsake people list` shows who is.")
        if person.access != "allowed" or person.opted_out_at is not None:
            raise Refused(f"{address} is blocked, waits to be let in, or has opted out: nothing would be sent.")
        dead = (Message.person_id == person.id, Message.state == "dead")
        count = move(db, Message, "waiting", *dead, turn_id=None)
        if db.scalar(select(Message.id).where(TROUBLED, Message.state == "dead").limit(1)) is None:
            clear(db, "dead_letters", services.clock.now())
    services.background.wake(person.id)
    return count
