# SPDX-License-Identifier: Apache-2.0
"""
Stands before the Google emulator and adds what Google has and it lacks: any
loopback port as redirect, Google's path of the token endpoint, lifetimes,
introspection, consent that is withdrawn.  It also remembers what was asked.
"""

import json
import re
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REGISTERED = "http://127.0.0.1:14555/"  # in google.yaml


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args):
        return None


class Guard:
    def __init__(self, target):
        self.target = target
        self.open = urllib.request.build_opener(NoRedirect).open
        self.live = set()        # access tokens
        self.authorize = []      # queries
        self.token = []          # forms
        self.redirects = []      # where the browser is to go back to
        self.withdrawn = False
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.port = self.server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def introspect(self, token):
        if token in self.live and not self.withdrawn:
            return {"active": True, "email": "agent@lab.example",
                    "username": "agent@lab.example"}
        return {"active": False}

    def handler(guard):
        class Handler(BaseHTTPRequestHandler):
            disable_nagle_algorithm = True  # no delayed ACK before the body

            def do(self):
                size = int(self.headers.get("Content-Length") or 0)
                guard.serve(self, self.rfile.read(size) or None)

            do_GET = do_POST = do

            def log_message(self, *args):
                pass
        return Handler

    def pass_on(self, h, path, body):
        r = urllib.request.Request(self.target + path, data=body, method=h.command)
        for name in "Content-Type", "Accept", "Authorization":
            if h.headers.get(name):
                r.add_header(name, h.headers[name])
        try:
            with self.open(r, timeout=30) as f:
                return f.status, f.headers, f.read()
        except urllib.error.HTTPError as e:
            return e.code, e.headers, e.read()

    def serve(self, h, body):
        url = urllib.parse.urlsplit(h.path)
        path, query = url.path, dict(urllib.parse.parse_qsl(url.query))
        form = dict(urllib.parse.parse_qsl((body or b"").decode(errors="replace")))
        if path == "/o/oauth2/v2/auth":
            self.authorize.append(dict(query))
            self.redirects.append(query.get("redirect_uri", ""))
            query["redirect_uri"] = REGISTERED
        if path in ("/token", "/oauth2/token"):
            path = "/oauth2/token"
            self.token.append(dict(form))
            if self.withdrawn and form.get("grant_type") == "refresh_token":
                return self.say(h, 400, {"error": "invalid_grant", "error_description":
                                         "Token has been expired or revoked."})
            if "redirect_uri" in form:
                # What RFC 6749 section 4.1.3 asks of a provider.
                if form["redirect_uri"] not in self.redirects:
                    return self.say(h, 400, {"error": "invalid_grant"})
                form["redirect_uri"] = REGISTERED
                body = urllib.parse.urlencode(form).encode()
        full = path + ("?" + urllib.parse.urlencode(query) if query else "")
        status, headers, answer = self.pass_on(h, full, body)
        if path == "/oauth2/token" and status == 200:
            self.live.add(json.loads(answer)["access_token"])
        out = {"Content-Type": headers.get("Content-Type") or "text/plain"}
        if headers.get("Location"):
            out["Location"] = re.sub("^" + re.escape(REGISTERED),
                                     lambda _: self.redirects[-1], headers["Location"])
        if b"openid" in path.encode() or b"<form" in answer:
            answer = answer.replace(self.target.encode(), self.base.encode())
        self.say(h, status, answer, out)

    @staticmethod
    def say(h, status, body, headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        h.send_response(status)
        for name, value in (headers or {"Content-Type": "application/json"}).items():
            h.send_header(name, value)
        h.send_header("Content-Length", str(len(body)))
        h.end_headers()
        h.wfile.write(body)
