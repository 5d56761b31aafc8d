# SPDX-License-Identifier: Apache-2.0
"""What bench/broker.py compares with: IMAP by hand, and a server whose news are timed."""
import http.client
import json
import select
import socket
import ssl
import subprocess
import time

import flights
import servers

ITEMS = (b"(UID FLAGS RFC822.SIZE INTERNALDATE BODYSTRUCTURE BODY.PEEK[HEADER.FIELDS (FROM SENDER TO "
         b"CC BCC REPLY-TO SUBJECT DATE MESSAGE-ID IN-REPLY-TO REFERENCES CONTENT-TYPE "
         b"AUTHENTICATION-RESULTS AUTO-SUBMITTED PRECEDENCE RETURN-PATH LIST-ID LIST-POST "
         b"LIST-UNSUBSCRIBE)])")


class Raw:
    """A connection that is logged in, and the two round trips of a list of 50."""

    def __init__(self, dovecot):
        context = ssl.create_default_context(cafile=dovecot.ca)
        self.s = context.wrap_socket(socket.create_connection(("127.0.0.1", dovecot.imaps)),
                                     server_hostname="localhost")
        self.f = self.s.makefile("rb")
        self.f.readline()
        self.say(b"a", b"LOGIN agent@lab.example " + servers.password("agent").encode())

    def say(self, tag, text):
        """How many messages the server said there are."""
        self.s.sendall(tag + b" " + text + b"\r\n")
        exists = 0
        while True:
            line = self.f.readline()
            assert line, "the server hung up"
            if line.endswith(b" EXISTS\r\n"):
                exists = int(line.split()[1])
            if line.startswith(tag + b" "):
                assert b" OK" in line, line
                return exists

    def list(self):
        since = time.monotonic()
        exists = self.say(b"b", b"EXAMINE INBOX")
        self.say(b"c", b"FETCH %d:%d " % (exists - 49, exists) + ITEMS)
        return time.monotonic() - since


class Tap(flights.Flights):
    """Passes everything on at once; `exists`: when the first EXISTS since None came by."""

    exists = None

    def between(self, here, there):
        while True:
            ready = [s for s in (here, there) if s.pending()] or \
                select.select([here, there], [], [], 600)[0]
            for s in ready:
                part = s.recv(1 << 16)
                if not part:
                    return
                if s is there and b" EXISTS\r\n" in part and self.exists is None:
                    self.exists = time.monotonic()
                (there if s is here else here).sendall(part)


class Mcp:
    """A session over stdio, as that user, with every tool."""

    def __init__(self, binary, env, uid):
        self.p = subprocess.Popen([binary, "mcp", "--always"], env=env, user=uid, group=uid,
                                  extra_groups=[], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.say(0, "initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "bench", "version": "1"})

    def say(self, number, method, **params):
        line = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        self.p.stdin.write(json.dumps(line).encode() + b"\n")
        self.p.stdin.flush()
        while True:
            got = json.loads(self.p.stdout.readline())
            if got.get("id") == number:
                return got["result"]

    def list(self):
        since = time.monotonic()
        got = self.say(1, "tools/call", name="list",
                       arguments={"account": "work", "folder": "INBOX", "limit": 50})
        assert not got.get("isError"), got
        return time.monotonic() - since

    def end(self):
        self.p.stdin.close()
        self.p.wait()


class Web:
    """A connection to the broker's HTTP, by an agent's token."""

    def __init__(self, port, token):
        self.c = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.heads = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def list(self):
        since = time.monotonic()
        self.c.request("POST", "/v1/op/list", json.dumps(
            {"account": "work", "folder": "INBOX", "limit": 50}), self.heads)
        r = self.c.getresponse()
        data = r.read()
        assert r.status == 200, data
        return time.monotonic() - since


def watched(start, tap, append, runs):
    """Seconds from the server's EXISTS to the line of `watch --follow`."""
    found = []
    p = start()
    for i in range(runs + 1):
        time.sleep(1.3)
        tap.exists = None
        append()
        assert p.stdout.readline(), "watch has ended"
        if i > 0:
            found.append(time.monotonic() - tap.exists)
    p.terminate()
    p.wait()
    return found
