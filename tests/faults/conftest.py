"""Keepsake with stand-ins on real sockets for Claude and for Twilio."""

import pytest

from app.clients.claude import ClaudeModel
from app.services import Services
from tests.conftest import MakeServices
from tests.fakes import InlineBackground
from tests.phoning import Phone


@pytest.fixture
def alive(make_services: MakeServices, claude_model: ClaudeModel) -> Services:
    """Services whose model is the stand-in's Claude."""
    return make_services(model=claude_model)


@pytest.fixture
def alex(alive: Services, background: InlineBackground) -> Phone:
    return Phone(alive, background)
