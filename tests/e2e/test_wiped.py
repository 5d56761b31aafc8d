# SPDX-License-Identifier: Apache-2.0
"""
What is left of a secret in the memory of a command that waits for its server:
the one locked copy, and nothing in a buffer, a heap block or a stack.
"""
import base64
import contextlib
import pathlib
import time

import pytest

import level
from imapd import Imapd
import servers
from smtpd import Smtpd

SECRET = "hunter2-planted-Zq9-xyzw"
USER = servers.address("agent")
BOX = ("--account", "work", "--folder", "INBOX")
SEND = ("send", "--account", "work", "--to", "bob@lab.example", "--subject", "s", "--body", "b")
# Mappings bigger than this are a sanitizer's own.
BIG = 1 << 28


def memory(pid):
    """Everything the process can read, a mapping after the other."""
    proc = pathlib.Path("/proc/%d" % pid)
    try:
        maps = (proc / "maps").read_text().splitlines()
        mem = open(proc / "mem", "rb", buffering=0)
    except (FileNotFoundError, ProcessLookupError):  # a broker's may have ended
        return
    with mem:
        for line in maps:
            first, last = (int(x, 16) for x in line.split()[0].split("-"))
            if line.split()[1][0] == "r" and last - first < BIG:
                with contextlib.suppress(OSError, ValueError):
                    mem.seek(first)
                    yield mem.read(last - first)


def copies(pid, *what):
    """How often each is there, in one walk."""
    found = [0] * len(what)
    for part in memory(pid):
        found = [n + part.count(w) for n, w in zip(found, what)]
    return found


def sleeps(pid):
    """One that has ended holds nothing."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "SZ"
    return True


def wait_for(server, line, processes):
    """What was sent is wiped after it was sent, and then all wait."""
    end = time.monotonic() + 60
    while not any(who == "C" and line in said for who, said in list(server.log)) or \
            not all(map(sleeps, processes())):
        assert time.monotonic() < end, server.log
        time.sleep(0.02)


@pytest.mark.parametrize("caps", [
    "IMAP4rev1 SASL-IR LITERAL+ AUTH=PLAIN",
    "IMAP4rev1 LOGINDISABLED AUTH=PLAIN",
    "IMAP4rev1 LOGINDISABLED AUTH=LOGIN",
    "IMAP4rev1",
])
def test_a_command_that_waits_holds_a_secret_once(emcli, certs, caps):
    plain = b"\0" + USER.encode() + b"\0" + SECRET.encode()
    sent = [base64.b64encode(plain)[:24], base64.b64encode(SECRET.encode())[:24]]
    raw = base64.b64decode(emcli.agent_key)
    with Imapd(certs.good[0], certs.good[1], users={USER: SECRET}, caps=caps,
               fault=("examine", "stall")) as imap, \
            Smtpd(certs.good[0], certs.good[1], users={USER: SECRET},
                  fault=("rcpt", "stall")) as smtp:
        emcli.account_imap(imap_on(imap, certs), password=SECRET, smtp_host="localhost",
                           smtp_port=smtp.port, smtp_security="tls")
        for argv, server, line in (("list", *BOX), imap, b"EXAMINE"), (SEND, smtp, b"RCPT"):
            p = emcli.start(argv, emcli.environment(EMCLI_KEY=emcli.agent_key))
            try:
                wait_for(server, line, lambda: [*level.below(p.pid), *level.processes(emcli)])
                what = SECRET.encode(), emcli.agent_key.encode(), raw, *sent
                secret, key, *others = copies(p.pid, *what)
                if level.name == "broker":
                    # The caller has nothing; one process of the broker's has it.
                    assert not any([secret, key, *others])
                    each = [copies(q, *what) for q in level.processes(emcli)]
                    secret, key, *others = map(sum, zip(*each))
                assert secret == 1
                # A sanitizer keeps the environment as it was at the start.
                assert key in (1, 2)
                assert others == [0, 0, 0]
            finally:
                p.kill()
                p.communicate()


def imap_on(server, certs):
    """A scripted server in the place of Dovecot."""
    class On:
        host, imaps, ca = "localhost", server.port, certs.ca
    return On
