"""Pages that stay as new as what they show: each hands in its changing parts, and gets its stream and its snapshot."""

from collections.abc import Callable
from typing import Any, cast

from flask import Response, current_app, jsonify, request
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from app.errors import KeepsakeError
from app.web import auth
from app.web.admin.blueprint import bp
from app.web.streams import Pace, Sections, fingerprint

PACE = Pace(gap_seconds=1.0, quiet_polls=5)  # Nobody waits for these pages: a look a second is enough on a busy server.


def offer(rule: str, endpoint: str, see: Callable[..., Sections]) -> None:
    """Have the page at `rule` followed at `<rule>/events`, or asked for at `<rule>/snapshot`.

    `see` takes the values of the page's address, looks at the database with the operator of the session that is at the
    page, and returns the page's lists by name, each `[key, HTML]` in order. Whoever logs out, or is logged out, is told
    nothing more from the next look on.
    """

    def events(**values: Any) -> Response:
        app = cast("Any", current_app)._get_current_object()  # noqa: SLF001  (Flask's own way to an app that outlives its request)
        environ = request.environ

        def render() -> Sections | None:
            with app.request_context(environ):
                if not auth.may_still_look():
                    return None
                try:
                    return see(**values)
                except KeepsakeError:  # What the page was about is gone.
                    return None

        known = request.headers.get("Last-Event-ID") or request.args.get("known")
        stream = app.extensions["streams"].open(auth.services(), render, known, PACE)
        if stream is None:
            return Response("All streams are taken; ask for the snapshot.\n", 503, {"Retry-After": "30"})
        return Response(stream, content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})

    def snapshot(**values: Any) -> AnyResponse:
        sections = see(**values)
        response = jsonify(sections)
        response.set_etag(fingerprint(sections))
        return response.make_conditional(request)

    bp.add_url_rule(f"{rule.rstrip('/')}/events", f"{endpoint}_events", events)
    bp.add_url_rule(f"{rule.rstrip('/')}/snapshot", f"{endpoint}_snapshot", snapshot)


def parts(template: str, **values: Any) -> Any:
    """The macros of a template, for the page and for its stream alike; they see what every admin page sees."""
    context: dict[str, Any] = dict(values)
    current_app.update_template_context(context)
    return current_app.jinja_env.get_template(template).make_module(context)


def written(sections: Sections) -> dict[str, Markup]:
    """The lists as the page itself holds them when it is loaded."""
    return {
        name: Markup("").join(Markup(html) for _, html in cast("list[list[str]]", items))  # noqa: S704  (The template escaped it.)
        for name, items in sections.items()
    }
