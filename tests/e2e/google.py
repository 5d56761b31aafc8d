# SPDX-License-Identifier: Apache-2.0
"""
Gmail as its documentation has it, on top of the Google emulator: the emulator
keeps the mail, and what it lacks or gets wrong is done here.  Tokens that end,
quotas, batches, the profile, a history that is forgotten; headers as they
stand in the message, decoded as Gmail decodes them; searching.  It remembers
every request, and refuses whatever would send or destroy.
"""

import base64
import email
import email.header
import email.policy
import json
import random
import re
import time
import urllib.parse
import urllib.request

import guard

ME = "/gmail/v1/users/me"
READS = re.compile(r"/(profile|drafts|labels(/[^/]+)?|messages(/[^/]+)?|threads/[^/]+|history)")
WRITES = "/drafts", "/labels", "/messages/batchModify"


def error(status, reason, message="no"):
    return {"error": {"code": status, "message": message, "errors": [
        {"message": message, "domain": "global", "reason": reason}]}}


def decoded(value):
    """Encoded words are gone from what the API gives."""
    try:
        return str(email.header.make_header(email.header.decode_header(value)))
    except (LookupError, ValueError):
        return value


def part_of(m, number=""):
    headers = [{"name": k, "value": decoded(v)} for k, v in m.raw_items()]
    part = {"partId": number, "mimeType": m.get_content_type(),
            "filename": m.get_filename() or "", "headers": headers,
            "body": {"size": len(str(m))}}
    if m.is_multipart():
        part["parts"] = [part_of(p, f"{number}.{i}" if number else str(i))
                         for i, p in enumerate(m.get_payload())]
    return part


class Google(guard.Guard):
    def __init__(self, target):
        super().__init__(target)
        self.fail = []      # {"path": regex, "status":, "headers":, "body":, "times":}
        self.expires = {}   # token -> when it ends
        self.lives = 3600   # of the tokens to come
        self.floor = 0      # history before this is forgotten
        self.batches = True
        self.slow = {}      # in the path -> seconds
        self.changes = {}   # path regex -> what to make of its JSON
        self.known = {}     # messages that were searched: they never change
        self.forget()

    def forget(self):
        self.asked = []     # (method, path and query): requests
        self.inner = []     # the same of what is in batches
        self.tokens = []    # who asked

    def count(self):
        """How many requests there were to Gmail."""
        return len(self.asked)

    # The mailbox, behind emcli's back.

    def ask(self, method, path, body=None):
        r = urllib.request.Request(
            self.target + ME + path, method=method,
            data=json.dumps(body).encode() if body is not None else None,
            headers={"Authorization": "Bearer lab", "Content-Type": "application/json"})
        with urllib.request.urlopen(r, timeout=30) as f:
            return json.loads(f.read() or b"{}")

    def empty(self):
        while ids := [m["id"] for m in self.ask(
                "GET", "/messages?maxResults=500&includeSpamTrash=true").get("messages", [])]:
            self.ask("POST", "/messages/batchDelete", {"ids": ids})
        for label in self.ask("GET", "/labels")["labels"]:
            if label["type"] == "user":
                self.ask("DELETE", "/labels/" + label["id"])

    def put(self, raw, *labels, thread=None):
        body = {"raw": base64.urlsafe_b64encode(raw).decode(),
                "labelIds": list(labels or ["INBOX"])}
        if thread:
            body["threadId"] = thread
        return self.ask("POST", "/messages", body)

    def label(self, name):
        return self.ask("POST", "/labels", {"name": name})["id"]

    def drafts(self):
        return self.ask("GET", "/drafts").get("drafts", [])

    def raw(self, message):
        text = self.ask("GET", f"/messages/{message}?format=raw")["raw"]
        return base64.urlsafe_b64decode(text + "==")

    # Answers.

    def serve(self, h, body):
        url = urllib.parse.urlsplit(h.path)
        if not url.path.startswith(("/gmail/", "/batch/", "/upload/")):
            return super().serve(h, body)
        self.asked.append((h.command, h.path))
        self.tokens.append((h.headers.get("Authorization") or "")[len("Bearer "):])
        if url.path.startswith("/batch/") and self.batches and h.command == "POST":
            status, headers, answer = self.admit(h, h.path)
            if status == 200:
                return self.batch(h, body)
        else:
            status, headers, answer = self.answer(h, h.command, h.path, body)
        self.say(h, status, answer, {"Content-Type": "application/json", **headers})

    def admit(self, h, path):
        """Quotas and tokens, before anything else."""
        time.sleep(sum(s for part, s in self.slow.items() if part in path))
        for f in self.fail:
            if f.get("times", 1) > 0 and re.search(f["path"], path):
                f["times"] = f.get("times", 1) - 1
                return f["status"], f.get("headers", {}), f.get("body", {})
        token = (h.headers.get("Authorization") or "")[len("Bearer "):]
        if token not in self.live or self.withdrawn or \
                self.expires.get(token, time.time() + 1) <= time.time():
            return 401, {}, error(401, "authError", "Invalid Credentials")
        return 200, {}, {}

    def answer(self, h, method, path, body=None):
        status, headers, answer = self.admit(h, path)
        if status == 200:
            status, headers, answer = self.do(h, method, path, body)
            if isinstance(answer, bytes):
                answer = json.loads(answer or b"{}")
        for pattern, change in self.changes.items():
            if re.search(pattern, path):
                answer = change(answer)
        return status, headers, answer

    def do(self, h, method, path, body):
        url = urllib.parse.urlsplit(path)
        q = urllib.parse.parse_qs(url.query)
        what = url.path[len(ME):]
        draft = method == "POST" and what == "/drafts"
        if not url.path.startswith(ME) or not (
                method == "POST" and what in WRITES or
                method == "GET" and READS.fullmatch(what)):
            return 404, {}, error(404, "notFound")
        if what == "/profile":
            last = self.ask("GET", "/history?startHistoryId=0&maxResults=1")
            n = len(self.ids({}))
            return 200, {}, {"emailAddress": "agent@lab.example", "messagesTotal": n,
                             "threadsTotal": n, "historyId": last["historyId"]}
        if what == "/history" and int(q["startHistoryId"][0]) < self.floor:
            return 404, {}, error(404, "notFound")
        if what == "/messages" and "q" in q:
            return 200, {}, self.search(q)
        if what.startswith("/messages/") and q.get("format") == ["full"]:
            return self.full(what.removeprefix("/messages/"))
        if what.startswith("/threads/"):
            return self.thread(what.removeprefix("/threads/"))
        if draft:
            asked = json.loads(body)["message"]
            if "threadId" in asked and self.thread(asked["threadId"])[0] != 200:
                return 404, {}, error(404, "notFound")
        return self.pass_on(h, path, body) if h.command == method else self.fetch(path)

    def fetch(self, path):
        r = urllib.request.Request(self.target + path, headers={"Authorization": "Bearer lab"})
        try:
            with guard.urllib.request.urlopen(r, timeout=30) as f:
                return f.status, {}, f.read()
        except guard.urllib.error.HTTPError as e:
            return e.code, {}, e.read()

    def pass_on(self, h, path, body):
        status, headers, answer = super().pass_on(h, path, body)
        if urllib.parse.urlsplit(path).path == "/oauth2/token" and status == 200:
            token = json.loads(answer)
            token["expires_in"] = self.lives
            self.expires[token["access_token"]] = time.time() + self.lives
            answer = json.dumps(token).encode()
        if path.startswith("/gmail/"):
            headers = {}
        return status, headers, answer

    def full(self, id):
        status, _, answer = self.fetch(f"{ME}/messages/{id}?format=raw")
        if status != 200:
            return status, {}, answer
        m = json.loads(answer)
        raw = base64.urlsafe_b64decode(m.pop("raw") + "==")
        m["sizeEstimate"] = len(raw)
        m["payload"] = part_of(email.message_from_bytes(raw, policy=email.policy.compat32))
        return 200, {}, m

    def thread(self, id):
        status, _, answer = self.fetch(f"{ME}/threads/{id}?format=minimal")
        if status != 200:
            return status, {}, answer
        t = json.loads(answer)
        t["messages"] = [self.full(m["id"])[2] for m in t["messages"]]
        return 200, {}, t

    def ids(self, q):
        keep = [(k, v) for k in ("labelIds", "includeSpamTrash") for v in q.get(k, [])]
        out, token = [], ""
        while True:
            page = self.ask("GET", "/messages?maxResults=500&" + urllib.parse.urlencode(
                keep + ([("pageToken", token)] if token else [])))
            out += page.get("messages", [])
            token = page.get("nextPageToken")
            if not token:
                return out

    def search(self, q):
        # {one another} is one or another.
        groups = [re.findall(r'(-?(?:\w+:)?)(?:"([^"]*)"|([^\s{}]+))', g) for g in
                  re.findall(r'\{[^}]*\}|-?(?:\w+:)?(?:"[^"]*"|[^\s{}]+)', q["q"][0])]
        found = [m for m in self.ids(q) if all(any(
            self.fits(m["id"], op, quoted or word) for op, quoted, word in g) for g in groups)]
        size = int(q.get("maxResults", ["100"])[0])
        at = int(q.get("pageToken", ["0"])[0])
        page = {"messages": found[at:at + size], "resultSizeEstimate": len(found)}
        if at + size < len(found):
            page["nextPageToken"] = str(at + size)
        return page

    def fits(self, id, op, word):
        if op.endswith("is:"):
            labels = self.ask("GET", f"/messages/{id}?format=minimal").get("labelIds", [])
            has = {"read": "UNREAD" not in labels, "unread": "UNREAD" in labels,
                   "starred": "STARRED" in labels}[word]
            return has != op.startswith("-")
        if id not in self.known:
            # The emulator counts requests, and refuses when they are many.
            self.known[id] = self.full(id)[2], self.raw(id).decode(errors="replace").lower()
        m, text = self.known[id]
        head = {}
        for f in m["payload"]["headers"]:
            name = f["name"].lower()
            head[name] = head.get(name, "") + f["value"].lower()
        word = word.strip().lower()
        if op in ("from:", "to:", "cc:", "subject:"):
            return word in head.get(op[:-1], "")
        if op == "rfc822msgid:":
            return head.get("message-id", "").strip("<>") == word
        if op == "list:":
            return word in head.get("list-id", "")
        if op == "after:":
            return int(m["internalDate"]) >= int(word) * 1000
        if op == "before:":
            return int(m["internalDate"]) < int(word) * 1000
        assert op == "", op
        return word in text

    def batch(self, h, body):
        kind = h.headers["Content-Type"]
        m = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + body)
        parts = m.get_payload()
        assert 1 <= len(parts) <= 100
        said = []
        for p in parts:
            assert p.get_content_type() == "application/http"
            method, path, _ = p.get_payload().split("\n")[0].split(" ", 2)
            self.inner.append((method, path))
            status, headers, answer = self.answer(h, method, path)
            fields = "".join(f"{k}: {v}\r\n" for k, v in headers.items())
            said.append(
                f"--batch_x\r\nContent-Type: application/http\r\nContent-ID: "
                f"<response-{p['Content-ID'][1:-1]}>\r\n\r\nHTTP/1.1 {status} X\r\n"
                f"Content-Type: application/json\r\n{fields}\r\n"
                f"{json.dumps(answer, indent=1)}\r\n")
        random.shuffle(said)
        self.say(h, 200, ("".join(said) + "--batch_x--\r\n").encode(),
                 {"Content-Type": "multipart/mixed; boundary=batch_x"})
