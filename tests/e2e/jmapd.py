# SPDX-License-Identifier: Apache-2.0
"""A small JMAP server that does what a test tells it, right or wrong.

    server = Jmapd({"INBOX": [raw, ...], "Drafts": []})
        server.url        what --url takes
        server.log        every request: (path, Authorization, [method, ...])
        server.folders    name -> Box; server.sent   (envelope, raw) of each

What it does by itself is right, if little.  To spoil it:

    server.session = f    f(session) changes the session object
    server.answer = f     f(responses) changes the list of method responses
    server.method[name] = f   f(args) answers that method, (name, args)
    server.http[path] = f     f(handler) answers that path, or returns None
    server.pushes = False     its session has no eventSourceUrl
    server.stream = f         f(handler) is what an event stream begins with, (bytes)
                              in server.streams there is a query for each that was opened

Passwords are servers.password(), tokens are those in server.tokens.
"""

import base64
import email
import hashlib
import http.server
import itertools
import json
import threading
import time
import urllib.parse

import servers

CORE, MAIL, SUBMISSION = (f"urn:ietf:params:jmap:{n}" for n in ("core", "mail", "submission"))
ROLES = {"Inbox": "inbox", "Drafts": "drafts", "Sent": "sent", "Archive": "archive"}
ACCOUNT = "A1"
EVENTS = "/events/?types={types}&closeafter={closeafter}&ping={ping}"
JUNE = 1780272000  # 2026-06-01


class Box:
    numbers = itertools.count(1)

    def __init__(self, name, parent=None):
        self.id = f"b{next(Box.numbers)}"
        self.name, self.parent, self.role = name, parent, ROLES.get(name)
        self.may_add = True


class Mail:
    def __init__(self, raw, box, n, keywords=()):
        self.raw, self.boxes, self.keywords = raw, {box}, set(keywords)
        self.id = "M" + hashlib.sha1(raw).hexdigest()[:12]
        self.blob = "G" + hashlib.sha1(raw).hexdigest()
        self.thread = "T" + self.id
        self.received = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(JUNE + 60 * n))
        self.parsed = email.message_from_bytes(raw)
        self.mid = str(self.parsed["Message-ID"]).strip()

    def get(self, wanted):
        whole = {
            "id": self.id, "blobId": self.blob, "threadId": self.thread,
            "mailboxIds": {b: True for b in self.boxes}, "size": len(self.raw),
            "keywords": {k: True for k in self.keywords}, "receivedAt": self.received,
            "hasAttachment": any(p.get_filename() for p in self.parsed.walk()),
            "headers": [{"name": k, "value": " " + v} for k, v in self.parsed.items()],
        }
        out = {k: whole[k] for k in wanted if k in whole}
        for k in wanted:
            if k.startswith("header:"):
                out[k] = [" " + v for v in self.parsed.get_all(k.split(":")[1], [])]
        return out


class Jmapd:
    api = "/api"

    def __init__(self, folders=None, listen=True, address=None):
        self.address = address or servers.address("agent")
        self.log, self.sent, self.tokens, self.blobs = [], [], set(), {}
        self.session = self.answer = lambda x: x
        self.method, self.http = {}, {}
        self.state = "s0"
        self.mail_state = 0
        self.pushes, self.streams, self.stream = True, [], lambda h: b""
        self.news = threading.Condition()
        self.refused = set()
        self.boxes, self.mails = [], []
        for path, raws in (folders or {"Inbox": [], "Drafts": [], "Sent": []}).items():
            self.box(path)
            for raw in raws:
                self.put(path, raw)
        if listen:
            self.listen()

    def listen(self):
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body together: no delayed ACK between them
            disable_nagle_algorithm = True  # nor before the last piece

            def log_message(self, *_):
                pass

            def reply(self, status, body=b"", **headers):
                self.send_response(status)
                for k, v in headers.items():
                    self.send_header(k, v)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                outer.serve(self, b"")

            def do_POST(self):
                outer.serve(self, self.rfile.read(int(self.headers["Content-Length"])))

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.httpd.server_address[1]}"
        threading.Thread(target=self.httpd.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.httpd.shutdown()
        self.httpd.server_close()

    # -- the mail
    def box(self, path):
        parent, _, name = path.rpartition("/")
        self.boxes.append(Box(name, self.folder(parent).id if parent else None))
        return self.boxes[-1]

    def folder(self, path):
        return next(b for b in self.boxes if b.name == path.rpartition("/")[2])

    def put(self, path, raw, keywords=()):
        return self.add(Mail(raw, self.folder(path).id, len(self.mails), keywords))

    def add(self, mail):
        """Into the thread of what it answers, RFC 8621 section 3."""
        of = str(mail.parsed["References"]) + str(mail.parsed["In-Reply-To"])
        for m in self.mails:
            if m.mid in of:
                mail.thread = m.thread
        self.mails.append(mail)
        self.tell()
        return mail

    def inside(self, path):
        return [m for m in self.mails if self.folder(path).id in m.boxes]

    def tell(self):
        """Something has changed."""
        with self.news:
            self.mail_state += 1
            self.news.notify_all()

    # -- HTTP
    def allowed(self, header):
        kind, _, text = (header or "").partition(" ")
        if kind == "Bearer":
            return text in self.tokens
        login = f"{self.address}:{servers.password('agent')}"
        return kind == "Basic" and base64.b64decode(text).decode() == login

    def serve(self, h, body):
        path = urllib.parse.urlsplit(h.path).path
        calls = json.loads(body)["methodCalls"] if path == self.api else []
        self.log.append((path, h.headers["Authorization"], [c[0] for c in calls]))
        if path in self.http and self.http[path](h) is not None:
            return None
        if not self.allowed(h.headers["Authorization"]):
            return h.reply(401)
        if path == "/.well-known/jmap":
            return h.reply(302, Location="/session")
        if path == "/session":
            return h.reply(200, json.dumps(self.session(self.about())).encode())
        if path == self.api:
            out = self.answer(self.run(calls))
            return h.reply(200, json.dumps(
                {"methodResponses": out, "sessionState": self.state}).encode())
        if path.startswith("/up/"):
            blob = "G" + hashlib.sha1(body).hexdigest()
            self.blobs[blob] = body
            return h.reply(201, json.dumps({"accountId": ACCOUNT, "blobId": blob,
                                            "size": len(body), "type": "x/y"}).encode())
        if path == "/events/" and self.pushes:
            return self.events(h)
        for m in self.mails:
            if path == f"/down/{ACCOUNT}/{m.blob}/message.eml":
                return h.reply(200, m.raw)
        return h.reply(404)

    def events(self, h):
        """RFC 8620 section 7.3, for one change."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(h.path).query))
        assert query["closeafter"] == "state" and "Email" in query["types"].split(",")
        ping = b'event: ping\ndata: {"interval":%s}\n\n' % query["ping"].encode()
        h.close_connection = True
        try:
            with self.news:
                was = self.mail_state
                self.streams.append(query)
                h.send_response(200)
                h.send_header("Content-Type", "text/event-stream")
                h.end_headers()
                h.wfile.write(self.stream(h))
                h.wfile.flush()
                while self.mail_state == was:
                    if not self.news.wait(int(query["ping"])):
                        h.wfile.write(ping)
                        h.wfile.flush()
                changed = {ACCOUNT: {"Email": str(self.mail_state)}}
            h.wfile.write(b"event: state\ndata: %s\n\n" % json.dumps(
                {"@type": "StateChange", "changed": changed}).encode())
        except OSError:
            pass  # nobody listens any more

    def about(self):
        return {
            **({"eventSourceUrl": EVENTS} if self.pushes else {}),
            "capabilities": {CORE: {"maxObjectsInGet": 500, "maxCallsInRequest": 16,
                                    "maxSizeUpload": 1 << 20, "maxSizeRequest": 1 << 20},
                             MAIL: {}, SUBMISSION: {}},
            "primaryAccounts": {MAIL: ACCOUNT, SUBMISSION: ACCOUNT}, "accounts": {},
            "username": "x", "state": self.state, "apiUrl": self.api,
            "downloadUrl": "/down/{accountId}/{blobId}/{name}?type={type}",
            "uploadUrl": "/up/{accountId}/",
        }

    # -- methods
    def run(self, calls):
        out, ids = [], {}
        for name, args, tag in calls:
            args = dict(args)
            handler = self.method.get(name) or getattr(self, name.replace("/", "_"), None)
            try:
                for key in [k for k in args if k.startswith("#")]:
                    args[key[1:]] = self.refer(out, args.pop(key))
                answer = handler(args) if handler else ("error", {"type": "unknownMethod"})
            except (StopIteration, LookupError):
                answer = "error", {"type": "invalidResultReference"}
            if isinstance(answer, dict):
                answer = name, {"accountId": ACCOUNT, **answer}
            out.append([*answer, tag])
        return out

    @staticmethod
    def refer(out, ref):
        value = next(a for n, a, t in out if t == ref["resultOf"] and n == ref["name"])
        for step in ref["path"].split("/")[1:]:
            value = value[int(step) if isinstance(value, list) else step]
        return value

    @staticmethod
    def Core_echo(args):
        return "Core/echo", args

    def Mailbox_query(self, args):
        f = args["filter"]
        return {"queryState": "1", "position": 0, "canCalculateChanges": False, "ids": [
            b.id for b in self.boxes if b.role == f.get("role", b.role) and f.get("name", "") in b.name]}

    def Mailbox_get(self, args):
        ids = args["ids"]
        return {"state": "1", "notFound": [], "list": [
            {"id": b.id, "name": b.name, "parentId": b.parent, "role": b.role,
             "totalEmails": sum(b.id in m.boxes for m in self.mails),
             "myRights": {"mayReadItems": True, "mayAddItems": b.may_add}}
            for b in self.boxes if ids is None or b.id in ids]}

    def fits(self, m, f):
        """RFC 8621 section 4.4.1; a header is looked at as it is folded."""
        if "operator" in f:
            some = [self.fits(m, c) for c in f["conditions"]]
            return any(some) if f["operator"] == "OR" else all(some)
        name, text = f.get("header", ["From", ""])
        keywords = m.keywords
        return f.get("hasKeyword") in (None, *keywords) and \
            f.get("notKeyword") not in keywords and f.get("inMailbox") in (None, *m.boxes) and \
            f.get("after", "") <= m.received < f.get("before", "9") and \
            f.get("text", "").lower().encode() in m.raw.lower() and text in str(m.parsed[name])

    def Email_query(self, args):
        found = [m for m in self.mails if self.fits(m, args["filter"])]
        found.reverse()
        found.sort(key=lambda m: m.received, reverse=True)
        at = args.get("position", 0)
        return {"queryState": "1", "position": at, "canCalculateChanges": False,
                "ids": [m.id for m in found][at:][:args.get("limit")]}

    def Email_get(self, args):
        by_id = {m.id: m for m in self.mails}
        return {"state": str(self.mail_state),
                "notFound": [i for i in args["ids"] if i not in by_id],
                "list": [by_id[i].get(args["properties"]) for i in args["ids"] if i in by_id]}

    def Thread_get(self, args):
        return {"state": "1", "notFound": [], "list": [
            {"id": t, "emailIds": [m.id for m in self.mails if m.thread == t]}
            for t in args["ids"] if any(m.thread == t for m in self.mails)]}

    def Email_import(self, args):
        created = {}
        for k, v in args["emails"].items():
            m = Mail(self.blobs[v["blobId"]], *v["mailboxIds"], len(self.mails), v["keywords"])
            self.add(m)
            created[k] = {"id": m.id, "blobId": m.blob, "threadId": m.thread, "size": len(m.raw)}
        return {"oldState": "1", "newState": "2", "created": created, "notCreated": None}

    def patch(self, m, changes):
        """RFC 8620 section 5.3; false where the standard refuses one."""
        for path, value in changes.items():
            what, _, key = path.partition("/")
            key = key.replace("~1", "/").replace("~0", "~")
            into = {"keywords": m.keywords, "mailboxIds": m.boxes}.get(what)
            if into is None or not key or value not in (True, None):
                return False
            (into.add if value else into.discard)(key)
        return bool(m.boxes)

    def Email_set(self, args):
        if args.get("ifInState", str(self.mail_state)) != str(self.mail_state):
            return "error", {"type": "stateMismatch"}
        by_id, updated, refused = {m.id: m for m in self.mails}, {}, {}
        for i, changes in args.get("update", {}).items():
            if i not in by_id:
                refused[i] = {"type": "notFound"}
            elif self.patch(by_id[i], changes):
                updated[i] = None
            else:
                refused[i] = {"type": "invalidPatch"}
        gone = args.get("destroy", [])
        self.mails = [m for m in self.mails if m.id not in gone]
        self.tell()
        return {"oldState": "1", "newState": str(self.mail_state), "destroyed": gone,
                "updated": updated, "notUpdated": refused or None}

    def Mailbox_set(self, args):
        (k, v), = args["create"].items()
        box = self.box(v["name"])
        box.role = v["role"]
        return {"oldState": "1", "newState": "2", "created": {k: {"id": box.id}}}

    def Identity_get(self, args):
        return {"state": "1", "notFound": [],
                "list": [{"id": "I1", "email": self.address}]}

    def EmailSubmission_set(self, args):
        (k, v), = args["create"].items()
        mail = next(m for m in self.mails if m.id == v["emailId"])
        no = [r["email"] for r in v["envelope"]["rcptTo"] if r["email"] in self.refused]
        if no:
            return {"created": None, "notCreated": {
                k: {"type": "invalidRecipients", "invalidRecipients": no}}}
        self.sent.append((v["envelope"], mail.raw))
        if args.get("onSuccessDestroyEmail"):
            self.mails.remove(mail)
        return {"oldState": "1", "newState": "2", "created": {k: {"id": "S1"}}}
