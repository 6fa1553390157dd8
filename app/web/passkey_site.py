"""The address that a passkey made here is bound to, where there can be one."""

import ipaddress
from urllib.parse import urlsplit

from flask import request

from app.errors import Refused
from app.operators import Site
from app.settings import Settings

HTTPS_PORT = 443
NO_SITE = "Passkeys need these pages under https and a name (PUBLIC_URL), or http://localhost on the machine itself."


def passkey_site(settings: Settings) -> Site | None:
    """The site of the request in hand; None where browsers know no passkeys: without https, or without a name."""
    here = urlsplit(request.host_url)
    if here.hostname == "localhost":
        return Site("localhost", f"{here.scheme}://{here.netloc}".lower())
    public = urlsplit(settings.address.lower())
    if public.scheme != "https" or not public.hostname or _is_bare_address(public.hostname):
        return None
    port = "" if public.port in {None, HTTPS_PORT} else f":{public.port}"
    return Site(public.hostname, f"https://{public.hostname}{port}")


def needed_site(settings: Settings) -> Site:
    """The site of the request in hand.

    Raises:
        Refused: browsers know no passkeys here.
    """
    site = passkey_site(settings)
    if site is None:
        raise Refused(NO_SITE)
    return site


def _is_bare_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
