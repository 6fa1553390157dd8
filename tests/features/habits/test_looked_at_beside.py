"""Whoever texts while the job begins to look is looked at too."""

import pytest
from sqlalchemy import func
from sqlalchemy.orm import Session

from app import people
from app.features.habits import suggest_habits
from app.models import Message
from app.operations import marks
from app.store.postgres import PostgresDatabase
from tests import postgres
from tests.features.habits.weeks import Weeks


@pytest.mark.postgres
def test_who_is_kept_after_another_with_a_higher_id_is_looked_at_too(weeks: Weeks) -> None:
    for question in ("What is a bond?", "How do vaccines work?", "Who was Ada Lovelace?"):
        weeks.text("10:00", question)
        weeks.phone.text("shorter please")
    services, store, alex = weeks.services, weeks.services.store, weeks.phone.person_id
    assert isinstance(store, PostgresDatabase)
    with services.transaction() as db:
        ben = people.add(db, "+12125550177", access="allowed", now=services.clock.now()).id
        marks.put(db, suggest_habits.MARK, services.clock.now(), number=db.query(func.max(Message.id)).scalar())

    def keep(db: Session, person_id: int) -> None:
        of = {"person_id": person_id, "carrier": "phone", "created_at": services.clock.now()}
        db.add(Message(**of, direction="in", state="answered", body="Hi"))
        db.flush()

    def keep_beside() -> None:
        with services.transaction(ben) as db:
            keep(db, ben)

    with services.transaction(alex) as db:
        keep(db, alex)
        postgres.start(keep_beside).join()
        looking = postgres.start(lambda: suggest_habits.run(services))
        postgres.wait_for_a_waiting_writer(store.engine)
    looking.join()
    suggest_habits.run(services)
    assert weeks.states() == ["waiting"]
