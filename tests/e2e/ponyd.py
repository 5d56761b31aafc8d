# SPDX-License-Identifier: Apache-2.0
"""
A Pony Mail archive (Foal) as its API is documented, with its traps, over mail
that a test puts in.  Names of messages are computed here, in Python, by the
archive's own algorithm: nothing of emcli's is used.

Traps that are here on purpose: a `d` that is not understood means the last 30
days; addresses are masked for whoever has no session, but in `source`; a
private list without a session is answered as if it were empty; `thread` holds
the root alone in `emails`, and a grandchild may hang under the root; a search
knows words, not pieces of them; nothing is paged, and what is too much is cut.
"""

import calendar
import datetime
import email.parser
import email.policy
import email.utils
import hashlib
import hmac
import http.server
import json
import re
import shlex
import threading
import time
import urllib.parse

KEPT = set("""from sender reply-to subject date message-id to cc mime-version
content-type content-transfer-encoding content-id content-description
resent-date resent-from resent-sender resent-to resent-cc resent-message-id
in-reply-to references list-id list-help list-unsubscribe list-subscribe
list-post list-owner list-archive dkim-signature""".split())
COOKIE = "0b6f1c1e-6a3e-4d0e-9a44-3a1a4d1f5c11"


def base32(data):
    bits = "".join(f"{b:08b}" for b in data)
    bits += "0" * (-len(bits) % 5)
    letters = "0123456789bcdfghjklmnopqrstvwxyz"
    return "".join(letters[int(bits[i:i + 5], 2)] for i in range(0, len(bits), 5))


def mid(raw, list_id):
    """The name of a message in a list, "<dev.example.org>"."""
    text = re.sub(rb"\r\n|\r|\n", b"\n", raw)
    if text.startswith(b"\n"):
        head, body = b"", text[1:]
    else:
        head, _, body = text.partition(b"\n\n")
    fields = []
    for line in head.split(b"\n"):
        if line[:1] in (b" ", b"\t"):
            if fields:
                fields[-1][1] += line
        elif line:
            name, _, value = line.partition(b":")
            fields.append([name, value])
    out = b""
    for name, value in fields:
        name = name.strip(b" \t").lower()
        if name.decode("latin-1") in KEPT:
            out += name + b":" + re.sub(rb"[ \t]+", b" ", value).strip(b" ") + b"\r\n"
    body = body.replace(b"\n", b"\r\n") or b"\r\n"
    while body.endswith(b"\r\n\r\n"):
        body = body[:-2]
    mac = hmac.new(list_id.encode(), out + b"\r\n" + body, hashlib.sha256)
    return base32(mac.digest()[:20])


def mask(text):
    return re.sub(r"([\w.+-]{1,2})[\w.+-]*@", r"\1...@", text)


def words(text):
    return re.findall(r"[\w]+(?:[.'][\w]+)*", text.lower())


def has_phrase(text, phrase):
    got, want = words(text), words(phrase)
    return bool(want) and any(got[i:i + len(want)] == want for i in range(len(got)))


class Message:
    def __init__(self, address, raw, private):
        self.list, _, self.domain = address.partition("@")
        self.address, self.raw, self.private = address, raw, private
        self.list_raw = f"<{self.list}.{self.domain}>"
        self.mid = mid(raw, self.list_raw)
        head = email.parser.BytesHeaderParser(policy=email.policy.compat32).parsebytes(raw)
        decoded = email.parser.BytesParser(policy=email.policy.default).parsebytes(raw)
        self.frm = str(head["From"] or "")
        self.subject = str(decoded["Subject"] or "")
        self.message_id = str(head["Message-ID"] or "").strip()
        self.irt = str(head["In-Reply-To"] or "").strip()
        when = email.utils.parsedate_to_datetime(head["Date"])
        self.epoch = int(when.replace(tzinfo=when.tzinfo or datetime.timezone.utc).timestamp())
        body = decoded.get_body(("plain", "html"))
        self.body = body.get_content() if body is not None else ""

    @property
    def month(self):
        return time.strftime("%Y-%m", time.gmtime(self.epoch))

    def row(self, plain):
        hide = (lambda t: t) if plain else mask
        return {"id": self.mid, "mid": self.mid, "message-id": self.message_id,
                "in-reply-to": self.irt or None, "from": hide(self.frm),
                "subject": self.subject, "epoch": self.epoch, "list": self.list_raw,
                "list_raw": self.list_raw, "private": self.private,
                "body": hide(self.body[:200]), "attachments": [], "gravatar": "0" * 32}


def window(args, now):
    """(first, last) second of what is asked for, as the archive reads it."""
    day = 86400

    def start(year, month, d=1):
        return calendar.timegm((year, month, d, 0, 0, 0))

    def end(year, month):
        return start(year, month, calendar.monthrange(year, month)[1]) + day - 1

    d = args.get("d", "")
    m = re.fullmatch(r"(\d{4})-(\d{1,2})", d)
    if m and 1 <= int(m[2]) <= 12:
        return start(int(m[1]), int(m[2])), end(int(m[1]), int(m[2]))
    m = re.fullmatch(r"lte=(\d+)([Mwyd])", d)
    if m:
        return now - int(m[1]) * {"d": 1, "w": 7, "M": 30, "y": 365}[m[2]] * day, now + day
    m = re.fullmatch(r"dfr=(\d+)-(\d+)-(\d+)\|dto=(\d+)-(\d+)-(\d+)", d)
    if m:
        v = [int(x) for x in m.groups()]
        return start(*v[:3]) + 1, start(*v[3:]) + day - 2
    if "s" in args and "e" in args:
        (a, b), (c, e) = (map(int, args[k].split("-")) for k in "se")
        return start(a, b), end(c, e)
    return now - 30 * day, now + day


class Ponyd:
    """The server.  asked: every request as (endpoint, arguments)."""

    def __init__(self, now=None):
        self.mail, self.asked, self.empty = [], [], set()
        self.session = COOKIE
        self.fail = []        # statuses of the next answers
        self.replies = {}     # endpoint: bytes or (status, type, bytes)
        self.max_hits = 15000
        self.now = now
        archive = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1  # head and body together: no delayed ACK between them
            disable_nagle_algorithm = True  # nor before the last piece

            def do_GET(self):
                archive.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def add(self, address, *raws, private=False):
        new = [Message(address, raw, private) for raw in raws]
        self.mail += new
        return [m.mid for m in new]

    def count(self, endpoint=None):
        """How often it was asked since the last time, by endpoint."""
        n = sum(endpoint in (None, e) for e, _ in self.asked)
        return n

    def forget(self):
        self.asked.clear()

    def answer(self, h):
        url = urllib.parse.urlsplit(h.path)
        args = {k: v[-1] for k, v in
                urllib.parse.parse_qs(url.query, keep_blank_values=True).items()}
        m = re.fullmatch(r"/api/(\w+)(?:\.lua|\.json)?", url.path)
        name = m[1] if m else url.path
        self.asked.append((name, args))
        cookies = dict(c.strip().partition("=")[::2] for c in
                       (h.headers["Cookie"] or "").split(";"))
        inside = self.session is not None and cookies.get("ponymail") == self.session
        status, kind, body = 404, "text/plain", b"Not found"
        if self.fail:
            status, body = self.fail.pop(0), b"no"
        elif name in self.replies:
            said = self.replies[name]
            status, kind, body = said if isinstance(said, tuple) else (
                200, "application/json", said)
        elif name in ("stats", "thread", "source", "preferences", "email"):
            out = getattr(self, name)(args, inside)
            if isinstance(out, bytes):
                status, body = 200, out
            elif out is not None:
                status, kind = 200, "application/json"
                body = json.dumps(out, indent=2).encode()
        h.send_response(status)
        h.send_header("Content-Type", kind)
        h.send_header("Content-Length", str(len(body)))
        h.send_header("Server", "Apache Pony Mail (Foal/0.1.0 ~0)")
        h.end_headers()
        h.wfile.write(body)

    def seen(self, inside):
        return [m for m in self.mail if inside or not m.private]

    def get(self, args, inside):
        for m in self.seen(inside):
            if m.mid == args.get("id"):
                return m
            if "listid" in args and (m.message_id, m.list_raw) == (args["id"], args["listid"]):
                return m
        return None

    def stats(self, args, inside):
        if "list" not in args or "domain" not in args:
            return {}
        now = int(self.now or time.time())
        mine = sorted((m for m in self.seen(inside)
                       if args["list"] in ("*", m.list) and args["domain"] in ("*", m.domain)),
                      key=lambda m: m.epoch)
        months = {}
        for m in mine:
            months[m.month] = months.get(m.month, 0) + 1
        first, last = window(args, now)
        hits = [m for m in mine if first <= m.epoch <= last and self.matches(m, args)]
        hits = hits[-self.max_hits:]
        keys = sorted(months) or ["1970-01"]
        out = {"firstYear": int(keys[0][:4]), "lastYear": int(keys[-1][:4]),
               "firstMonth": int(keys[0][5:]), "lastMonth": int(keys[-1][5:]),
               "active_months": months, "hits": len(hits), "numparts": 1,
               "no_threads": len(hits), "domain": args["domain"], "name": args["list"],
               "list": f"{args['list']}@{args['domain']}", "searchParams": args,
               "searchlist": f"<{args['list']}.{args['domain']}>", "unixtime": now,
               "emails": [m.row(inside) for m in hits]}
        if "emailsOnly" not in args:
            # Grouped by subject alone: nobody's threads.
            out["thread_struct"] = [{"tid": m.mid, "children": []} for m in hits]
        return out

    def matches(self, m, args):
        for key, text in ("header_from", m.frm), ("header_subject", m.subject), (
                "header_body", m.body):
            if key in args and not has_phrase(text, args[key]):
                return False
        for term in shlex.split(args.get("q", "").replace(":", "")):
            no = term.startswith("-") and not term.startswith("--")
            found = any(has_phrase(t, term.lstrip("-")) for t in (m.frm, m.subject, m.body))
            if found == no:
                return False
        return True

    def thread(self, args, inside):
        root = self.get(args, inside)
        if root is None:
            return None
        for _ in range(50):
            up = [m for m in self.seen(inside) if root.irt and m.message_id == root.irt]
            if "find_parent" not in args or not up:
                break
            root = up[0]
        met = {root.mid}

        def node(m, depth):
            answers = [c for c in self.seen(inside) if c.irt and c.irt == m.message_id]
            children = []
            for c in answers[:250]:
                if c.mid not in met and depth < 250:
                    met.add(c.mid)
                    child = node(c, depth + 1)
                    # A grandchild may hang right under the root.
                    if depth == 0:
                        children += child["children"]
                        child["children"] = []
                    children.append(child)
            return {"tid": m.mid, "mid": m.mid, "id": m.mid, "message-id": m.message_id,
                    "subject": m.subject, "from": m.frm if inside else mask(m.frm),
                    "epoch": m.epoch, "irt": m.irt, "list_raw": m.list_raw,
                    "children": children}
        return {"thread": node(root, 0), "emails": [root.row(inside)]}

    def email(self, args, inside):
        m = self.get(args, inside)
        return None if m is None else dict(m.row(inside), forum=m.address)

    def source(self, args, inside):
        m = self.get(args, inside)
        return None if m is None else m.raw

    def preferences(self, _, inside):
        lists = {}
        since = int(self.now or time.time()) - 90 * 86400
        for m in self.seen(inside):
            if m.epoch > since:
                of = lists.setdefault(m.domain, {})
                of[m.list] = of.get(m.list, 0) + 1
        for address in self.empty:
            name, _, domain = address.partition("@")
            lists.setdefault(domain, {}).setdefault(name, 0)
        login = {"credentials": {"uid": "ann", "email": "ann@lab.example",
                                 "fullname": "Ann"}} if inside else {}
        return {"login": login, "versions": {"foal": "0.1.0"}, "lists": lists}
