# SPDX-License-Identifier: Apache-2.0
"""
A model's endpoint in four wire formats, for hosts that bring their own loop:
Chat Completions, Responses, Messages and generateContent, streamed or whole.

`server.script` maps a marker in the user's words ("TURN-1") to the steps of that
turn, `server.says` to the words at its end.  A step is (tool, arguments): arguments may be a function of the results so
far.  The next step is the first whose tool was not called yet since the marker,
so a request that is repeated gets the same answer again.  Tools go by what
stands behind a host's prefix.  `server.seen` keeps, of every request of a turn,
what a model would see.
"""

import http.server
import itertools
import json
import re
import threading
import urllib.parse

PREFIX = r"(?:^|[_.:/-])"
# A tool by which a host runs those that its search found: (id, args).
BRIDGE = "tool_call"
# Hosts take answers of one id to be parts of one answer.
ids = itertools.count(1)
# A host that asks on and on has gone wrong.
MOST = 200


class View:
    """A request, whatever its format: tools, and what was said, in order."""

    def __init__(self, form, body, turns):
        self.form, self.body = form, body
        self.tools = list(self.find_tools())
        self.items = list(self.find_items())
        self.turn, self.since = None, []
        for i, (kind, _, text) in enumerate(self.items):
            found = sorted((t for t in turns if t in text), key=text.rfind) \
                if kind == "user" else []
            if found:
                self.turn, self.since = found[-1], self.items[i + 1:]

    def find_tools(self):
        for t in self.body.get("tools") or []:
            if self.form == "gemini":
                yield from ((f["name"], f) for f in t.get("functionDeclarations", []))
            elif self.form == "openai":
                yield (t.get("function") or t).get("name", t.get("type")), t
            elif t.get("type") == "namespace":
                yield from ((t["name"] + "/" + x["name"], x) for x in t["tools"])
            else:
                yield t.get("name", t.get("type")), t

    def find_items(self):
        """(kind, call id or name, text): kind is user, call or result."""
        if self.form == "gemini":
            for m in self.body.get("contents", []):
                for p in m.get("parts", []):
                    if "functionCall" in p:
                        yield "call", p["functionCall"]["name"], json.dumps(p["functionCall"])
                    elif "functionResponse" in p:
                        r = p["functionResponse"]
                        yield "result", r["name"], json.dumps(r["response"])
                    elif m.get("role") != "model":
                        yield "user", "", p.get("text", "")
        elif self.form == "responses":
            said = self.body.get("input", [])
            for m in [{"role": "user", "content": said}] if isinstance(said, str) else said:
                kind = m.get("type", "message")
                if kind in ("function_call", "custom_tool_call", "tool_search_call"):
                    yield "call", m.get("name") or kind, json.dumps(m)
                elif kind.endswith("_output"):
                    yield "result", m.get("call_id"), plain(m.get("output") or m)
                elif m.get("role") == "user":
                    yield "user", "", plain(m["content"])
        else:
            for m in self.body.get("messages", []):
                yield from self.message(m)

    def message(self, m):
        if m["role"] == "tool":
            yield "result", m.get("tool_call_id"), plain(m["content"])
        for c in m.get("tool_calls") or []:
            name = c["function"]["name"]
            if name == BRIDGE:
                name = json.loads(c["function"]["arguments"])["id"]
            yield "call", name, json.dumps(c)
        for p in m.get("content") if isinstance(m.get("content"), list) else []:
            if p.get("type") == "tool_use":
                yield "call", p["name"], json.dumps(p)
            elif p.get("type") == "tool_result":
                yield "result", p["tool_use_id"], plain(p.get("content", ""))
            elif m["role"] == "user":
                yield "user", "", p.get("text", "")
        if m["role"] == "user" and isinstance(m.get("content"), str):
            yield "user", "", m["content"]

    def prefix(self):
        """What this host puts before our names; None: it shows none of them."""
        told = re.findall(r'"name":\s*"([\w./-]+)"', "\n".join(
            text for kind, _, text in self.items if kind == "result" and
            ("<function>" in text or '"sourceName"' in text)))
        for name in [name for name, _ in self.tools] + told:
            found = re.search(r"^(|.*[_.:/-])(load_skill|list_skills)$", name or "")
            if found:
                return found[1], [name for name, _ in self.tools] + told
        return None, []

    def find(self, tool):
        """The name this host has for a tool of ours; None: it shows none."""
        before, names = self.prefix()
        return before + tool if before is not None and before + tool in names else None

    def search(self):
        """The tool by which a host finds those that it does not show."""
        return next((t for t, _ in self.tools if t in ("ToolSearch", "tool_search")), None)

    def calls(self):
        return [name for kind, name, _ in self.since if kind == "call"]

    def results(self):
        return [text for kind, _, text in self.since if kind == "result"]


def plain(content):
    """What a model reads of a content, whatever shape a host gives it."""
    if isinstance(content, str):
        return content
    if isinstance(content, list) and all(isinstance(p, dict) for p in content):
        return "\n".join(p["text"] if isinstance(p.get("text"), str) else json.dumps(p)
                         for p in content)
    return json.dumps(content)


def lease(results):
    """The last lease a host let through to its model."""
    found = re.findall(r'\\*"lease\\*"\s*:\s*\\*"([^"\\]+)', "\n".join(results))
    return found[-1] if found else None


class Server:
    def __init__(self, script, log=None, says=None):
        self.script, self.log, self.says = script, log, says or {}
        self.seen, self.unseen, self.paths = [], [], []
        self.lock = threading.Lock()
        self.http = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.handle_error = lambda *_: None  # hosts hang up as they like
        self.http.owner = self
        self.root = f"http://127.0.0.1:{self.http.server_port}"
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def stop(self):
        self.http.shutdown()
        self.http.server_close()

    def decide(self, form, path, body):
        """("text", words) or ("call", name, arguments, id)."""
        view = View(form, body, self.script)
        with self.lock:
            if self.log:
                with open(self.log, "a") as f:
                    f.write(json.dumps([path, body]) + "\n")
            steps = self.script.get(view.turn)
            # Titles, summaries, a second opinion on a call: not the loop itself.
            if steps is None or (view.prefix()[0] is None and view.search() is None):
                return "text", "ok"
            self.seen.append(view)
            if len(self.seen) > MOST:
                return "text", "That is enough."
        called = view.calls()
        for n, (tool, arguments) in enumerate(steps):
            at = next((i for i, c in enumerate(called)
                       if re.search(PREFIX + re.escape(tool) + "$", c)), None)
            if at is not None:
                called = called[at + 1:]
                continue
            return self.step(view, n, tool, arguments)
        return "text", self.says.get(view.turn, f"{view.turn} is done.")

    def step(self, view, n, tool, arguments):
        if callable(arguments):
            arguments = arguments(view.results())
        name = view.find(tool)
        search = view.search()
        bridge = BRIDGE in (t for t, _ in view.tools)
        if name is None and search and search not in view.calls()[-1:]:
            most = "limit" if bridge else "max_results"
            return "call", search, {"query": "mail " + tool, most: 20}, f"search{n}"
        if name is None:
            self.unseen.append((view.turn, tool))
            # As a model does that remembers a name: in the style of one it sees.
            name = (view.prefix()[0] or "") + tool
        if bridge:
            name, arguments = BRIDGE, {"id": name, "args": arguments}
        return "call", name, arguments, f"{view.turn}-{n}".lower().replace("-", "_")


def sse(*events, named=False):
    return b"".join((b"event: " + e["type"].encode() + b"\n" if named else b"") +
                    b"data: " + json.dumps(e).encode() + b"\n\n" for e in events)


def answer_openai(act, stream):
    calls = []
    if act[0] == "call":
        calls = [{"id": act[3], "type": "function",
                  "function": {"name": act[1], "arguments": json.dumps(act[2])}}]
    done = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107}
    base = {"id": f"x{next(ids)}", "created": 1, "model": "scripted"}
    if not stream:
        said = {"role": "assistant", "content": None if calls else act[1]}
        return json.dumps({**base, "object": "chat.completion", "usage": usage, "choices": [
            {"index": 0, "finish_reason": done,
             "message": {**said, **({"tool_calls": calls} if calls else {})}}]}).encode()
    chunk = {**base, "object": "chat.completion.chunk"}
    delta = {"role": "assistant", "content": None if calls else act[1]}
    if calls:
        delta["tool_calls"] = [{**calls[0], "index": 0}]
    return sse({**chunk, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
               {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": done}]},
               {**chunk, "choices": [], "usage": usage}) + b"data: [DONE]\n\n"


def answer_responses(act, stream):
    n = str(next(ids))
    if act[0] == "call":
        space, _, name = act[1].rpartition("/")
        item = {"type": "function_call", "id": "fc_" + n, "call_id": act[3], "name": name,
                "arguments": json.dumps(act[2]), "status": "completed",
                **({"namespace": space} if space else {})}
    else:
        item = {"type": "message", "id": "msg_" + n, "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": act[1], "annotations": []}]}
    whole = {"id": "resp_" + n, "object": "response", "created_at": 1, "status": "completed",
             "model": "scripted", "output": [item], "parallel_tool_calls": False,
             "tool_choice": "auto", "tools": [], "usage": {
                 "input_tokens": 100, "output_tokens": 7, "total_tokens": 107,
                 "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0}}}
    if not stream:
        return json.dumps(whole).encode()
    begun = {**whole, "status": "in_progress", "output": []}
    events = [{"type": "response.created", "response": begun}]
    if act[0] == "call":
        events += [{"type": "response.output_item.added", "output_index": 0,
                    "item": {**item, "arguments": "", "status": "in_progress"}},
                   {"type": "response.function_call_arguments.delta", "item_id": item["id"],
                    "output_index": 0, "delta": item["arguments"]},
                   {"type": "response.function_call_arguments.done", "item_id": item["id"],
                    "output_index": 0, "name": item["name"], "arguments": item["arguments"]}]
    else:
        part = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        events += [{"type": "response.output_item.added", "output_index": 0,
                    "item": {**item, "content": [], "status": "in_progress"}},
                   {"type": "response.content_part.added", **part,
                    "part": {"type": "output_text", "text": "", "annotations": []}},
                   {"type": "response.output_text.delta", **part, "delta": act[1],
                    "logprobs": []},
                   {"type": "response.output_text.done", **part, "text": act[1],
                    "logprobs": []},
                   {"type": "response.content_part.done", **part, "part": item["content"][0]}]
    events += [{"type": "response.output_item.done", "output_index": 0, "item": item},
               {"type": "response.completed", "response": whole}]
    return sse(*[{**e, "sequence_number": i} for i, e in enumerate(events)], named=True)


def answer_anthropic(act, stream):
    usage = {"input_tokens": 100, "output_tokens": 7,
             "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    block = {"type": "text", "text": act[1]} if act[0] == "text" else \
        {"type": "tool_use", "id": "toolu_" + act[3], "name": act[1], "input": act[2]}
    done = "end_turn" if act[0] == "text" else "tool_use"
    whole = {"id": f"msg_{next(ids)}", "type": "message", "role": "assistant", "model": "scripted",
             "content": [block], "stop_reason": done, "stop_sequence": None, "usage": usage}
    if not stream:
        return json.dumps(whole).encode()
    begun = {**whole, "content": [], "stop_reason": None}
    empty, delta = ({"type": "text", "text": ""}, {"type": "text_delta", "text": act[1]}) \
        if act[0] == "text" else \
        ({**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(act[2])})
    return sse({"type": "message_start", "message": begun},
               {"type": "content_block_start", "index": 0, "content_block": empty},
               {"type": "content_block_delta", "index": 0, "delta": delta},
               {"type": "content_block_stop", "index": 0},
               {"type": "message_delta", "usage": {"output_tokens": 7},
                "delta": {"stop_reason": done, "stop_sequence": None}},
               {"type": "message_stop"}, named=True)


def answer_gemini(act, stream):
    part = {"text": act[1]} if act[0] == "text" else \
        {"functionCall": {"id": act[3], "name": act[1], "args": act[2]}}
    body = {"candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0,
                            "finishReason": "STOP"}], "modelVersion": "scripted",
            "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 7,
                              "totalTokenCount": 107}}
    return sse(body) if stream else json.dumps(body).encode()


ANSWERS = {"openai": answer_openai, "responses": answer_responses,
           "anthropic": answer_anthropic, "gemini": answer_gemini}
ENDS = {"/chat/completions": "openai", "/responses": "responses", "/messages": "anthropic",
        ":generateContent": "gemini", ":streamGenerateContent": "gemini"}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def say(self, body, kind="application/json", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.server.owner.paths.append(self.path)
        one = {"id": "scripted", "object": "model", "created": 1, "owned_by": "tests"}
        self.say(json.dumps({"object": "list", "data": [one]}).encode())

    def do_POST(self):
        path = urllib.parse.urlsplit(self.path).path
        owner = self.server.owner
        owner.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        form = next((f for end, f in ENDS.items() if path.endswith(end)), None)
        if form is None:
            tokens = {"input_tokens": 100, "totalTokens": 100}
            self.say(json.dumps(tokens if "ount" in path else {}).encode())
            return
        stream = bool(body.get("stream")) or "stream" in path
        out = ANSWERS[form](owner.decide(form, path, body), stream)
        self.say(out, "text/event-stream" if stream else "application/json")

    def do_HEAD(self):
        self.send_response(200)
        self.end_headers()
