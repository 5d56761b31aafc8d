# SPDX-License-Identifier: Apache-2.0
"""A TCP proxy that counts turns and can delay: what a distance costs."""
import socket
import threading
import time


class Proxy:
    """
    Forwards to (host, port).  one_way_s delays every byte each way, as a line
    of that length does: bytes keep their distance, nothing is slowed down.
    turns counts how often the client spoke after having been spoken to, the
    connecting included: round trips as the client sees them.
    """

    def __init__(self, host, port, one_way_s=0.0):
        self.target = (host, port)
        self.delay = one_way_s
        self.turns = 0
        self.first_byte = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            # A handshake costs a round trip before the first byte.
            self.turns += 1
            if self.delay:
                time.sleep(2 * self.delay)
            server = socket.create_connection(self.target)
            for s in (client, server):
                s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.newest = state = {"last": "server"}
            self.first_byte = None
            for a, b, who in ((client, server, "client"), (server, client, "server")):
                threading.Thread(target=self._pump, args=(a, b, who, state),
                                 daemon=True).start()

    def _pump(self, a, b, who, state):
        queue, ready = [], threading.Condition()

        def write():
            while True:
                with ready:
                    while not queue:
                        ready.wait()
                    due, data = queue.pop(0)
                wait = due - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                try:
                    if not data:
                        b.shutdown(socket.SHUT_WR)
                        return
                    b.sendall(data)
                except OSError:
                    return

        threading.Thread(target=write, daemon=True).start()
        while True:
            try:
                data = a.recv(65536)
            except OSError:
                data = b""
            now = time.monotonic()
            if data and who == "client":
                # What an earlier connection still says is no beginning.
                if self.first_byte is None and state is self.newest:
                    self.first_byte = now
                if state["last"] == "server":
                    self.turns += 1
            if data:
                state["last"] = who
            with ready:
                queue.append((now + self.delay, data))
                ready.notify()
            if not data:
                return
