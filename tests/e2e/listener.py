# SPDX-License-Identifier: Apache-2.0
"""What the scripted servers share: a listener, a thread for each connection.

A server names its `session`, a class made with (server, sock) whose run()
speaks on session.sock until it returns or raises Hangup.
"""

import socket
import ssl
import threading


class Hangup(Exception):
    pass


def context_of(server, **limits):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(server.cert, server.key)
    for name, value in limits.items():
        setattr(context, name, value)
    if limits:  # versions this old want old ciphers
        context.set_ciphers("ALL:@SECLEVEL=0")
    return context


def start_tls(sock, server, **limits):
    """The server's end of a handshake; limits are attributes of its context."""
    context = context_of(server, **limits) if limits else server.context
    return context.wrap_socket(sock, server_side=True)


class Listener:
    session = None

    def __init__(self, cert, key, host):
        self.cert, self.key = str(cert), str(key)
        # Read here, not by each connection: while this process connects to a
        # broker as another user, it may not read a key.
        self.context = context_of(self) if key else None
        self.log = []  # every line, as ("C" or "S", bytes)
        self.stopping = threading.Event()
        self.threads, self.socks = [], []
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]

    def start(self):
        self._thread(self._accept)
        return self

    def stop(self):
        self.stopping.set()
        # A blocked accept() wakes up only for a shutdown.
        for sock in [self.listener, *self.socks]:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.listener.close()
        for thread in self.threads:
            thread.join(5)

    __enter__ = start

    def __exit__(self, *_):
        self.stop()

    def said(self):
        """What the client sent, line by line, without literals and bodies."""
        return [line for who, line in self.log if who == "C"]

    def _thread(self, target, *args):
        thread = threading.Thread(target=target, args=args, daemon=True)
        self.threads.append(thread)
        thread.start()

    def _accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socks.append(sock)
            self._thread(self._serve, sock)

    def _serve(self, sock):
        session = self.session(self, sock)
        try:
            session.run()
        except (Hangup, OSError, ValueError, IndexError):
            pass
        finally:
            try:
                session.sock.close()
            except OSError:
                pass
