# SPDX-License-Identifier: Apache-2.0
"""The program of a setting notify, and what it was told."""

import json
import sqlite3
import time

HOUR = 3600


class Told:
    """A program of the operator's that keeps what it is told; and the store's clock."""

    def __init__(self, emcli, folder):
        self.emcli, self.folder = emcli, folder
        folder.mkdir(exist_ok=True)
        self.program = self.write("tell", f"""
            umask 022
            n={folder}/$$
            cat > $n.part
            env > $n.env
            printf '%s\\n' "$@" > $n.argv
            mv $n.part $n.json""")

    def write(self, name, text):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return path

    def set(self, *words):
        return self.emcli.admin("config", "set", "notify", " ".join(map(str, words)))

    def on(self, *words):
        r = self.set(*(words or (self.program,)))
        assert r.rc == 0, str(r)

    def files(self, kind="json"):
        return sorted(self.folder.glob("*." + kind), key=lambda p: p.stat().st_mtime_ns)

    def all(self, n):
        """What it was told, as soon as that is so many."""
        until(lambda: len(self.files()) >= n)
        said = [json.loads(p.read_text()) for p in self.files()]
        assert len(said) == n, said
        return said

    def sql(self, text, *values):
        db = sqlite3.connect(self.emcli.db, timeout=20)
        with db:
            rows = db.execute(text, values).fetchall()
        db.close()
        return rows

    def later(self, seconds=HOUR):
        """So much time passes, for what waits and what was told."""
        self.settled()
        self.sql("UPDATE notice SET since_s = since_s - ?1, ready_s = ready_s - ?1", seconds)
        self.sql("UPDATE notice_told SET at_s = at_s - ?", seconds)

    def settled(self):
        """Nobody is giving a notice."""
        until(lambda: not self.sql("SELECT 1 FROM notice_told WHERE failed = 'it was not finished'"))

    def waits(self):
        return self.sql("SELECT kind, told FROM notice ORDER BY id")

    def failed(self, n=1):
        """What the operator hears of notices that were not given."""
        self.settled()
        until(lambda: len(self.failures()) == n)
        return self.failures()

    def failures(self):
        r = self.emcli.admin("doctor", "--json")
        return [c for c in r.json["data"]["checks"] if c["check"] == "notify" and not c["ok"]]

    def log(self):
        rows = self.emcli.admin("audit", "list", "--action", "notice", "--json").json["audit"]
        return [(r["principal"], r["target"], r["outcome"]) for r in reversed(rows)]


def until(so):
    end = time.monotonic() + 60
    while not so():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
