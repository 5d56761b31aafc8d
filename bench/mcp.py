#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
emcli mcp beside two mail servers from npm, in one run: the start, memory, what
the list of tools takes; and a warm call beside the IMAP exchange it needs.
Prints rows of the tables in bench/README.md.

    make && bench/mcp.py [--runs N] [--messages N]      # needs npm

The servers are installed into build-bench-npm/.
"""
import json
import os
import pathlib
import socket
import ssl
import statistics
import subprocess
import sys
import time

from imap import ROOT, lab, ms, options, row, servers

NPM = ROOT / "build-bench-npm"
# The newest mailparser asks for a package that is not there.
PACKAGES = {"private": True, "overrides": {"mailparser": "3.9.1"}, "dependencies": {
    "@codefuturist/email-mcp": "0.2.0", "mcp-mail-server": "1.2.1"}}
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {},
         "clientInfo": {"name": "bench", "version": "1"}}
BOX = {"folder": "INBOX"}


def install():
    """Once; the wrong versions are no bench."""
    NPM.mkdir(exist_ok=True)
    want = json.dumps(PACKAGES)
    if (NPM / "complete").exists() and (NPM / "package.json").read_text() == want:
        return
    (NPM / "package.json").write_text(want)
    subprocess.run(["npm", "install", "--no-package-lock", "--no-fund", "--no-audit",
                    "--loglevel=error"], cwd=NPM, check=True)
    (NPM / "complete").touch()


class Server:
    """One that is spoken to on its pipes."""

    def __init__(self, argv, env):
        self.begun = time.monotonic()
        self.proc = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.ids = 0

    def write(self, msg):
        self.proc.stdin.write(json.dumps({"jsonrpc": "2.0", **msg}).encode() + b"\n")
        self.proc.stdin.flush()

    def ask(self, method, **params):
        """The result, and how long its line was."""
        self.ids += 1
        self.write({"id": self.ids, "method": method, "params": params})
        while True:
            line = self.proc.stdout.readline()
            assert line, "the server is gone"
            msg = json.loads(line)
            if msg.get("id") == self.ids:
                assert "result" in msg, msg
                return msg["result"], len(line)

    def hello(self):
        self.ask("initialize", **HELLO)
        took = time.monotonic() - self.begun
        self.write({"method": "notifications/initialized"})
        return took

    def call(self, tool, **arguments):
        got = self.ask("tools/call", name=tool, arguments=arguments)[0]
        assert not got.get("isError"), got
        lines = got["content"][0]["text"].split("\n")
        return json.loads(lines[len(lines) // 2])["data"]

    def end(self):
        self.proc.stdin.close()
        self.proc.terminate()
        self.proc.wait()


def peak(argv, env, folder):
    """The most memory that it, or a process of its own, ever had."""
    told = pathlib.Path(folder) / "peak.out"
    s = Server([folder + "/peak", told, *argv], env)
    s.hello()
    s.ask("tools/list")
    s.end()
    return int(told.read_text())


def candidates(emcli, dovecot):
    at = {"PATH": os.environ["PATH"], "HOME": str(emcli.folder)}
    secret = servers.password("agent")
    imap, smtp = str(dovecot.imaps), "1"
    modules = NPM / "node_modules"
    return {
        "emcli": ([emcli.binary, "mcp"], emcli.environment(EMCLI_KEY=emcli.agent_key)),
        "mcp-mail-server": (
            ["node", modules / "mcp-mail-server/dist/index.js"],
            {**at, "IMAP_HOST": "localhost", "IMAP_PORT": imap, "IMAP_SECURE": "true",
             "SMTP_HOST": "localhost", "SMTP_PORT": smtp, "SMTP_SECURE": "true",
             "EMAIL_USER": "agent@lab.example", "EMAIL_PASS": secret}),
        "email-mcp": (
            ["node", modules / "@codefuturist/email-mcp/dist/main.js", "stdio"],
            {**at, "MCP_EMAIL_ADDRESS": "agent@lab.example", "MCP_EMAIL_PASSWORD": secret,
             "MCP_EMAIL_IMAP_HOST": "localhost", "MCP_EMAIL_IMAP_PORT": imap,
             "MCP_EMAIL_SMTP_HOST": "localhost", "MCP_EMAIL_SMTP_PORT": smtp}),
    }


def beside(emcli, dovecot, runs, folder):
    start, memory, size = {}, {}, {}
    who = candidates(emcli, dovecot)
    for _ in range(runs):
        for name, (argv, env) in who.items():
            s = Server(argv, env)
            start.setdefault(name, []).append(s.hello())
            size[name] = s.ask("tools/list")[1]
            s.end()
            memory.setdefault(name, []).append(peak(argv, env, folder))
    start = {n: statistics.median(v) for n, v in start.items()}
    memory = {n: statistics.median(v) for n, v in memory.items()}
    theirs = [n for n in who if n != "emcli"]
    for name, values, put, budget, better in [
            ("spawn to the answer of initialize, median of %d" % runs, start, ms,
             "50 times faster", lambda x, y: y / x),
            ("most memory, tools/list asked", memory, lambda v: "%.1f MiB" % (v / 1048576),
             "a fifth", lambda x, y: x / y),
            ("bytes of tools/list, nothing loaded", size, lambda v: "%d" % v, "4096 bytes",
             lambda x, y: x / y)]:
        best = min(values[n] for n in theirs)
        row(name, put(values["emcli"]), ", ".join("%s: %s" % (n, put(values[n]))
                                                  for n in theirs),
            "%.2f" % better(values["emcli"], best), budget)


def loaded(s):
    s.hello()
    for skill in "mail-read", "mail-triage":
        s.call("load_skill", skill=skill)


def everything(emcli, dovecot):
    """All that can be shown at once, of two mailboxes."""
    emcli.account_imap(dovecot, name="other", user="bob",
                       smtp_host="localhost", smtp_port=1, smtp_security="tls")
    argv = [emcli.binary, "mcp", "--legacy-tools", "all"]
    s = Server(argv, emcli.environment(EMCLI_KEY=emcli.agent_key))
    s.hello()
    size = s.ask("tools/list")[1]
    s.end()
    row("bytes of tools/list, everything there, two mailboxes", size, "", "", "14336 bytes")


class Wire:
    """The exchange a list needs, said by hand: one round trip for each step."""

    def __init__(self, dovecot):
        self.port = dovecot.imaps
        self.context = ssl.create_default_context(cafile=dovecot.ca)

    def until(self, f, tag):
        while True:
            line = f.readline()
            assert line, "the server hung up"
            if line.startswith(tag):
                assert b" OK" in line, line
                return

    def once(self, newest):
        with socket.create_connection(("127.0.0.1", self.port)) as raw, \
                self.context.wrap_socket(raw, server_hostname="localhost") as s:
            f = s.makefile("rb")
            f.readline()
            s.sendall(b"a LOGIN agent@lab.example %s\r\n"
                      % servers.password("agent").encode())
            self.until(f, b"a ")
            s.sendall(b"b EXAMINE INBOX\r\n")
            self.until(f, b"b ")
            s.sendall(b"c UID SEARCH ALL\r\n")
            self.until(f, b"c ")
            s.sendall(b"d FETCH %d:* (UID FLAGS RFC822.SIZE INTERNALDATE BODYSTRUCTURE "
                      b"BODY.PEEK[HEADER])\r\n" % newest)
            self.until(f, b"d ")
            s.sendall(b"e LOGOUT\r\n")


def warm(emcli, dovecot, messages, runs):
    s = Server([emcli.binary, "mcp"], emcli.environment(EMCLI_KEY=emcli.agent_key))
    loaded(s)
    wire = Wire(dovecot)
    ours, theirs = [], []
    for _ in range(runs):
        t = time.monotonic()
        assert len(s.call("list", **BOX, limit=50)["messages"]) == 50
        ours.append(time.monotonic() - t)
        t = time.monotonic()
        wire.once(messages - 49)
        theirs.append(time.monotonic() - t)
    s.end()
    x, y = statistics.median(ours), statistics.median(theirs)
    row("`list` of 50, called over MCP", ms(x), "the same asked of IMAP by hand: " + ms(y),
        "%.2f" % (x / y), "2")


def main():
    o = options(1000, 15)
    install()
    with lab(o.messages) as (e, dovecot, folder):
        e.account_imap(dovecot, name="work", mode="RO", process_backlog=True)
        subprocess.run(["cc", "-O2", "-o", folder + "/peak", ROOT / "bench/peak.c"],
                       check=True)
        beside(e, dovecot, o.runs, folder)
        warm(e, dovecot, o.messages, 2 * o.runs + 1)
        everything(e, dovecot)


if __name__ == "__main__":
    sys.exit(main())
