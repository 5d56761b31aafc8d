# SPDX-License-Identifier: Apache-2.0
"""A small SMTP server that does what a test tells it, right or wrong.

    with Smtpd(cert, key, starttls=True) as server:
        ... server.port ...
        server.messages   what was accepted: from_, to, data, args
        server.log        every line, as ("C" or "S", bytes)

The local part of a recipient picks what becomes of it:

    defer@ reject@ bye@   451, 550, 421 (and the end) at RCPT
    many@                 452 4.5.3, too many recipients, at RCPT
    slow@                 answers RCPT after `slow` seconds
    dataerr@ tempdata@    554, 452 after the final dot
    dropbefore@           hangs up after the dot and keeps nothing
    dropafter@            keeps the message, hangs up without an answer
    garbage@              keeps the message, answers with what is no reply
    stall@                keeps the message and never answers

`fault=(step, what)` spoils one step.  Steps: connect, greeting, ehlo, ehlo2
(the one after STARTTLS), starttls, auth, mail, rcpt, data, dot, quit.  What:

    "stall"       never answers            "close"   hangs up
    "endless"     a line without an end    "lines"   10000 reply lines
    "garbage"     bytes that are no reply  "bye"     421 and the end
    "mixed"       a reply whose codes differ
    "inject"      (starttls only) more plain text right behind the 220
    bytes         those very bytes as the answer
    a function    is called with the session in place of the answer

Other settings: auths ("PLAIN LOGIN", "" for none), users ({name: password}),
tokens (accepted for XOAUTH2 and OAUTHBEARER), pipelining, eightbit, utf8,
size (None: not offered; 0: no limit told), echo (refusals of AUTH repeat the
command).
"""

import base64
import json
import ssl

from listener import Hangup, Listener, start_tls

CRLF = b"\r\n"


class Session:
    def __init__(self, server, sock):
        self.server, self.sock = server, sock
        self.buf = b""
        self.tls = self.authed = False
        self.ehlos = 0
        self.reset()

    def reset(self):
        self.from_, self.args, self.to = None, "", []

    # -- the wire
    def send(self, data):
        self.server.log.append(("S", data))
        self.sock.sendall(data)

    def reply(self, code, *lines):
        lines = lines or ("",)
        for i, text in enumerate(lines):
            mark = " " if i == len(lines) - 1 else "-"
            self.send(f"{code}{mark}{text}".encode() + CRLF)

    def line(self, limit=1 << 20):
        while CRLF not in self.buf:
            if len(self.buf) > limit:
                raise Hangup
            more = self.sock.recv(65536)
            if not more:
                raise Hangup
            self.buf += more
        line, self.buf = self.buf.split(CRLF, 1)
        self.server.log.append(("C", line))
        return line

    def wait(self, seconds=3600):
        """Answers nothing until the server stops."""
        self.server.stopping.wait(seconds)

    def fault(self, step):
        """True when the step was spoilt and is over."""
        at, what = self.server.fault or (None, None)
        if at != step:
            return False
        if isinstance(what, bytes):
            self.send(what)
        elif callable(what):
            what(self)
        elif what == "stall":
            self.wait()
            raise Hangup
        elif what == "close":
            raise Hangup
        elif what == "endless":
            for _ in range(2000):
                self.sock.sendall(b"x" * 65536)
            raise Hangup
        elif what == "lines":
            self.sock.sendall(b"250-more\r\n" * 10000)
            self.send(b"250 end\r\n")
        elif what == "garbage":
            self.send(b"\x00\xff no reply at all\r\n")
        elif what == "mixed":
            self.send(b"250-fine\r\n550 not\r\n")
        elif what == "bye":
            self.reply(421, "4.3.2 bye")
            raise Hangup
        else:
            return False
        return True

    # -- the session
    def start_tls(self):
        limits = {}
        if self.server.tls_max is not None:
            limits = {"minimum_version": ssl.TLSVersion.MINIMUM_SUPPORTED,
                      "maximum_version": self.server.tls_max}
        self.sock = start_tls(self.sock, self.server, **limits)
        self.tls = True

    def run(self):
        if self.fault("connect"):
            return
        if not self.server.starttls:
            self.start_tls()
        if not self.fault("greeting"):
            self.reply(220, "smtpd.lab.example ESMTP")
        while True:
            raw = self.line()
            verb, _, rest = raw.decode("utf-8", "replace").partition(" ")
            do = getattr(self, "do_" + verb.lower(), None)
            if do is None or not verb.isalpha():
                self.reply(500, "5.5.2 what?")
            elif do(rest) is False:
                return

    def do_ehlo(self, name):
        self.reset()
        self.ehlos += 1
        if self.fault("ehlo2" if self.ehlos > 1 else "ehlo"):
            return
        s = self.server
        can = ["smtpd.lab.example at your service"]
        if s.pipelining:
            can.append("PIPELINING")
        if s.eightbit:
            can.append("8BITMIME")
        if s.utf8:
            can.append("SMTPUTF8")
        if s.size is not None:
            can.append(f"SIZE {s.size}" if s.size else "SIZE")
        if s.starttls and not self.tls and not s.hide_starttls:
            can.append("STARTTLS")
        if self.tls and s.auths:
            can.append("AUTH " + s.auths)
        can.append("ENHANCEDSTATUSCODES")
        self.reply(250, *can)

    def do_starttls(self, _):
        if self.fault("starttls"):
            return
        if self.server.fault == ("starttls", "inject"):
            self.send(b"220 go\r\n250-injected\r\n250 AUTH PLAIN\r\n")
        else:
            self.reply(220, "2.0.0 go")
        if self.buf:
            raise Hangup  # the client spoke before TLS
        self.start_tls()
        self.reset()

    def ask(self, prompt=b""):
        self.send(b"334 " + prompt + CRLF)
        return base64.b64decode(self.line())

    def do_auth(self, rest):
        if not self.tls:
            return self.reply(538, "5.7.11 not in the clear")
        if self.fault("auth"):
            return
        mech, _, first = rest.partition(" ")
        s = self.server
        good = False
        if mech.upper() not in s.auths.upper().split():
            return self.reply(504, "5.5.4 no such mechanism")
        if mech == "LOGIN":
            user = self.ask(base64.b64encode(b"Username:"))
            word = self.ask(base64.b64encode(b"Password:"))
            good = s.users.get(user.decode()) == word.decode()
        else:
            answer = base64.b64decode(first) if first else self.ask()
            if mech == "PLAIN":
                _, user, word = answer.decode().split("\0")
                good = s.users.get(user) == word
            else:
                token = answer.decode().split("auth=Bearer ")[1].split("\1")[0]
                good = token in s.tokens
                if not good:
                    self.ask(base64.b64encode(json.dumps(
                        {"status": "401", "schemes": "bearer"}).encode()))
        self.authed = good
        if good:
            self.reply(235, "2.7.0 welcome")
        elif s.echo:
            self.reply(535, "5.7.8 wrong: AUTH " + rest)
        else:
            self.reply(535, "5.7.8 authentication failed")

    def do_mail(self, rest):
        if self.server.auths and not self.authed:
            return self.reply(530, "5.7.0 log in first")
        if self.fault("mail"):
            return
        path, _, self.args = rest[len("FROM:"):].partition(" ")
        for arg in self.args.split():
            if (arg.startswith("SIZE=") and self.server.size and
                    int(arg[5:]) > self.server.size):
                return self.reply(552, "5.3.4 too big")
        self.from_ = path.strip("<>")
        self.reply(250, "2.1.0 ok")

    def do_rcpt(self, rest):
        if self.fault("rcpt"):
            return
        to = rest[len("TO:"):].strip("<> ")
        local = to.partition("@")[0]
        if self.from_ is None:
            self.reply(503, "5.5.1 MAIL first")
        elif local == "defer":
            self.reply(451, "4.7.1 try again later")
        elif local == "reject":
            self.reply(550, "5.1.1 no such user")
        elif local == "many":
            self.reply(452, "4.5.3 too many")
        elif local == "bye":
            self.reply(421, "4.3.2 bye")
            raise Hangup
        else:
            if local == "slow":
                self.wait(self.server.slow)
            self.to.append(to)
            self.reply(250, "2.1.5 ok")

    def read_message(self):
        data = []
        while True:
            line = self.line(256 << 20)
            if line == b".":
                return b"".join(x + CRLF for x in data)
            data.append(line[1:] if line.startswith(b".") else line)

    def do_data(self, _):
        if self.fault("data"):
            return
        if not self.to:
            return self.reply(554, "5.5.1 no valid recipients")
        self.reply(354, "go ahead")
        data = self.read_message()
        fates = {x.partition("@")[0] for x in self.to}
        if "dropbefore" in fates:
            raise Hangup
        if "dataerr" in fates:
            self.reply(554, "5.6.0 the message is bad")
            return self.reset()
        if "tempdata" in fates:
            self.reply(452, "4.3.1 no room")
            return self.reset()
        self.server.messages.append({"from_": self.from_, "to": self.to,
                                     "args": self.args, "data": data})
        self.reset()
        if self.fault("dot"):
            return
        if "dropafter" in fates:
            raise Hangup
        if "stall" in fates:
            self.wait()
            raise Hangup
        if "garbage" in fates:
            return self.send(b"hello?\r\n")
        self.reply(250, "2.0.0 queued")

    def do_rset(self, _):
        self.reset()
        self.reply(250, "2.0.0 ok")

    def do_noop(self, _):
        self.reply(250, "2.0.0 ok")

    def do_quit(self, _):
        if not self.fault("quit"):
            self.reply(221, "2.0.0 bye")
        return False


class Smtpd(Listener):
    session = Session

    def __init__(self, cert, key, *, starttls=False, auths="PLAIN LOGIN",
                 users=None, tokens=(), pipelining=True, eightbit=True,
                 utf8=True, size=0, slow=5, fault=None, echo=False,
                 hide_starttls=False, tls_max=None, host="127.0.0.1"):
        super().__init__(cert, key, host)
        self.starttls, self.auths = starttls, auths
        self.users = {"me": "secret"} if users is None else users
        self.tokens, self.pipelining = tokens, pipelining
        self.eightbit, self.utf8, self.size = eightbit, utf8, size
        self.slow, self.fault, self.echo = slow, fault, echo
        self.hide_starttls, self.tls_max = hide_starttls, tls_max
        self.messages = []
