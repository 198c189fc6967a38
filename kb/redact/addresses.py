"""E-mail and IP addresses, replaced by ones that belong to nobody.

The same address gets the same stand-in, for hosts are told apart by it. IPv4 stand-ins are of the ranges for
documentation (RFC 5737), IPv6 ones of 2001:db8::/32 (RFC 3849), e-mail ones of example.com (RFC 2606).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address

from kb.redact.secrets import REDACTED

EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}(?:@|%40)(?:[A-Za-z0-9-]{1,63}\.){1,5}[A-Za-z]{2,24}(?![\w-])")
# Not in `==12.4.1.105`, `v1.2.3.4`, `cu12-12.1.3.1`: releases have four numbers too.
IPV4 = re.compile(r"(?<![\w.=+-])(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)(?![\w+])")
RELEASE_BEFORE = re.compile(
    r"(?:version|release|==|>=|<=|~=|driver|cudnn|cublas|nccl)\W{0,4}\Z", re.IGNORECASE
)
# Not `std::vector` nor `12:30:45`: with a digit, and what Python takes for an address.
IPV6 = re.compile(
    r"(?<![\w:.])(?=[A-Fa-f:]{0,39}\d)(?=[0-9A-Fa-f]{0,4}:[0-9A-Fa-f]{0,4}:)[0-9A-Fa-f:]{2,38}[0-9A-Fa-f](?![\w:]|\.\d)"
)
# The address of a cloud's machine in its name: ip-10-0-3-7.
IN_NAME = re.compile(r"(?<![\w.-])ip(?:-\d{1,3}){4}(?![\w-])")


def hide_addresses(text: str, counts: Counter[str]) -> str:
    """The text with stand-ins; `counts` gets how many of each kind were replaced."""
    text = EMAIL.sub(StandIn("e-mail", counts, lambda n: f"person{n}@example.com", is_person), text)
    v4 = StandIn("ip address", counts, stand_in_v4, is_foreign)
    text = IPV4.sub(v4, text)
    text = IN_NAME.sub(lambda found: in_name(found[0], v4), text)
    return IPV6.sub(StandIn("ip address", counts, lambda n: f"2001:db8::{n:x}", is_foreign), text)


class StandIn:
    """Replaces matches, the same one by the same stand-in."""

    def __init__(
        self,
        kind: str,
        counts: Counter[str],
        make: Callable[[int], str],
        applies: Callable[[re.Match[str]], bool],
    ) -> None:
        self._kind, self._counts, self._make, self._applies = kind, counts, make, applies
        self._known: dict[str, str] = {}

    def __call__(self, found: re.Match[str]) -> str:
        if not self._applies(found):
            return found[0]
        self._counts[self._kind] += 1
        return self._known.setdefault(found[0].lower(), self._make(len(self._known) + 1))


def is_person(found: re.Match[str]) -> bool:
    """Whether an address is not already a stand-in, nor the user of a git or ssh address."""
    return not found[0].endswith("@example.com") and not found[0].startswith(("git@", REDACTED))


def is_foreign(found: re.Match[str]) -> bool:
    """Whether it is an address, of a machine other than this one, and none for documentation."""
    if RELEASE_BEFORE.search(found.string, max(0, found.start() - 24), found.start()):
        return False
    try:
        address = ip_address(found[0])
    except ValueError:
        return False
    named = str(address).startswith(("192.0.2.", "198.51.100.", "203.0.113.", "2001:db8:"))
    return not (address.is_loopback or address.is_unspecified or named)


def in_name(name: str, v4: StandIn) -> str:
    """The name of a machine with the stand-in of the address in it, which may stand elsewhere, too."""
    address = name[3:].replace("-", ".")
    return "ip-" + IPV4.sub(v4, address).replace(".", "-")


def stand_in_v4(number: int) -> str:
    """One of the 762 addresses for documentation; from there on they come again."""
    block, last = divmod((number - 1) % 762, 254)
    return f"{('192.0.2', '198.51.100', '203.0.113')[block]}.{last + 1}"
