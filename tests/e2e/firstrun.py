# SPDX-License-Identifier: Apache-2.0
"""A first run from an empty home, for the tests of emcli init."""

import sqlite3

import pytest

import cli
import servers
import tui

KEY = r"[A-Za-z0-9+/]{43}="
ADDRESS = servers.address("agent")
PASSWORD = servers.password("agent")


class First(cli.Emcli):
    """An empty home, and the ways to begin in it."""

    def __init__(self, folder):
        super().__init__(folder)
        self.db = self.folder / ".config" / "emcli" / "emcli.db"

    def env(self, **more):
        return self.environment(EMCLI_DB=None, **{"TERM": "xterm-256color", **more})

    def screen(self, *argv, size=(80, 24), **env):
        for name in "status", "pid", "tmux":
            (self.folder.parent / name).unlink(missing_ok=True)
        return tui.Screen([self.binary, "init", *argv], self.env(**env),
                          self.folder.parent, size)

    def take_keys(self, screen):
        """What a person would put into a password store."""
        self.admin_key = screen.wait(rf"EMCLI_ADMIN_KEY +({KEY})").group(1)
        self.agent_key = screen.wait(rf"EMCLI_KEY +({KEY})").group(1)
        assert self.admin_key != self.agent_key

    def nothing(self):
        return [p for p in self.folder.rglob("*") if p.is_file()] == []

    def rows(self):
        """All that was said about accounts, without what is sealed."""
        db = sqlite3.connect(self.db)
        db.row_factory = sqlite3.Row
        accounts = [{k: r[k] for k in r.keys() if not k.startswith("enc_")}
                    for r in db.execute("select * from accounts order by name")]
        lists = [db.execute(f"select address from whitelist_{w} order by 1").fetchall()
                 for w in ("in", "out")]
        audit = db.execute("select principal, account, action, result, outcome "
                           "from audit_log order by id").fetchall()
        db.close()
        return accounts, [[tuple(r) for r in x] for x in lists], [tuple(r) for r in audit]

    def healthy(self, name="lab"):
        r = self.run("doctor", "--account", name, env={"EMCLI_DB": str(self.db)})
        return r.data["ok"] is True


def keys(first):
    return {"EMCLI_KEY": first.agent_key, "EMCLI_ADMIN_KEY": first.admin_key}


@pytest.fixture
def first(tmp_path):
    return First(tmp_path / "home")


def to_who(first, s):
    """Over the keys."""
    s.wait("Make the keys now")
    s.press("Enter")
    first.take_keys(s)
    s.press("Enter")
    s.wait("Mail address")


def to_servers(s, address=ADDRESS):
    s.type(address)
    s.press("Enter")
    s.wait("IMAP server")


def to_login(dovecot, s):
    s.type(f"localhost:{dovecot.imaps}")
    s.fill("Private CA file", dovecot.ca)
    s.press("Enter")
    s.wait("Only listed senders")
    s.press("Enter")
    s.wait("User name")


def finish(s, password=PASSWORD):
    s.type(password)
    s.press("Enter")
    s.wait("Write it down")
    s.press("Enter")
    return s.end()


def plain(first, dovecot, s, wrong=False, answers=()):
    s.wait(r"Make the keys now \(yes\|no\) \[yes\]:$")
    s.press("Enter")
    first.take_keys(s)
    s.wait(r"They are put away .*:$")
    s.press("Enter")
    for question, answer in [
            ("Mail is kept by", ""), ("Mail address", ADDRESS), ("Account name", ""),
            ("Agents may", ""), ("IMAP server", f"localhost:{dovecot.imaps}"),
            ("IMAP port", ""), ("IMAP security", ""), ("Sign in with", ""),
            ("Private CA file", dovecot.ca), ("Only listed senders", ""),
            ("Listed senders", ""), ("User name", "")]:
        s.wait(rf"{question}[^\n]*:$")
        s.type(answer)
        s.press("Enter")
    for secret in (["wrong"] if wrong else []) + [PASSWORD]:
        s.wait(r"Password \(not shown[^\n]*\):$")
        s.type(secret)
        s.press("Enter")
        if secret == "wrong":
            s.wait(r"! imap.login: the server refused[\s\S]*User name[^\n]*:$")
            s.press("Enter")
    s.wait(r"imap.login +ok[\s\S]*Write it down[^\n]*:$")
    assert first.nothing()
    s.press("Enter")
    assert s.end() == 0
    after = s.text(history=True)
    assert PASSWORD not in after and "wrong\n" not in after


def flags(first, dovecot, *more, stdin=PASSWORD, env=None):
    return first.admin("init", "--from", ADDRESS, "--imap-host", "localhost",
                       "--imap-port", dovecot.imaps, "--ca", dovecot.ca,
                       "--password-stdin", *more, stdin=stdin,
                       env={"EMCLI_DB": str(first.db), **(env or {})})
