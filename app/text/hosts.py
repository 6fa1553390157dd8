"""Hosts, by their address or name: public, private, or this machine."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

_NAT64 = ip_network("64:ff9b::/96")  # An IPv4 address within IPv6. Source: RFC 6052.
# The metadata of Oracle's cloud (RFC 6890; global for Python before 3.11.10) and Azure's: both give out keys.
_OF_CLOUDS = (ip_network("192.0.0.0/24"), ip_network("168.63.129.16/32"))


def is_loopback(host: str | None) -> bool:
    """True if the host is this machine."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return host == "localhost"
    # A socket that listens for both families shows IPv4 peers as ::ffff:127.0.0.1.
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def is_private(host: str) -> bool:
    """True if the host cannot be reached from the internet, judging by its name or address."""
    try:
        return not is_public(host)
    except ValueError:
        return "." not in host or host.endswith((".local", ".internal", ".lan"))


def is_public(address: str) -> bool:
    """True if a numeric address belongs to the public internet, and to no local machine, network or service."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        if ip in _NAT64:
            ip = IPv4Address(int(ip) & 0xFFFF_FFFF)
        elif ip.sixtofour or ip.teredo or ip.is_site_local:
            return False
        else:
            ip = ip.ipv4_mapped or ip
    is_ours = ip.is_multicast or ip.is_reserved or ip.is_unspecified or any(ip in one for one in _OF_CLOUDS)
    return ip.is_global and not is_ours
