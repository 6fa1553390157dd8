import pytest
from flask import Flask
from flask.testing import FlaskClient


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
