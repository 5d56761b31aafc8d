# SPDX-License-Identifier: Apache-2.0
"""A model's endpoint (Chat Completions) that plays what a test scripts.

`server.play` is a list: each request takes the next entry, which is a dict of
an answer ("text", "calls", "finish", "usage"), or bytes sent as they are behind
a head of success, or a (status, headers, body) of a refusal, or a function of
the request that gives one of these.  `server.asked` holds the requests.
"""

import http.server
import json
import threading
import time


def call(name, arguments=None, call_id="c1"):
    """One tool call as the model makes it; arguments may be any text."""
    if not isinstance(arguments, str):
        arguments = json.dumps(arguments or {})
    return {"id": call_id, "type": "function",
            "function": {"name": name, "arguments": arguments}}


def event(choice=None, **more):
    body = {"object": "chat.completion.chunk", "choices": [choice] if choice else [], **more}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def pieces(answer, size=3):
    """The events of an answer, cut into small pieces."""
    text = answer.get("text", "")
    calls = answer.get("calls", [])
    yield event({"index": 0, "delta": {"role": "assistant", "content": ""}})
    for i in range(0, len(text), size):
        yield event({"index": 0, "delta": {"content": text[i:i + size]}})
    for n, one in enumerate(calls):
        fn = one["function"]
        yield event({"index": 0, "delta": {"tool_calls": [
            {**one, "index": n, "function": {"name": fn["name"], "arguments": ""}}]}})
        for i in range(0, len(fn["arguments"]), 7):
            yield event({"index": 0, "delta": {"tool_calls": [
                {"index": n, "function": {"arguments": fn["arguments"][i:i + 7]}}]}})
    finish = answer.get("finish", "tool_calls" if calls else "stop")
    yield event({"index": 0, "delta": {}, "finish_reason": finish})
    if answer.get("usage", True):
        yield event(usage={"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107})
    yield b"data: [DONE]\n\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        server = self.server.owner
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        server.asked.append(request)
        server.heads.append(dict(self.headers))
        server.paths.append(self.path)
        entry = server.play.pop(0) if server.play else (500, {}, b"the script is over")
        if callable(entry):
            entry = entry(request)
        if isinstance(entry, tuple):
            status, headers, body = entry
            self.send_response(status)
            for k, v in {"Content-Length": str(len(body)), **headers}.items():
                self.send_header(k, v)
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        try:
            for part in [entry] if isinstance(entry, bytes) else \
                    pieces(entry) if isinstance(entry, dict) else entry:
                if isinstance(part, (int, float)):
                    time.sleep(part)
                    continue
                self.wfile.write(part)
                self.wfile.flush()
        except OSError:
            server.hung_up = True


class Server:
    def __init__(self, old=None):
        """With an old one: at its address, which is no longer answered by it."""
        self.asked, self.heads, self.paths, self.play = [], [], [], []
        self.hung_up = False
        self.http = old.http if old else http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0), Handler)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        if old is None:
            self.http.daemon_threads = True
            # A server that is stopped may wait as long as it looks for that.
            threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()
