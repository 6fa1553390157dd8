"""Pages as they travel: compressed for every browser that takes it, which is every browser there is."""

import gzip
import secrets
from io import BytesIO

from flask import Response, request

LEAST_BYTES = 1_000  # Below it the answer fits into one packet anyway.
LEVEL = 6
KINDS = {"text/html", "text/css", "text/csv", "text/plain", "text/javascript", "image/svg+xml"}
MOST_PADDING = 100
"""Letters: who makes a browser ask again and again, and counts the bytes on the line, must not read a form's token off
them, guess by guess (BREACH). A length that changes by chance is one cure of those who found it (Gluck and others)."""


def compressed(response: Response) -> Response:
    """The response in gzip where it was asked for and saves anything; made for `after_request`.

    What is sent as it comes about, as the pages' streams, is let be.
    """
    if response.mimetype not in KINDS or response.status_code in {206, 304} or _length(response) < LEAST_BYTES:
        return response
    response.vary.add("Accept-Encoding")
    if "Content-Encoding" in response.headers or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    response.set_data(_gzip(response.get_data()))
    response.content_encoding = "gzip"
    tag, _ = response.get_etag()
    if tag is not None:  # The same page, and other bytes.
        response.set_etag(tag, weak=True)
    return response


def _length(response: Response) -> int:
    """Bytes; none where nobody knows them before the end, which a stream may not have."""
    if response.is_streamed:
        return response.content_length or 0
    return len(response.get_data())


def _gzip(content: bytes) -> bytes:
    """`content`, under a file's name of any length: the one part of the form that every reader passes over."""
    name = "x" * secrets.randbelow(MOST_PADDING + 1)
    packed = BytesIO()
    with gzip.GzipFile(filename=name, mode="wb", compresslevel=LEVEL, fileobj=packed, mtime=0) as file:
        file.write(content)
    return packed.getvalue()
