# SPDX-License-Identifier: Apache-2.0
"""
The key is with the keeper and with the monitor, which starts it again.  No
other process of the broker has it, nor the store's data key, nor a password,
whatever it was asked; and without a keeper its calls fail closed.
"""

import base64
import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile

import pytest

import servers
from conftest import Site
from imapd import Imapd
from mail import message
from smtpd import Smtpd
from test_broker import A, B, become, begin, until
from test_broker_pipes import far
from test_broker_wires import BOX, ME, TO, Wired
from test_chain import Gcm
from test_mcp import LEGACY

PASSWORD = "a-password-of-the-mail-account-4711"
MAIL = {"account": "mail", "folder": "INBOX"}


class Kept(Wired):
    """A broker with wires, and a server of HTTP."""

    def serve(self):
        self.web = self.run_dir / "http.sock"
        self.broker = subprocess.Popen(
            [*become(B), self.binary, "serve", "--foreground", "--socket", self.socket, "--http-socket", self.web],
            env=self.environment(EMCLI_KEY=self.agent_key), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(lambda: self.status().rc == 0)

    def post(self, op, args):
        """As scout's user, to the server of HTTP: the whole answer."""
        body = json.dumps(args).encode()
        with socket.socket(socket.AF_UNIX) as s:
            os.setresuid(A, A, 0)
            try:
                s.connect(str(self.web))
            finally:
                os.setresuid(0, 0, 0)
            s.sendall(b"POST /v1/op/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                      b"Connection: close\r\nContent-Length: %d\r\n\r\n%s" % (op.encode(), len(body), body))
            return b"".join(iter(lambda: s.recv(65536), b""))

    def secrets(self):
        """What is searched for, and what it is."""
        key = base64.b64decode(self.agent_key)
        with sqlite3.connect(self.db) as db:
            (slot,) = db.execute("SELECT value FROM settings WHERE key = 'dek_wrap_agent'").fetchone()
        raw = base64.b64decode(slot)
        good, dek, _ = Gcm(key).run(True, raw[:12], b"settings/dek_wrap_agent", raw[12:-16], raw[-16:])
        assert good
        return {"EMCLI_KEY": self.agent_key.encode(), "its bytes": key, "the data key": dek,
                "a password": PASSWORD.encode()}


@pytest.fixture(scope="module")
def kept(certs):
    cert, key = certs.good[:2]
    users = {ME: PASSWORD}
    with tempfile.TemporaryDirectory(prefix="emcli-keys-") as folder:
        os.chmod(folder, 0o755)
        h = Kept(folder)
        h.init()
        h.site = Site(h.folder / "site")
        h.site.deliver("agent", message(subject="here"))
        h.run_dir.mkdir()
        h.ca = shutil.copy(certs.ca, h.folder / "ca.pem")
        os.chmod(h.ca, 0o644)
        h.own()
        h.account_maildir(h.site.path, process_backlog=True)
        h.imap, h.smtp = Imapd(cert, key, users=users), Smtpd(cert, key, users=users)
        h.imap.start()
        h.smtp.start()
        h.set_up("account", "add", "mail", "--password-stdin", "--backend", "imap", "--mode", "RW",
                 "--from", ME, "--username", ME, "--imap-host", "localhost",
                 "--imap-port", h.imap.port, "--imap-security", "tls", "--smtp-host", "localhost",
                 "--smtp-port", h.smtp.port, "--smtp-security", "tls", "--ca", h.ca,
                 "--whitelist-out", "off", "--process-backlog", "--check-unfinished", "off",
                 stdin=PASSWORD)
        h.set_up("agent", "add", "scout", "--uid", A)
        h.serve()
        yield h
        h.stop()
        h.imap.stop()
        h.smtp.stop()


def memory(pid):
    """All of it, as root reads it."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as mem:
        for line in maps:
            start, end = (int(x, 16) for x in re.match(r"(\w+)-(\w+)", line).groups())
            with contextlib.suppress(OSError, ValueError, OverflowError):
                mem.seek(start)
                yield mem.read(end - start)


def found(pid, secrets):
    seen = {what for part in memory(pid) for what, text in secrets.items() if text in part}
    with contextlib.suppress(OSError):
        environ = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        seen |= {what for what, text in secrets.items() if text in environ}
    return seen


def below(pid):
    path = pathlib.Path(f"/proc/{pid}/task/{pid}/children")
    with contextlib.suppress(OSError):
        for child in map(int, path.read_text().split()):
            yield child
            yield from below(child)


def name(pid):
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    return None


def test_no_process_that_reads_mail_or_calls_has_a_secret(kept):
    assert kept.ask("list", *BOX).rc == 0
    assert kept.ask("send", *TO).rc == 0
    session = far(kept, revision=LEGACY[-1])
    assert session.call("load_skill", skill="mail-read")["error"] is False
    listed = session.call("list", **MAIL)
    assert listed["error"] is False, listed
    assert b'{"error":false' in kept.post("list", MAIL)
    secrets = kept.secrets()
    seen = {}
    for pid in below(kept.broker.pid):
        got = found(pid, secrets)
        if (who := name(pid)) is not None:
            seen.setdefault(who, []).append(got)
    session.end()
    # The same search finds them where they are.
    (spawner,) = seen.pop("emcli spawner")
    assert "EMCLI_KEY" in spawner
    assert found(kept.broker.pid, secrets) == set()
    (keeper,) = seen.pop("emcli keeper")
    assert {"its bytes", "the data key"} & keeper and "EMCLI_KEY" in keeper
    wires = seen.pop("emcli wire")
    assert not {"EMCLI_KEY", "its bytes", "the data key"} & set().union(*wires)
    # Workers, the session with its worker, the server of HTTP, and what reads HTML for them.
    rest = [got for all_of in seen.values() for got in all_of]
    assert len(rest) >= 8
    assert set().union(*rest) == set(), seen
    # It is compared all the same, by the keeper; this call brings it itself.
    assert kept.ask("send", *TO[:-1], f"it is {PASSWORD}").code == "approval"


def asks(pid):
    """Does it wait for an answer?  Whatever else waits has no deadline."""
    with contextlib.suppress(OSError, ValueError):
        number, *args = pathlib.Path(f"/proc/{pid}/syscall").read_text().split()
        return (number, int(args[2], 16) & 0xffffffff) not in [("7", 0xffffffff), ("73", 0)] \
            if number in ("7", "73") else False
    return False


def test_calls_without_a_keeper_fail_closed(kept):
    """It dies while calls wait for its answer; then there is another."""
    session = far(kept, revision=LEGACY[-1])
    assert session.call("load_skill", skill="mail-read")["error"] is False
    before, sent = len(kept.smtp.messages), 0
    for k in range(2):
        (pid,) = kept.named("keeper")
        os.kill(pid, signal.SIGSTOP)
        try:
            calls = [begin(kept, "list", *BOX), begin(kept, "send", *TO[:-1], f"body {k}")]
            until(lambda: sum(map(asks, kept.workers())) >= 2)
        finally:
            os.kill(pid, signal.SIGKILL)
        for p in calls:
            out, _ = p.communicate(timeout=60)
            # It may have been about to ask, and then had the next keeper.
            assert json.loads(out)["error_detail"].get("code") in (None, "config"), out
        sent += calls[1].returncode == 0
        # It is started again; the session finds it by itself.
        until(lambda: kept.named("keeper") - {pid})
        until(lambda: session.call("list", **MAIL)["error"] is False)
        until(lambda: kept.ask("list", *BOX).rc == 0)
    assert len(kept.smtp.messages) == before + sent, "what was not judged was not sent"
    assert kept.ask("send", *TO[:-1], "body 0").rc == 0
    assert session.end() == (0, b"")
