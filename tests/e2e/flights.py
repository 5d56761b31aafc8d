"""A proxy before an IMAP server that counts what a call costs.

    with Flights(certs.good, dovecot.imaps) as proxy:
        proxy.take()      (flights, [command, ...]) since the last time

TLS ends at it and begins again, so that it can read along.  A flight is all
that the client says before it waits.
"""

import re
import select
import socket
import ssl
import threading


class Flights:
    def __init__(self, cert, port):
        self.port_behind = port
        self.mine = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.mine.load_cert_chain(str(cert[0]), str(cert[1]))
        self.theirs = ssl.create_default_context(cafile=str(cert[2]))
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.flights, self.said = 0, b""
        self.lines = []
        self.done = threading.Condition()
        self.open = 0

    def __enter__(self):
        threading.Thread(target=self.accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def accept(self):
        while True:
            try:
                sock, _ = self.listener.accept()
            except OSError:
                return
            with self.done:
                self.open += 1
            threading.Thread(target=self.pass_on, args=(sock,), daemon=True).start()

    def pass_on(self, sock):
        try:
            with self.mine.wrap_socket(sock, server_side=True) as here, \
                    self.theirs.wrap_socket(
                        socket.create_connection(("localhost", self.port_behind)),
                        server_hostname="localhost") as there:
                self.between(here, there)
        except OSError:
            pass
        with self.done:
            self.open -= 1
            self.done.notify_all()

    def between(self, here, there):
        """The client waits as soon as the server has anything to say."""
        waited = True
        while True:
            ready = [s for s in (here, there) if s.pending()] or \
                select.select([here, there], [], [], 30)[0]
            # What the client has said counts before the answer to it does.
            for s, to in (here, there), (there, here):
                if s not in ready:
                    continue
                part = s.recv(1 << 16)
                if not part:
                    return
                # All of a flight: it may come in several records.
                while s is here and (here.pending() or select.select([here], [], [], 0.003)[0]):
                    if not (more := here.recv(1 << 16)):
                        break
                    part += more
                if s is here:
                    self.flights += waited
                    self.said += part
                waited = s is there
                to.sendall(part)

    def take(self):
        """Of calls that are over; the words of each command, without its tag."""
        with self.done:
            assert self.done.wait_for(lambda: self.open == 0, 30)
        said = re.findall(rb"(?m)^e[1-9]\d* ((?:UID )?[A-Z]+)(.*)\r$", self.said)
        out = self.flights, [(verb.decode(), rest.decode(errors="replace")) for verb, rest in said]
        self.flights, self.said = 0, b""
        return out
