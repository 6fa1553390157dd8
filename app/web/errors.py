"""Errors as the doors show them: one JSON shape, and nothing of what is inside; to a browser at the pages, a page."""

import logging
from http import HTTPStatus

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

from app.errors import KeepsakeError
from app.web.admin.blueprint import bp, unknown_page

logger = logging.getLogger(__name__)


def register(app: Flask) -> None:
    """Every failure that a door does not show in a way of its own is `{"code", "message", "details"}`."""
    app.register_error_handler(KeepsakeError, _known)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unknown)


def _known(error: KeepsakeError) -> Response:
    if error.is_fault:
        logger.exception("A request failed")
    return _shaped(error.code, str(error), error.http_status)


def _http(error: HTTPException) -> Response:
    if error.code in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED} and _is_browser_at_the_pages():
        return unknown_page(error.code)
    response = _shaped((error.name or "error").lower().replace(" ", "_"), error.description or "", error.code or 500)
    for name, value in error.get_headers():
        if name.lower() not in {"content-type", "content-length"}:
            response.headers[name] = value
    return response


def _is_browser_at_the_pages() -> bool:
    is_there = request.path.startswith(f"{bp.url_prefix}/") and request.method in {"GET", "HEAD"}
    # Whoever takes anything, or says nothing of it, is no browser.
    return is_there and request.accept_mimetypes.best_match(["application/json", "text/html"]) == "text/html"


def _unknown(_: Exception) -> Response:
    logger.exception("A request failed")
    return _shaped("error", "Something went wrong here; it has been logged.", 500)


def _shaped(code: str, message: str, status: int) -> Response:
    response = jsonify({"code": code, "message": message, "details": {}})
    response.status_code = status
    return response
