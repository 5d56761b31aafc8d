# SPDX-License-Identifier: Apache-2.0
"""A web server on 127.0.0.1 that says what a scene told it to."""

import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        text = self.server.pages.get(self.path.lstrip("/").partition("?")[0])
        body = (text or "nothing").encode()
        self.send_response(404 if text is None else 200)
        kind = "text/event-stream" if body.startswith(b"data:") else "application/json"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer

    def log_message(self, *_):
        pass


class Web:
    def __init__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.pages = self.server.pages = {}
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
