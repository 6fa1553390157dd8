"""The WSGI application, for servers that import one: `gunicorn wsgi:app`. `keepsake serve` needs no such server."""

from app import create_app

app = create_app()
