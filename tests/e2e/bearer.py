# SPDX-License-Identifier: Apache-2.0
"""A way to an HTTP server with a token put in, for who cannot send one."""

import http.client
import http.server
import threading


class Bearer(http.server.ThreadingHTTPServer):
    """Hands requests on as they are, Host and Origin too, and answers as they come."""

    daemon_threads = True

    def __init__(self, port, token):
        super().__init__(("127.0.0.1", 0), Handler)
        self.target, self.token = port, token
        self.url = f"http://127.0.0.1:{self.server_port}/mcp"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def hand_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        up = http.client.HTTPConnection("127.0.0.1", self.server.target, timeout=60)
        up.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            # The port is another one; a stranger's name stays as it is.
            if name.lower() in ("host", "origin"):
                value = value.replace(str(self.server.server_port), str(self.server.target))
            up.putheader(name, value)
        up.putheader("Authorization", f"Bearer {self.server.token}")
        up.endheaders(body)
        got = up.getresponse()
        self.send_response(got.status)
        for name, value in got.headers.items():
            if name.lower() not in ("connection", "transfer-encoding", "date", "server"):
                self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        while piece := got.read1(65536):
            self.wfile.write(piece)
            self.wfile.flush()
        up.close()

    do_GET = do_POST = do_DELETE = do_OPTIONS = hand_on
