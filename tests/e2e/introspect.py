"""The token introspection endpoint (RFC 7662) that Dovecot asks."""

import json
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Introspection:
    """tokens maps an access token to (address, when it ends, unix seconds)."""

    def __init__(self):
        self.tokens = {}
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
