# SPDX-License-Identifier: Apache-2.0
"""One installation of emcli in a folder of its own, and what it was seen to do."""

import json
import pathlib
import shlex
import shutil
import sqlite3
import subprocess
import tempfile

import words

AGENT_KEY, ADMIN_KEY, WRONG_KEY = words.key(1), words.key(2), words.key(3)

# Who asks, and with which keys.
WHO = {
    "operator": (AGENT_KEY, ADMIN_KEY),
    "admin": (None, ADMIN_KEY),
    "agent": (AGENT_KEY, None),
    "nobody": (None, None),
    "stranger": (AGENT_KEY, WRONG_KEY),  # the admin key of another store
    "outsider": (WRONG_KEY, None),       # the agents' key of another store
}

DEADLINE_S = 120

# Columns that no two runs agree on, by any rule of words.py.
UNSTABLE = {"mac", "nonce"}


class World:
    """Commands are run in it one after another; log is what was seen."""

    def __init__(self, binary, init=True):
        # The name has a fixed length: tables are as wide as what is in them.
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="emcli-golden-", dir="/tmp"))
        self.binary = str(binary)
        self.db = self.home / "store" / "emcli.db"
        self.log = []
        self.rows = 0
        self.values = {}
        self.known = [(str(self.home), "<home>"), (str(binary), "<emcli>")]
        if init:
            self.set_up()

    # A store as "emcli init" makes it, by binary; its keys are always the same.
    made = {}

    def set_up(self):
        if self.binary not in World.made:
            self.call(["init"], self.environment("operator"))
            World.made[self.binary] = self.db.read_bytes()
        else:
            self.db.parent.mkdir(mode=0o700)
            self.db.touch(mode=0o600)
            self.db.write_bytes(World.made[self.binary])

    def close(self):
        shutil.rmtree(self.home)

    def environment(self, who="operator", **more):
        agent, admin = WHO.get(who, WHO["agent"])
        env = {"PATH": "/usr/bin:/bin", "HOME": str(self.home), "TZ": "UTC", "LC_ALL": "C.UTF-8",
               "COLUMNS": "80", "LINES": "24", "TERM": "dumb", "NO_COLOR": "1",
               # Whatever broker there is on the machine.
               "EMCLI_SOCKET": "none",
               "EMCLI_DB": str(self.db), "EMCLI_KEY": agent, "EMCLI_ADMIN_KEY": admin,
               "EMCLI_AGENT": who if who not in WHO else None}
        env.update(more)
        return {k: v for k, v in env.items() if v is not None}

    def call(self, argv, env, stdin=b""):
        return subprocess.run([self.binary, *argv], env=env, input=stdin, cwd=self.home,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=DEADLINE_S)

    def say(self, text):
        self.log.append(text)

    def fixed(self, text):
        return words.fixed(text, self.known)

    def block(self, name, data):
        return words.block(name, data, self.known)

    def run(self, who, argv, stdin=b"", told=True, **env):
        """One observation: the call, its status, what it said, what was recorded."""
        argv = [str(a) for a in argv]
        done = self.call(argv, self.environment(who, **env), stdin)
        given = "".join(f" {k}={shlex.quote(v)}" for k, v in env.items() if v is not None)
        line = self.fixed(f"{who}${given} emcli {shlex.join(argv)}")
        text = f"{line}\n"
        if stdin and told:
            text += self.block("stdin", stdin)
        text += f"-- status {done.returncode}\n"
        text += self.block("stdout", done.stdout) + self.block("stderr", done.stderr)
        self.say(text + self.audited() + "\n")
        self.remember(done.stdout)
        return done

    def audited(self):
        """The rows of the audit log since the last look."""
        if not self.db.exists():
            return ""
        try:
            with sqlite3.connect(f"file:{self.db}?mode=ro", uri=True) as db:
                got = db.execute("SELECT * FROM audit_log WHERE id > ? ORDER BY id", (self.rows,))
                names = [c[0] for c in got.description]
                rows = got.fetchall()
            db.close()
        except sqlite3.Error:
            return ""
        text = ""
        for row in rows:
            self.rows = row[0]
            told = [f"{n}={v!r}" for n, v in zip(names, row)
                    if n not in ("id", "ts") and v is not None]
            text += self.fixed("-- audit " + " ".join(told)) + "\n"
        return text

    def remember(self, stdout):
        """The newest value of each member, for a scene to name as $member."""
        def walk(value):
            if isinstance(value, dict):
                for k, v in value.items():
                    walk(v)
                    if isinstance(v, (str, int)):
                        self.values[k] = str(v)
            elif isinstance(value, list):
                for v in reversed(value):
                    walk(v)
        try:
            walk(json.loads(stdout))
        except ValueError:
            pass

    def tables(self):
        """All rows of all tables."""
        with sqlite3.connect(f"file:{self.db}?mode=ro", uri=True) as db:
            names = [r[0] for r in db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
            for name in names:
                got = db.execute(f"SELECT * FROM {name} ORDER BY rowid"
                                 if name not in without_rowid(db) else f"SELECT * FROM {name}")
                columns = [c[0] for c in got.description]
                self.say(f"table {name}\n")
                for row in got:
                    if str(row[0]).startswith("dek_wrap"):  # a sealed key
                        row = row[:1]
                    told = [f"{c}={value(v)}" for c, v in zip(columns, row)
                            if c not in UNSTABLE and v is not None]
                    self.say(self.fixed("  " + " ".join(told)) + "\n")
        db.close()

    def tree(self, folder):
        """All files below it: modes, names and, of texts, bytes."""
        for path in sorted(pathlib.Path(folder).rglob("*")):
            mode = oct(path.stat().st_mode & 0o777)[2:]
            self.say(self.fixed(f"{mode} {path}{'/' if path.is_dir() else ''}") + "\n")
            if path.is_file() and b"\0" not in path.read_bytes():
                self.say(self.block("bytes", path.read_bytes()))


def without_rowid(db):
    return {r[0] for r in db.execute(
        "SELECT name FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'")}


def value(v):
    """Sealed values are told by their length alone."""
    if not isinstance(v, bytes):
        return repr(v)
    text = words.decoded(v)
    return repr(text) if text.isprintable() else f"<{len(v)} bytes>"
