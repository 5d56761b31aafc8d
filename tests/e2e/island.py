# SPDX-License-Identifier: Apache-2.0
"""
An island: emcli in a network of its own, with a name server and a web server
that say what a test tells them.  Needs root, as Postfix does.

    island = Island(certs, folder, srv={...}, a={...}, mx={...}, txt={...}, pages={...})
    island.argv(["/path/to/emcli", ...])   what to run instead
    island.asked()                         what was looked up and fetched

Run as a program it is the island's inside: `unshare -n -m python3 island.py
SPEC` serves until its input ends, and every command enters that one network:
to make one takes longer than most commands.  Pages are {"host/path": text}, or
a number for a status, or "-> address" for a redirect.  TXT records are {name:
[[string, ...], ...]}; those of a name in `tcp` are told by TCP alone.
"""
import fcntl
import http.server
import json
import os
import pathlib
import socket
import ssl
import struct
import subprocess
import sys
import threading
import weakref

A, MX, TXT, SRV = 1, 15, 16, 33


class Island:
    def __init__(self, certs, folder, srv=None, mx=None, a=None, pages=None, deaf=False,
                 txt=None, tcp=()):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "log"
        self.spec = self.folder / "spec.json"
        self.spec.write_text(json.dumps({
            "srv": srv or {}, "mx": mx or {}, "a": a or [], "pages": pages or {},
            "deaf": deaf, "txt": txt or {}, "tcp": list(tcp), "cert": certs.good[0], "key": certs.good[1],
            "log": str(self.log), "folder": str(self.folder)}))
        self.inside = None

    def begin(self):
        self.inside = subprocess.Popen(
            ["/usr/bin/unshare", "-n", "-m", "/usr/bin/python3",
             str(pathlib.Path(__file__).resolve()), str(self.spec)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        weakref.finalize(self, end, self.inside)
        assert self.inside.stdout.readline() == b"ready\n"

    def argv(self, command):
        if self.inside is None:
            self.begin()
        return ["/usr/bin/nsenter", "-t", str(self.inside.pid), "-n", "-m", "--",
                *map(str, command)]

    def asked(self):
        return self.log.read_text().split("\n")[:-1] if self.log.exists() else []


def end(inside):
    inside.stdin.close()
    inside.wait(20)
    inside.stdout.close()


# -- inside

def name(text):
    """A host name as labels, RFC 1035 section 3.1."""
    labels = [x for x in text.split(".") if x]
    return b"".join(bytes([len(x)]) + x.encode() for x in labels) + b"\0"


class Inside:
    def __init__(self, spec):
        self.spec = spec
        self.lock = threading.Lock()

    def note(self, line):
        with self.lock, open(self.spec["log"], "a") as f:
            f.write(line + "\n")

    def records(self, host, kind):
        if kind == SRV:
            return [struct.pack(">HHH", *r[:3]) + name(r[3])
                    for r in self.spec["srv"].get(host, [])]
        if kind == MX:
            return [struct.pack(">H", r[0]) + name(r[1])
                    for r in self.spec["mx"].get(host, [])]
        if kind == TXT:
            return [b"".join(bytes([len(x)]) + x.encode() for x in strings)
                    for strings in self.spec["txt"].get(host, [])]
        if kind == A and host in self.spec["a"]:
            return [bytes([127, 0, 0, 1])]
        return []

    def answer(self, query, tcp=False):
        labels, at = [], 12
        while query[at]:
            labels.append(query[at + 1:at + 1 + query[at]].decode())
            at += query[at] + 1
        host = ".".join(labels).lower()
        kind = struct.unpack(">H", query[at + 1:at + 3])[0]
        self.note(f"{ {A: 'A', MX: 'MX', TXT: 'TXT', SRV: 'SRV'}.get(kind, kind)} {host}")
        found = self.records(host, kind)
        known = found or host in self.spec["a"]
        flags = 0x8180 | (0 if known else 3)
        if host in self.spec["tcp"] and not tcp:
            flags, found = flags | 0x0200, []
        head = query[:2] + struct.pack(">HHHHH", flags, 1,
                                       len(found), 0, 0)
        return head + query[12:at + 5] + b"".join(
            b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 60, len(r)) + r for r in found)

    def names(self):
        s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        s.bind(("127.0.0.1", 53))

        def serve():
            while True:
                query, peer = s.recvfrom(4096)
                if not self.spec["deaf"]:
                    s.sendto(self.answer(query), peer)
        threading.Thread(target=serve, daemon=True).start()
        t = socket.create_server(("127.0.0.1", 53))

        def serve_tcp():
            while True:
                c, _ = t.accept()
                with c:
                    size, = struct.unpack(">H", c.recv(2, socket.MSG_WAITALL))
                    told = self.answer(c.recv(size, socket.MSG_WAITALL), tcp=True)
                    c.sendall(struct.pack(">H", len(told)) + told)
        threading.Thread(target=serve_tcp, daemon=True).start()

    def web(self):
        inside = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                where = f"{self.headers['Host']}{self.path}"
                inside.note(f"GET {where}")
                page = inside.spec["pages"].get(where.partition("?")[0], 404)
                text = page if isinstance(page, str) else ""
                if text.startswith("-> "):
                    self.send_response(302)
                    self.send_header("Location", text[3:])
                    text = ""
                else:
                    self.send_response(page if isinstance(page, int) else 200)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.spec["cert"], self.spec["key"])
        for port, tls in (443, True), (80, False):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
            # Whoever hangs up on a page that is too long is no fault, and what
            # is said of it would be in the program's own stderr.
            server.handle_error = lambda *_: None
            if tls:
                server.socket = context.wrap_socket(server.socket, server_side=True)
            threading.Thread(target=server.serve_forever, daemon=True).start()


def settle(folder, deaf):
    """The loopback interface up, and a resolver that asks us alone, and waits
    for us as long as it takes unless it is to find us deaf."""
    patience = 1 if deaf else 20
    with socket.socket() as s:
        fcntl.ioctl(s, 0x8914, struct.pack("16sh14x", b"lo", 0x49))  # SIOCSIFFLAGS
    for path, text in (("/etc/resolv.conf",
                        f"nameserver 127.0.0.1\noptions timeout:{patience} attempts:1\n"),
                       ("/etc/nsswitch.conf", "hosts: files dns\n")):
        mine = pathlib.Path(folder) / os.path.basename(path)
        mine.write_text(text)
        subprocess.run(["/usr/bin/mount", "--bind", str(mine), os.path.realpath(path)],
                       check=True)


def main():
    spec = json.loads(pathlib.Path(sys.argv[1]).read_text())
    settle(spec["folder"], spec["deaf"])
    inside = Inside(spec)
    inside.names()
    inside.web()
    print("ready", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
