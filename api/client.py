"""Who asks: the address behind proxies that are trusted by name, and by nobody else's word."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.types import Scope

from api.settings import Network

Address = IPv4Address | IPv6Address


class Clients:
    """Finds the client of a request. `X-Forwarded-For` is read from its end, past trusted proxies alone."""

    def __init__(self, trusted: Iterable[str]) -> None:
        self._trusted = networks_of(trusted)

    def __call__(self, scope: Scope) -> Address | None:
        """The client's address; None where the connection has none, as on a local socket."""
        peer = scope.get("client")
        address = parsed(peer[0]) if peer else None
        if address and self._trusted and within(address, self._trusted):
            hops = ",".join(Headers(scope=scope).getlist("x-forwarded-for"))
            for hop in reversed(hops[-1000:].split(",")):
                before = parsed(hop.strip())
                if before is None:
                    break  # what no proxy of ours wrote
                address = before
                if not within(address, self._trusted):
                    break
        return address


def networks_of(values: Iterable[str]) -> tuple[Network, ...]:
    return tuple(ip_network(value, strict=False) for value in values)


def within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)


@lru_cache(maxsize=4096)
def parsed(text: str) -> Address | None:
    """An address as it stands in a header; also with a port, and of IPv4 as IPv6 writes it."""
    text = text.strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def name_of(address: Address | None) -> str:
    """Whom a limit is for: an address; of IPv6 a network of 64 bits, which is one household or machine."""
    if isinstance(address, IPv6Address):
        return str(ip_network((int(address) >> 64 << 64, 64)))
    return str(address)
