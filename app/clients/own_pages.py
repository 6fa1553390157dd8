"""Our own pages, asked for as a visitor from outside would."""

import httpx2

SECONDS = 5.0


def status_of(address: str) -> int | None:
    """The status of an answer to a visitor without a login; None where the address cannot be reached."""
    try:
        with httpx2.Client(timeout=SECONDS, trust_env=False, follow_redirects=False) as client:
            return client.get(address).status_code
    except (httpx2.HTTPError, httpx2.InvalidURL):
        return None
