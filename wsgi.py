"""The WSGI application, for servers that import one: `gunicorn wsgi:app`. `keepsake serve` needs no such server.

It takes texts in and shows the pages. Nobody is answered, and no routine comes, by such a server alone.
"""

import logging

from app.web.application import create_app

app = create_app()

logging.getLogger("app.wsgi").warning(
    "This server takes texts in and shows the pages; it answers none of them. Run `keepsake serve` on the same "
    "database as well, or instead: until then texts are kept, and /ready says 503."
)
