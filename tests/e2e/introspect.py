# SPDX-License-Identifier: Apache-2.0
"""The token introspection endpoint (RFC 7662) that Dovecot asks."""

import json
import threading
import time
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Introspection:
    """
    tokens maps an access token to (address, when it ends, unix seconds).  What
    it does not know, it asks of upstreams: functions from token to answer.
    """

    def __init__(self):
        self.tokens = {}
        self.upstreams = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                size = int(self.headers.get("Content-Length", 0))
                q = urllib.parse.parse_qs(self.rfile.read(size).decode())
                body = json.dumps(outer.look(q.get("token", [""])[0])).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def allow(self, token, address, seconds=3600):
        self.tokens[token] = (address, time.time() + seconds)

    def revoke(self, token):
        self.tokens.pop(token, None)

    def look(self, token):
        address, ends = self.tokens.get(token, (None, 0))
        if address is None:
            for ask in self.upstreams:
                answer = ask(token)
                if answer.get("active"):
                    return answer
        if address is None or ends < time.time():
            return {"active": False}
        return {
            "active": True,
            "email": address,
            "username": address,
            "scope": "mail",
            "exp": int(ends),
        }

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def upstream(url, authorization=None):
    """An RFC 7662 endpoint as an upstream; its user is its email or subject."""
    def ask(token):
        r = urllib.request.Request(
            url, data=urllib.parse.urlencode({"token": token}).encode())
        if authorization:
            r.add_header("Authorization", authorization)
        with urllib.request.urlopen(r, timeout=10) as f:
            answer = json.load(f)
        who = answer.get("email") or answer.get("sub")
        return {**answer, "email": who, "username": who}
    return ask
