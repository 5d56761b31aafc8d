# SPDX-License-Identifier: Apache-2.0
"""
An IMAP server that stalls, lies, floods and breaks off, against every command.

Each row is a fault, and for each command what it may end in.  hostile.audit()
says what holds for all of them: one JSON object, in time, with a documented
code, nothing hidden in it, no report of a sanitizer.
"""

import pytest

import cli
import hostile
from hostile import MAIL
from imapd import Hangup, Imapd
import servers
from smtpd import Smtpd

LOGIN = {servers.address("agent"): servers.password("agent")}
HEAD = b"BODY[HEADER.FIELDS (FROM)]"
ANN = b"From: ann@example.net\r\nSubject: x\r\n\r\n"
DONE = b"@TAG@ OK done\r\n"
OPEN = (b"* 4 EXISTS\r\n* OK [UIDVALIDITY 9] x\r\n* OK [UIDNEXT 5] x\r\n" +
        DONE)

# Which commands come by which step.
READ = "list since new get search search8 ack reply".split()
ALL = "list search get ack reply folders doctor".split()
# What reads an answer is the same for many: a row has three of them, the next
# row others, and three rows in turn have all.  To connect has too few rows.
TURNS = {
    tuple(READ): ["list get ack", "since reply search", "new get search8"],
    tuple(ALL): ["list get doctor", "search reply folders", "list ack doctor"],
}
STEPS = {
    "connect": ALL,
    "greeting": ALL,
    "starttls": ALL,
    "login": ALL,
    "examine": READ,
    "search": "since search search8".split(),
    "fetch": READ,
    "list": ["folders", "doctor"],
}


def fetch_of(number, items):
    return b"* %d FETCH (%s)\r\n" % (number, items)


def both(first):
    """First this, then the answer as it would have been."""
    def spoil(session, data):
        session.send(first.replace(b"@TAG@", session.tag) + data)
    return spoil


def trickle(session, data):
    """A byte every 0.2 s, for as long as anybody listens."""
    for i in range(len(data)):
        if session.server.stopping.wait(0.2):
            raise Hangup
        session.sock.sendall(data[i:i + 1])


def handshake_drip(session, _):
    trickle(session, b"\x16\x03\x03\x40\x00" + b"\x02" * 0x4000)


def endlessly(data):
    def spoil(session, _):
        while not session.server.stopping.is_set():
            session.sock.sendall(data * 10000)
        raise Hangup
    return spoil


def half_then_stall(session, data):
    session.send(data[:len(data) // 2])
    session.spoil_stall()


def half_then_close(session, data):
    session.send(data[:len(data) // 2])
    raise Hangup


EVERY_STEP = ("greeting", "login", "examine", "search", "fetch", "list")
ROWS = []


def row(name, step, what, ends="network", only=None):
    commands = only or STEPS[step]
    if step != "connect" and (turns := TURNS.get(tuple(commands))):
        commands = turns[0].split()
        turns.append(turns.pop(0))
    ROWS.append((name, (step, what), commands, set(ends.split())))


for step in ("connect",) + EVERY_STEP:
    row("stall", step, "stall", only=STEPS[step][-2:])
    row("close", step, "close")
for step in EVERY_STEP:
    row("bye", step, "bye")
    row("garbage", step, "garbage")
    row("half-close", step, half_then_close, "network ok")
    row("half-stall", step, half_then_stall, "network ok",
        only=STEPS[step][-2:])
    row("drip", step, trickle, only=STEPS[step][-2:])
    row("endless-line", step, "endless", "limit network",
        only=STEPS[step][:2])
    row("flood", step, "flood", "limit network", only=STEPS[step][-2:])
for step in EVERY_STEP[1:]:
    row("tag", step, "tag")
    row("no", step, "no", "auth network not_found ok")
    row("bad", step, "bad", "auth network ok")
    row("chatter", step, "chatter", "ok")
    row("continue", step, "continue")
    row("twice", step, "twice", "ok network")

AHEAD = b"".join(b"e%d OK x\r\n" % tag for tag in range(1, 20))
row("all-answers-ahead", "greeting",
    b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN SASL-IR LOGIN-REFERRALS] x\r\n" + AHEAD)
row("all-answers-ahead", "login", b"@TAG@ OK [CAPABILITY IMAP4rev1] x\r\n" +
    b"".join(b"e%d OK [UIDVALIDITY 9] x\r\n" % tag for tag in range(4, 40)),
    "network ok")
row("plain-text", "connect", b"* OK hello\r\n")
row("slow-handshake", "connect", handshake_drip, only=["list", "doctor"])
# HelloRequest, RFC 5246 section 7.4.1.1, which a client has to pass over.
row("no-handshake", "connect", endlessly(b"\x16\x03\x03\0\x04\0\0\0\0"),
    only=["list", "doctor"])
row("huge-literal", "fetch", "literal:4294967295", "limit",
    only=["list", "get", "since", "ack"])
row("giant-literal", "fetch", "literal:18446744073709551615", "limit")
row("greater-literal", "fetch", "literal:18446744073709551616", "limit")
row("minus-literal", "fetch", "literal:-1", "network")
row("long-literal", "fetch", "literal:100000", "network",
    only=["list", "get"])
row("literal", "search", "literal:4294967295", "limit network")
row("literal", "list", "literal:4294967295", "limit")
row("literal", "examine",
    b"* OK [UIDVALIDITY 9] x {4294967295}\r\n* 4 EXISTS\r\n" + DONE, "ok")
row("deep", "fetch", "deep", "ok not_found")
# So many items that a slow machine is still reading when time is up.
row("wide", "fetch", "wide", "ok not_found network", only=["list", "get", "ack"])
row("deep", "list", both(b"* LIST (" + b"(" * 100000 + b")" * 100000 +
                         b') "/" x\r\n'), "ok")
row("open-list", "fetch", b"* 1 FETCH (((((\r\n" + DONE)
row("stray", "fetch", b"* 1 FETCH )))))\r\n" + DONE)
row("open-quote", "fetch", b'* 1 FETCH (UID 1 BODY[] "abc\r\n' + DONE)
row("no-list", "fetch", b"* 1 FETCH 1\r\n" + DONE)
row("short-literal", "fetch", b"* 1 FETCH (UID 1 " + HEAD + b" {5}\r\n" +
    ANN + b")\r\n" + DONE, "network")
row("wrong-uids", "fetch", "uid", "not_found ok")
row("twin", "fetch", "twin", "ok")
row("nil", "fetch", "nil", "not_found ok")
row("body-for-head", "fetch", "bodyonly", "not_found ok")
row("nothing", "fetch", DONE, "not_found ok")
row("all-uids", "fetch", both(b"".join(
    fetch_of(i, b"UID %d %s {%d}\r\n%s" % (i * 7, HEAD, len(ANN), ANN))
    for i in range(1, 2000))), "ok")
row("8bit", "fetch", both(
    b'* 1 FETCH (UID 1 X "\xff\x80\xc3" \xfe\xff NIL)\r\n'
    b"* \xff\xfe\r\n*\r\n* \r\n* 99999999999 FETCH (UID 1)\r\n"
    b"* 0 FETCH (UID 1)\r\n* FETCH (UID 1)\r\n"), "ok")
row("uid-0", "fetch", b"* 1 FETCH (UID 0 " + HEAD + b" {%d}\r\n%s)\r\n" %
    (len(ANN), ANN) + DONE, "network")
row("uid-in-quotes", "fetch", b'* 1 FETCH (UID "1" ' + HEAD + b" {%d}\r\n%s)\r\n" %
    (len(ANN), ANN) + DONE, "network")
row("huge", "examine", "huge", "ok network")
row("many", "examine", b"* 4294967295 EXISTS\r\n* OK [UIDVALIDITY 9] x\r\n"
    b"* OK [UIDNEXT 4294967295] x\r\n" + DONE, "ok network")
row("no-validity", "examine", b"* 4 EXISTS\r\n* OK [UIDNEXT 5] x\r\n" + DONE,
    "unsupported")
row("validity-0", "examine", b"* 4 EXISTS\r\n* OK [UIDVALIDITY 0] x\r\n"
    b"* OK [UIDNEXT 5] x\r\n" + DONE, "unsupported")
row("validity-huge", "examine", b"* 4 EXISTS\r\n"
    b"* OK [UIDVALIDITY 99999999999] x\r\n* OK [UIDNEXT 5] x\r\n" + DONE,
    "unsupported")
row("validity-minus", "examine", b"* 4 EXISTS\r\n* OK [UIDVALIDITY -1] x\r\n" +
    DONE, "unsupported")
row("validity-text", "examine", b"* 4 EXISTS\r\n* OK [UIDVALIDITY nine] x\r\n" +
    DONE, "unsupported")
row("no-uidnext", "examine", b"* 4 EXISTS\r\n* OK [UIDVALIDITY 9] x\r\n" +
    DONE, "ok not_found")
# Renumbered between two calls: a uid of before names nothing.
row("validity", "examine", "validity", "ok not_found")
row("nothing", "examine", DONE, "unsupported")
row("badcharset", "search", "badcharset", "ok")
row("range", "search", "range", "ok")
row("alien", "search", "alien", "ok")
row("nonsense", "search", both(b"* SEARCH 1 two 3\r\n"))
row("nonsense", "search", both(b'* ESEARCH (TAG "x") UID ALL 4:x\r\n'))
row("by-number", "search", both(b'* ESEARCH (TAG "x") ALL 1:4\r\n'))
row("zero", "search", both(b"* SEARCH 0 1\r\n* SEARCH\r\n"), "ok")
# As many as that a slow machine is still reading, too.
row("many", "list", "many", "limit network")
row("raw", "list", "raw", "ok")
row("nonsense", "list", both(b"* LIST\r\n"))
row("nonsense", "list", both(b"* LIST x y z\r\n"))
row("cut-utf7", "list", both(b'* LIST () "/" "&AOk"\r\n'
                             b'* LIST () "/" "&-&-&"\r\n'), "ok")
row("no-caps", "greeting", "nocaps", "ok")
row("preauth", "greeting", "preauth", "ok")
row("no-login", "greeting", b"* OK [CAPABILITY IMAP4rev1 LOGINDISABLED] x\r\n",
    "auth")
row("bye-after-ok", "greeting", b"* OK hello\r\n* BYE no\r\n")

STARTTLS = [
    ("inject", ("starttls", "inject"), ALL, {"network"}),
    ("preauth", ("greeting", "preauth"), ALL, {"network"}),
    ("refused", ("starttls", "no"), ALL, {"network"}),
    ("unknown", ("starttls", "bad"), ALL, {"network"}),
    ("stall", ("starttls", "stall"), ALL, {"network"}),
    ("close", ("starttls", "close"), ALL, {"network"}),
    ("bye", ("starttls", "bye"), ALL, {"network"}),
    ("garbage", ("starttls", "garbage"), ALL, {"network"}),
    ("tag", ("starttls", "tag"), ALL, {"network"}),
    ("no-starttls", ("greeting", b"* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] "
                     b"x\r\n"), ALL, {"network"}),
    ("caps-lie", ("greeting", b"* OK [CAPABILITY IMAP4rev1 STARTTLS "
                  b"AUTH=PLAIN SASL-IR] x\r\n"), ALL, {"ok"}),
    ("no-handshake", ("starttls", b"@TAG@ OK go\r\n\x16\x03\x01\xff\xff"),
     ALL, {"network"}),
]

# Each stops where the next command would, too: three of them, in turns.
for i, (_, _, commands, _) in enumerate(STARTTLS):
    STARTTLS[i] = (*STARTTLS[i][:2], TURNS[tuple(ALL)][i % 3].split(), STARTTLS[i][3])


def test_every_command_comes_by_every_step_of_its_own():
    for step in ("connect",) + EVERY_STEP:
        met = [set(r[2]) for r in ROWS if r[1][0] == step]
        assert set().union(*met) == set(STEPS[step]), step


def wanted(command, ends):
    """What doctor finds broken is in its report."""
    return ends | {"config"} if command == "doctor" and ends != {"ok"} else ends


class Field(hostile.Field):
    """
    A run that ended otherwise than it should when its time was over is tried again:
    a machine that did not run it for so long does not do so three times.
    """

    rows = ()

    def work(self, fault, command):
        (ends,) = [r[3] for r in self.rows if r[1] is fault]
        for _ in range(3):
            r = super().work(fault, command)
            if r.seconds < hostile.TIMEOUT or r.outcome in wanted(command, ends):
                break
        return r

    def once(self, lane, command):
        for _ in range(3):
            r = super().once(lane, command)
            if r.rc == 0 or lane.server.fault != (None, None):
                break
        return r


def make(emcli, certs, lanes, rows, **behaviour):
    def start(_):
        server = Imapd(certs.good[0], certs.good[1], users=LOGIN,
                       folders=MAIL, **behaviour).start()
        server.smtpd = Smtpd(certs.good[0], certs.good[1], users=LOGIN)
        server.smtpd.start()
        server.messages = server.smtpd.messages
        return server
    field = Field(emcli, start, lambda server: {
        "imap_port": server.port, "ca": certs.ca,
        "imap_security": "starttls" if server.starttls else "tls",
        "smtp_host": "localhost", "smtp_port": server.smtpd.port,
        "smtp_security": "tls"}, lanes)
    field.rows = rows
    return field


@pytest.fixture(scope="module")
def tls(certs, tmp_path_factory, request):
    emcli = cli.Emcli(tmp_path_factory.mktemp("tls") / "emcli")
    emcli.init()
    field = make(emcli, certs, 6, ROWS)
    yield field.hear(request)
    field.stop()


@pytest.fixture(scope="module")
def starttls(certs, tmp_path_factory, request):
    emcli = cli.Emcli(tmp_path_factory.mktemp("starttls") / "emcli")
    emcli.init()
    field = make(emcli, certs, 3, STARTTLS, starttls=True)
    yield field.hear(request)
    field.stop()


def judge(row, runs):
    name, _, _, ends = row
    for command, future in runs:
        r = future.result()
        hostile.audit(r, servers.password("agent"))
        assert r.outcome in wanted(command, ends), f"{command}: {r}"
        # Looking is all that is ever done.
        assert r.flags == {}, f"{command}: {r.flags}"
        if r.outcome != "ok":
            assert r.messages == [], f"{command}: {r}"
        elif command in ("list", "since", "new", "search", "search8"):
            uids = {m["uid"] for m in r.data["messages"]}
            assert name in LIARS or uids <= {1, 2, 4}, f"{command}: {r}"


# Rows whose server gives a message another uid, which none can tell.
LIARS = ("wrong-uids", "all-uids")


@pytest.mark.parametrize("row", ROWS, ids=[f"{r[1][0]}-{r[0]}" for r in ROWS])
def test_fault(tls, row, request):
    judge(row, tls[request.node.name])


@pytest.mark.parametrize("row", STARTTLS, ids=[r[0] for r in STARTTLS])
def test_fault_on_the_way_to_tls(starttls, row, request):
    runs = starttls[request.node.name]
    judge(row, runs)
    for command, future in runs:
        said = b" ".join(future.result().said).upper()
        if row[3] == {"network"}:
            assert b"LOGIN" not in said and b"AUTH" not in said, command
