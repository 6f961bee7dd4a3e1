"""Which internet addresses a server may be sent to by a stranger: those that everybody can reach. Pure.

Of IPv6 what is allowed is listed, so that the next special range is refused before anybody knows it.
"""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

NOT_HOSTS = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/3",
        ),
    )
)
"""IANA's special-purpose IPv4 addresses (RFC 6890 and its registry), multicast and what was never given out. Our own
list: Python's differs by version."""
METADATA = IPv4Network("168.63.129.16/32")
"""Where Azure answers its own machines; the other clouds' are link-local, shared or private, and so refused anyway."""
UNICAST = IPv6Network("2000::/3")
"""All that IANA has given out for hosts on the IPv6 internet (RFC 4291, 2.4)."""
SPECIAL = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")))
"""Parts of it that lead elsewhere: protocol assignments with Teredo, 6to4 (both hold an IPv4 address), examples."""


def is_public(address: str) -> bool:
    """Whether anybody on the internet could connect to this address, too; False for what is no address.

    >>> [is_public(a) for a in ("93.184.215.14", "10.0.0.1", "169.254.169.254", "::1", "2606:2800:21f:cb07::1")]
    [True, False, False, False, True]

    An address that holds another (mapped, translated, tunnelled) is refused: none of these is a host's own.

    >>> [is_public(a) for a in ("::ffff:127.0.0.1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "fe80::1%eth0", "localhost")]
    [False, False, False, False, False]
    """
    try:
        known = ip_address(address)
    except ValueError:
        return False
    match known:
        case IPv4Address():
            return known not in METADATA and not any(known in network for network in NOT_HOSTS)
        case IPv6Address():
            return known.scope_id is None and known in UNICAST and not any(known in network for network in SPECIAL)
