"""The phone page as a program uses it."""

import re
from typing import Any
from uuid import uuid4

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.web.phone import NUMBERS

SEATTLE, NEW_YORK = NUMBERS[0], NUMBERS[1]
TWILIO = {"twilio_account_sid": "AC" + "0" * 32, "twilio_auth_token": "secret", "twilio_from": "+12065550199"}


def new_sid() -> str:
    return f"SM{uuid4().hex}"


def text(client: FlaskClient, body: str, number: str = SEATTLE, sid: str | None = None) -> TestResponse:
    form = {"from": number, "body": body, "sid": sid or new_sid()}
    return client.post("/phone/texts", data=form, headers={"Accept": "application/json"})


def snapshot(client: FlaskClient, number: str = SEATTLE) -> dict[str, Any]:
    """The sections of the page with each list as one piece of HTML."""
    sections = client.get("/phone/snapshot", query_string={"number": number}).get_json()
    return {
        name: "".join(html for _, html in part) if isinstance(part, list) else part for name, part in sections.items()
    }


def visible(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())
