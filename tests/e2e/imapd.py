# SPDX-License-Identifier: Apache-2.0
"""A small IMAP server that does what a test tells it, right or wrong.

    with Imapd(cert, key, fault=("fetch", "bye")) as server:
        ... server.port ...
        server.log        every line, as ("C" or "S", bytes)
        server.said()     what the client sent
        server.flags      {uid: set of flags}: reading must leave it alone

It serves `folders` ({name: [message, ...]}, uids from 1) to `users`, by LOGIN,
AUTHENTICATE PLAIN, LOGIN, XOAUTH2 and OAUTHBEARER; EXAMINE, UID SEARCH (by
uid, FROM, SUBJECT, TEXT), FETCH and UID FETCH, LIST, ID, ENABLE, LOGOUT.
SELECT and STORE would change flags, and do.

`fault=(step, what)`, or "step:what", spoils one step.  Steps: connect,
greeting, capability, starttls, login, id, enable, examine, search, fetch,
list, noop.  What:

    "stall"       never answers            "close"    hangs up
    "bye"         * BYE, and the end       "no"       the command is refused
    "bad"         the command is unknown   "tag"      an answer to another tag
    "twice"       the same answer twice    "endless"  a line without an end
    "garbage"     bytes that are no reply  "continue" asks for more
    "chatter"     unasked data of every kind before the answer
    "drip"        a byte every `slow` seconds
    "cut:N"       the first N bytes of the answer, and the end
    "literal:N"   a literal of so many bytes (any text) in the answer, empty
    "flood"       endless unasked data     "deep"     100000 lists in a list
    "wide"        two million atoms
    bytes         those very bytes instead of the answer; @TAG@ in them is
                  the command's tag
    a function    is called with the session and the answer in its place

Some fit one step only: (greeting) "preauth", "nocaps"; (starttls) "inject":
plain text right behind the OK; (examine) "huge": 4294967295 EXISTS,
"validity": another UIDVALIDITY each time; (search) "badcharset", "range":
1:4294967295, "alien": uids that do not exist; (fetch) "uid": other uids than
asked, "nil": NIL for everything, "twin": each row twice, "bodyonly": a body
when a header was asked; (list) "many": 30000 folders, "raw": 8-bit names.

Other settings: caps (before the login), more_caps (after it), starttls,
hide_starttls, tokens, users, folders, slow.
"""

import base64
import contextlib
import json
import re

from listener import Hangup, Listener, start_tls

CRLF = b"\r\n"
# LOGIN-REFERRALS: as Dovecot, it may be sent more behind AUTHENTICATE.
CAPS = "IMAP4rev1 SASL-IR LOGIN-REFERRALS LITERAL+ ID ENABLE AUTH=PLAIN"
MORE = "IMAP4rev1 LITERAL+ ID ENABLE ESEARCH LIST-EXTENDED SPECIAL-USE"
TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"|([^ ()"]+)|([()])')


def message(subject, sender="ann@example.net", body="hello\n"):
    text = (f"From: {sender}\nTo: me@example.net\nSubject: {subject}\n"
            f"Date: Sun, 21 Jun 2026 10:00:00 +0000\n"
            f"Message-ID: <{subject}.{sender}>\n"
            f"\n{body}")
    return text.replace("\n", "\r\n").encode()


FOLDERS = {
    "INBOX": [message("one"), message("two", "bob@example.org"),
              message("three")],
    "Sent": [message("sent")],
    "Empty": [],
}


def quote(text):
    return b'"' + re.sub(rb'(["\\])', rb"\\\1", text) + b'"'


def unquote(text):
    return re.sub(rb"\\(.)", rb"\1", text)


class Session:
    def __init__(self, server, sock):
        self.server, self.sock = server, sock
        self.buf = b""
        self.tls = self.authed = False
        self.folder = None
        self.tag, self.step = b"*", None
        self.answer = []

    # -- the wire
    def send(self, data):
        self.server.log.append(("S", data))
        self.sock.sendall(data)

    def more(self):
        got = self.sock.recv(65536)
        if not got:
            raise Hangup
        self.buf += got

    def line(self):
        """A command's line; literals are joined in as quoted strings."""
        whole = b""
        while True:
            while CRLF not in self.buf:
                if len(self.buf) > 1 << 20:
                    raise Hangup
                self.more()
            part, self.buf = self.buf.split(CRLF, 1)
            self.server.log.append(("C", part))
            mark = re.search(rb"\{(\d+)(\+?)\}$", part)
            if not mark:
                return whole + part
            if not mark[2]:
                self.send(b"+ go on\r\n")
            n = int(mark[1])
            while len(self.buf) < n:
                self.more()
            whole += part[:mark.start()] + quote(self.buf[:n])
            self.buf = self.buf[n:]

    def say(self, text):
        self.answer.append((text if isinstance(text, bytes)
                            else text.encode()) + CRLF)

    def done(self, status="OK", text="done"):
        self.say(self.tag + f" {status} {text}".encode())

    # -- faults
    def flush(self):
        """Sends what was said, spoilt as the step's fault wants it."""
        data, self.answer = b"".join(self.answer), []
        at, what = self.server.fault
        if at != self.step or what is None:
            return self.send(data)
        if isinstance(what, bytes):
            return self.send(what.replace(b"@TAG@", self.tag))
        if callable(what):
            return what(self, data)
        name, _, arg = what.partition(":")
        spoil = getattr(self, "spoil_" + name, None)
        self.send(data) if spoil is None else spoil(data, arg)

    def spoil_stall(self, *_):
        self.server.stopping.wait()
        raise Hangup

    def spoil_close(self, *_):
        raise Hangup

    def spoil_bye(self, *_):
        self.send(b"* BYE going down <me@secret.example>\r\n")
        raise Hangup

    def spoil_no(self, _, code):
        self.send(self.tag + b" NO " +
                  (f"[{code}] " if code else "").encode() + b"no\r\n")

    def spoil_bad(self, *_):
        self.send(self.tag + b" BAD what?\r\n")

    def spoil_tag(self, data, _):
        self.send(data.replace(self.tag + b" ", b"e99999 "))

    def spoil_twice(self, data, _):
        self.send(data + data)

    def spoil_endless(self, *_):
        for _ in range(4000):
            self.sock.sendall(b"x" * 65536)
        raise Hangup

    def spoil_flood(self, *_):
        for _ in range(20000):
            self.sock.sendall(b"* 1 FETCH (FLAGS (\\Seen))\r\n" * 2000)
        raise Hangup

    def spoil_garbage(self, *_):
        self.send(b"\x00\xff no answer at all\r\n")

    def spoil_continue(self, *_):
        self.send(b"+ more?\r\n")

    def spoil_chatter(self, data, _):
        self.send(b"* 4 EXISTS\r\n* 1 EXPUNGE\r\n* 4 EXISTS\r\n"
                  b"* 2 FETCH (FLAGS (\\Seen) UID 2)\r\n"
                  b"* OK [X-UNKNOWN (a b)] well {5}\r\n* NO careful\r\n"
                  b'* X-FOO {7}\r\n((("x") bar "\r\n* FLAGS (\\A [b)\r\n'
                  b"* STATUS x (MESSAGES 1)\r\n" + data)

    def spoil_drip(self, data, _):
        for i in range(len(data)):
            if self.server.stopping.wait(self.server.slow):
                raise Hangup
            self.sock.sendall(data[i:i + 1])

    def spoil_cut(self, data, n):
        self.send(data[:int(n)])
        raise Hangup

    def spoil_literal(self, _, n):
        name = {"list": b'* LIST () "/" ',
                "search": b"* SEARCH "}.get(self.step,
                                            b"* 1 FETCH (UID 1 BODY[] ")
        self.send(name + b"{" + n.encode() + CRLF.join([b"}", b""]))

    def spoil_deep(self, *_):
        self.send(b"* 1 FETCH (UID 1 BODYSTRUCTURE " + b"(" * 100000 +
                  b")" * 100000 + b")\r\n" + self.tag + b" OK done\r\n")

    def spoil_wide(self, *_):
        self.send(b"* 1 FETCH (" + b"a " * 2000000 + b")\r\n" +
                  self.tag + b" OK done\r\n")

    def spoil_inject(self, data, _):
        self.send(data + b"* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n")

    def is_fault(self, what):
        return self.server.fault == (self.step, what)

    # -- the session
    def start_tls(self):
        self.sock = start_tls(self.sock, self.server)
        self.tls = True

    def caps(self):
        s = self.server
        caps = s.more_caps if self.authed else s.caps
        if s.starttls and not self.tls:
            caps = "IMAP4rev1 LOGINDISABLED"
            if not s.hide_starttls:
                caps += " STARTTLS"
        return caps

    def run(self):
        self.step = "connect"
        if self.server.fault[0] == "connect":
            self.flush()
        if not self.server.starttls:
            self.start_tls()
        self.step = "greeting"
        if self.is_fault("preauth"):
            self.say(f"* PREAUTH [CAPABILITY {self.caps()}] hello")
            self.authed = True
        elif self.is_fault("nocaps"):
            self.say("* OK hello")
        else:
            self.say(f"* OK [CAPABILITY {self.caps()}] hello")
        self.flush()
        while True:
            self.tag, _, rest = self.line().partition(b" ")
            verb, _, rest = rest.partition(b" ")
            verb = verb.decode("ascii", "replace").lower()
            if verb == "uid":
                verb, _, rest = rest.partition(b" ")
                verb = "uid_" + verb.decode("ascii", "replace").lower()
            self.step = verb.replace("uid_", "")
            do = getattr(self, "do_" + verb, None)
            if do is None:
                self.done("BAD", "what?")
            elif (verb not in ("capability", "starttls", "login", "logout",
                               "authenticate", "id", "noop") and
                  not self.authed):
                self.done("BAD", "log in first")
            elif do(rest) is False:
                return self.flush()
            self.flush()

    def do_capability(self, _):
        self.say(f"* CAPABILITY {self.caps()}")
        self.done()

    def do_noop(self, _):
        self.done()

    def do_id(self, _):
        self.say('* ID ("name" "imapd")')
        self.done()

    def do_enable(self, rest):
        self.say(b"* ENABLED " + rest)
        self.done()

    def do_logout(self, _):
        self.say("* BYE until next time")
        self.done()
        return False

    def do_starttls(self, _):
        self.done()
        self.flush()
        if self.is_fault("inject"):
            self.buf = b""
        if self.buf:
            raise Hangup  # the client spoke before TLS
        self.start_tls()
        self.step = "tls"

    def logged_in(self, good):
        self.step = "login"
        self.authed = good
        if good:
            self.done("OK", f"[CAPABILITY {self.caps()}] welcome")
        else:
            self.done("NO", "[AUTHENTICATIONFAILED] wrong")

    def do_login(self, rest):
        if not self.tls or "LOGINDISABLED" in self.caps():
            return self.done("NO", "[PRIVACYREQUIRED] not here")
        words = [unquote(q or a) for q, a, _ in TOKEN.findall(rest)]
        user, word = (x.decode() for x in words)
        self.logged_in(self.server.users.get(user) == word)

    def ask(self, prompt=b""):
        self.send(b"+ " + prompt + CRLF)
        while CRLF not in self.buf:
            self.more()
        line, self.buf = self.buf.split(CRLF, 1)
        self.server.log.append(("C", line))
        return base64.b64decode(line)

    def do_authenticate(self, rest):
        mech, _, first = rest.decode().partition(" ")
        s = self.server
        self.step = "login"
        if f"AUTH={mech}" not in self.caps().split():
            return self.done("NO", "no such mechanism")
        if mech == "LOGIN":
            user = self.ask(base64.b64encode(b"User Name"))
            word = self.ask(base64.b64encode(b"Password"))
            return self.logged_in(s.users.get(user.decode()) == word.decode())
        # RFC 9051 has it built in.
        if first and not {"SASL-IR", "IMAP4rev2"} & set(self.caps().split()):
            return self.done("BAD", "no initial response here")
        answer = base64.b64decode(first) if first else self.ask()
        if mech == "PLAIN":
            _, user, word = answer.decode().split("\0")
            return self.logged_in(s.users.get(user) == word)
        good = answer.decode().split("auth=Bearer ")[1].split("\1")[0]
        if good not in s.tokens:
            self.ask(base64.b64encode(json.dumps(
                {"status": "401", "schemes": "bearer"}).encode()))
        self.logged_in(good in s.tokens)

    def open(self, rest, word):
        quoted, plain, _ = TOKEN.findall(rest)[0]
        name = unquote(quoted or plain).decode("utf-8", "replace")
        self.folder = None
        if name not in self.server.folders:
            return self.done("NO", "[NONEXISTENT] no such folder")
        self.folder = name
        n = len(self.server.folders[name])
        if self.is_fault("validity"):
            self.server.validity += 1
        self.say(r"* FLAGS (\Answered \Flagged \Seen)")
        self.say(f"* {4294967295 if self.is_fault('huge') else n} EXISTS")
        self.say(f"* OK [UIDVALIDITY {self.server.validity}] fine")
        self.say(f"* OK [UIDNEXT {n + 1}] fine")
        self.done("OK", f"[{word}] open")

    def do_examine(self, rest):
        self.open(rest, "READ-ONLY")

    def do_select(self, rest):
        self.open(rest, "READ-WRITE")

    def do_list(self, _):
        roles = {"Sent": r"\Sent", "Drafts": r"\Drafts", "Trash": r"\Trash"}
        for name in self.server.folders:
            role = roles.get(name, r"\HasNoChildren")
            self.say(b"* LIST (" + role.encode() + b') "/" ' +
                     quote(name.encode()))
        if self.is_fault("many"):
            for i in range(30000):
                self.say(f'* LIST () "/" f{i}')
        if self.is_fault("raw"):
            self.say(b'* LIST () "/" "\xff\xfe"')
            self.say('* LIST () NIL "caf\u00e9"'.encode())
        self.done()

    # -- messages
    def uids_in(self, text):
        n = len(self.server.folders[self.folder])
        out = set()
        for part in text.split(","):
            lo, _, hi = part.partition(":")
            lo, hi = (n if x == "*" else int(x) for x in (lo, hi or lo))
            lo, hi = min(lo, hi), max(lo, hi)
            out |= set(range(max(lo, 1), min(hi, n) + 1))
        return out

    def do_uid_search(self, rest):
        if self.folder is None:
            return self.done("BAD", "no folder")
        if self.is_fault("badcharset") and b"CHARSET" in rest:
            return self.done("NO", "[BADCHARSET (US-ASCII)] ASCII only")
        words = [unquote(q or a or p) for q, a, p in TOKEN.findall(rest)]
        box = self.server.folders[self.folder]
        found = set(range(1, len(box) + 1))
        new = words[:1] == [b"RETURN"]
        for key, value in zip(words, words[1:]):
            if key == b"UID":
                found &= self.uids_in(value.decode())
            elif key in (b"FROM", b"SUBJECT", b"TEXT"):
                head = {b"FROM": rb"(?im)^from:.*", b"TEXT": rb"(?is).*",
                        b"SUBJECT": rb"(?im)^subject:.*"}[key]
                found = {u for u in found if value.lower() in
                         b"".join(re.findall(head, box[u - 1])).lower()}
        if self.is_fault("alien"):
            found = {7000001, 7000002}
        text = " ".join(str(u) for u in sorted(found))
        if new:
            every = " ALL " + text.replace(" ", ",") if found else ""
            if self.is_fault("range"):
                every = " ALL 1:4294967295"
            self.say(b'* ESEARCH (TAG "' + self.tag + b'") UID' +
                     every.encode())
        else:
            self.say("* SEARCH " + text)
        self.done()

    def do_fetch(self, rest):
        self.fetch(rest)

    def do_uid_fetch(self, rest):
        self.fetch(rest)

    def fetch(self, rest):
        if self.folder is None:
            return self.done("BAD", "no folder")
        which, _, items = rest.decode().partition(" ")
        for uid in sorted(self.uids_in(which)):
            row = self.row(uid, items)
            self.say(row)
            if self.is_fault("twin"):
                self.say(row)
        self.done()

    def row(self, uid, items):
        raw = self.server.folders[self.folder][uid - 1]
        head = raw.split(b"\r\n\r\n")[0] + b"\r\n\r\n"
        told = uid + 5000 if self.is_fault("uid") else uid
        nil = self.is_fault("nil")
        out = [f"UID {told}".encode()]
        if "RFC822.SIZE" in items:
            out.append(b"RFC822.SIZE " +
                       (b"NIL" if nil else str(len(raw)).encode()))
        if "INTERNALDATE" in items:
            out.append(b"INTERNALDATE " + (
                b"NIL" if nil else b'"21-Jun-2026 10:00:00 +0000"'))
        if "BODYSTRUCTURE" in items:
            out.append(b"BODYSTRUCTURE " + (
                b"NIL" if nil else b'("TEXT" "PLAIN" NIL NIL NIL "7BIT"'
                b" %d -1 NIL NIL NIL NIL)" % len(raw)))
        section = re.search(r"BODY(\.PEEK)?\[(.*?)\]", items)
        if section:
            if not section[1]:
                self.server.flags.setdefault(uid, set()).add("\\Seen")
            data = head if section[2] else raw
            name = f"BODY[{section[2]}] ".encode()
            if self.is_fault("bodyonly"):
                data, name = raw, b"BODY[] "
            out.append(name + (b"NIL" if nil else
                               b"{%d}\r\n" % len(data) + data))
        return b"* %d FETCH (" % uid + b" ".join(out) + b")"

    def do_idle(self, _):
        """Tells of new messages until anything is said; offered by caps alone."""
        if "IDLE" not in self.caps().split() or self.folder is None:
            return self.done("BAD", "what?")
        told = len(self.server.folders[self.folder])
        self.send(b"+ idling\r\n")
        self.server.idling += 1
        self.sock.settimeout(0.02)
        try:
            while CRLF not in self.buf and not self.server.stopping.is_set():
                n = len(self.server.folders[self.folder])
                if n != told:
                    self.send(b"* %d EXISTS\r\n" % n)
                told = n
                with contextlib.suppress(TimeoutError):
                    self.more()
        finally:
            self.server.idling -= 1
            self.sock.settimeout(None)
        self.line()
        self.done()

    def do_uid_store(self, rest):
        self.server.flags.setdefault(0, set()).add(rest.decode())
        self.done()


class Imapd(Listener):
    session = Session

    def __init__(self, cert, key, *, fault=None, starttls=False,
                 hide_starttls=False, caps=CAPS, more_caps=MORE, users=None,
                 tokens=(), folders=None, slow=0.05, host="127.0.0.1"):
        if isinstance(fault, str):
            step, _, what = fault.partition(":")
            fault = (step, what)
        super().__init__(cert, key, host)
        self.fault = fault or (None, None)
        self.starttls, self.hide_starttls = starttls, hide_starttls
        self.caps, self.more_caps, self.slow = caps, more_caps, slow
        self.users = {"me": "secret"} if users is None else users
        self.tokens = tokens
        self.folders = FOLDERS if folders is None else folders
        self.validity = 9
        self.flags = {}
        self.idling = 0  # connections
