#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
What a program in Python cannot do without, in a warm process: reading a page of
messages, and one delivery that waits for no disk.  bench/mailbox.py starts it,
and asks for one at a time.

    bench/mailbox_peer.py FOLDER      # then "page ROOT" or "deliver" on its input

It answers with seconds of processor time and seconds by the clock.
"""
import os
import pathlib
import sqlite3
import sys
import time
import uuid

import yaml

INDEX = """
CREATE TABLE IF NOT EXISTS messages (message_id TEXT PRIMARY KEY, thread_id TEXT, created TEXT,
 path TEXT, subject TEXT, body TEXT, sender TEXT);
CREATE TABLE IF NOT EXISTS message_recipients (message_id TEXT, kind TEXT, ordinal INTEGER,
 address TEXT, PRIMARY KEY (message_id, kind, ordinal));
CREATE TABLE IF NOT EXISTS mailbox_projections (registration_id TEXT, message_id TEXT,
 folder TEXT, path TEXT, PRIMARY KEY (registration_id, message_id, folder));
"""
BOX = """
CREATE TABLE IF NOT EXISTS message_state (message_id TEXT PRIMARY KEY, thread_id TEXT,
 created TEXT, subject TEXT, is_read INTEGER);
CREATE TABLE IF NOT EXISTS thread_summaries (thread_id TEXT PRIMARY KEY, subject TEXT,
 latest TEXT, created TEXT, unread INTEGER);
"""


def page(root):
    """The heads of the newest 50."""
    files = sorted(pathlib.Path(root).glob("messages/*/*.md"))[-50:]
    yield
    for f in files:
        head, _, _ = f.read_text().removeprefix("---\n").partition("\n---\n")
        assert yaml.safe_load(head)["message_id"] == f.stem
    yield


class Root:
    """As many files, links and rows as a delivery to one recipient has."""

    def __init__(self, folder):
        self.at = pathlib.Path(folder)
        for name in "staging", "messages", "sent", "inbox":
            (self.at / name).mkdir(parents=True, exist_ok=True)
        self.db = {}
        for name, tables in ("index", INDEX), ("from", BOX), ("to", BOX):
            self.db[name] = sqlite3.connect(self.at / f"{name}.sqlite")
            self.db[name].execute("PRAGMA synchronous = OFF")
            self.db[name].executescript(tables)

    def deliver(self):
        yield
        ident, who = f"msg-{uuid.uuid4().hex}", {"principal_id": "HOUMAO-ci", "address": "ci@h"}
        head = {"protocol_version": 1, "message_id": ident, "thread_id": ident,
                "in_reply_to": None, "references": [], "created_at_utc": "2026-01-01T00:00:00Z",
                "from": who, "to": [dict(who)], "cc": [], "reply_to": [],
                "subject": "One more", "attachments": [], "headers": {}}
        text = f"---\n{yaml.safe_dump(head, sort_keys=False)}---\n\nx\n"
        path = self.at / "messages" / f"{ident}.md"
        (self.at / "staging" / ident).write_text(text)
        os.rename(self.at / "staging" / ident, path)
        for box in "sent", "inbox":
            os.symlink(path, self.at / box / f"{ident}.md")
        with self.db["index"] as db:
            db.execute("INSERT INTO messages VALUES (?,?,?,?,?,?,?)",
                       (ident, ident, "t", str(path), "One more", text, "ci@h"))
            db.execute("INSERT INTO message_recipients VALUES (?,'to',0,?)", (ident, "w@h"))
            db.executemany("INSERT INTO mailbox_projections VALUES (?,?,?,?)",
                           [("a", ident, "sent", "p"), ("b", ident, "inbox", "p")])
        for name in "from", "to":
            with self.db[name] as db:
                db.execute("INSERT INTO message_state VALUES (?,?,?,?,0)",
                           (ident, ident, "t", "One more"))
                db.execute("INSERT INTO thread_summaries VALUES (?,?,?,?,1)",
                           (ident, "one more", ident, "t"))
        yield


def main():
    root = Root(sys.argv[1])
    for line in sys.stdin:
        words = line.split()
        one = page(words[1]) if words[0] == "page" else root.deliver()
        next(one)
        cpu, clock = time.process_time(), time.perf_counter()
        next(one)
        print(time.process_time() - cpu, time.perf_counter() - clock, flush=True)


if __name__ == "__main__":
    main()
