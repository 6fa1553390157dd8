"""Ports of loopback that nobody else can be given while a test holds them."""

import socket

NOWHERE = "127.0.0.1:9"
"""An address at which nobody listens: a port below 1024 is given to nobody by chance."""


class HeldPort:
    """A port that is bound, and so nobody else's, until the block ends or this object goes.

    The socket that holds it never listens, so a server may bind the port and listen, again and again: Linux lets
    sockets with SO_REUSEADDR share a port of which none listens yet. Source: socket(7), ip(7).
    """

    def __init__(self) -> None:
        self._holder = socket.socket()
        self._holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._holder.bind(("127.0.0.1", 0))
        self.number = int(self._holder.getsockname()[1])

    def __enter__(self) -> int:
        return self.number

    def __exit__(self, *_: object) -> None:
        self._holder.close()

    def __del__(self) -> None:
        self._holder.close()
