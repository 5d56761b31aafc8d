# SPDX-License-Identifier: Apache-2.0
"""A proxy before an IMAP server that counts what a call costs.

    with Flights(certs.good, dovecot.imaps) as proxy:
        proxy.take()      (flights, [command, ...]) since the last time

TLS ends at it and begins again, so that it can read along.  A flight is all
that the client says before it waits: answers are held until it does, so the
count is the same on a busy machine.
"""

import os
import pathlib
import re
import select
import socket
import ssl
import threading

import level


def holders(port):
    """The processes that hold the connection from this port of the machine's own."""
    inodes = {f[9] for f in map(str.split, open("/proc/net/tcp"))
              if f[1].endswith(f":{port:04X}")}
    links = {f"socket:[{inode}]" for inode in inodes}
    out = []
    for proc in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(fd) in links for fd in (proc / "fd").iterdir()):
                out.append(proc / "stat")
        except OSError:  # another user's, or over
            continue
    return out


def waits(stats):
    """Does each of them sleep, or is it over?"""
    for stat in stats:
        try:
            if stat.read_text().rpartition(")")[2].split()[0] not in "SZX":
                return False
        except OSError:
            continue
    return True


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
        """What the server says is passed on when the client waits for it."""
        clients = holders(here.getpeername()[1])
        waited = True
        while True:
            ready = [s for s in (here, there) if s.pending()] or \
                select.select([here, there], [], [], 30)[0]
            if not ready:
                return
            if here not in ready:
                asleep = waits(clients)
                # Asleep, and then nothing: what it said before would be here.
                if not asleep or select.select([here], [], [], 0)[0]:
                    select.select([here], [], [], 0.001)
                    ready = select.select([here], [], [], 0)[0]
                    if not ready:
                        continue
            s, to = (here, there) if here in ready else (there, here)
            part = s.recv(1 << 16)
            if not part:
                return
            if s is here:
                self.flights += waited
                self.said += part
            waited = s is there
            to.sendall(part)

    def take(self, kept=False):
        """
        Of calls that are over; the words of each command, without its tag.
        kept: their connections may be open still, as a broker's are.
        """
        kept = kept or level.name == "broker"
        with self.done:
            assert kept or self.done.wait_for(lambda: self.open == 0, 30)
        said = re.findall(rb"(?m)^e[1-9]\d* ((?:UID )?[A-Z]+)(.*)\r$", self.said)
        out = self.flights, [(verb.decode(), rest.decode(errors="replace")) for verb, rest in said]
        self.flights, self.said = 0, b""
        return out
