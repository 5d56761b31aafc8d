#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""
Fills a mailbox root quickly: files and rows as a delivery leaves them, written
here without emcli.

    bench/mailbox_make.py ROOT ADDRESS COUNT

ROOT is a root that exists, and ADDRESS is registered in it.
"""
import datetime
import os
import pathlib
import sqlite3
import sys
import uuid

FRONT = """---
protocol_version: 1
message_id: {id}
thread_id: {id}
in_reply_to: null
references: []
created_at_utc: '{created}'
from:
  principal_id: {owner}
  address: {address}
  display_name: null
  manifest_path_hint: null
  role: null
to:
- principal_id: {owner}
  address: {address}
  display_name: null
  manifest_path_hint: null
  role: null
cc: []
reply_to: []
subject: 'Build failed: step {i}'
attachments: []
headers: {{}}
---

{body}
"""
BODY = "The tests of the gate do not pass; look at the log of this step. " * 12
A_DAY = 1000  # messages


def messages(n):
    """Ids and times, a minute apart, the newest last."""
    start = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    for i in range(n):
        t = start + datetime.timedelta(days=i // A_DAY, minutes=i % A_DAY)
        yield i, f"msg-{t:%Y%m%dT%H%M%SZ}-{uuid.uuid4().hex}", f"{t:%Y-%m-%dT%H:%M:%SZ}"


def fill(root, address, n):
    """That many messages in the inbox of that address, from itself; all but some are read."""
    root = pathlib.Path(root).resolve()
    index = sqlite3.connect(root / "index.sqlite")
    box = sqlite3.connect(root / "mailboxes" / address / "mailbox.sqlite")
    for db in index, box:
        db.execute("PRAGMA synchronous = OFF")
    [(reg, owner)] = index.execute(
        "SELECT registration_id, owner_principal_id FROM mailbox_registrations"
        " WHERE address = ? AND status = 'active'", (address,)).fetchall()
    for i, ident, created in messages(n):
        day = root / "messages" / created[:10]
        day.mkdir(mode=0o700, exist_ok=True)
        path, link = day / f"{ident}.md", root / "mailboxes" / address / "inbox" / f"{ident}.md"
        text = FRONT.format(id=ident, created=created, address=address, owner=owner, i=i,
                            body=BODY)
        path.write_text(text)
        os.symlink(path, link)
        index.execute(
            "INSERT INTO messages (message_id, thread_id, created_at_utc, canonical_path, subject,"
            " body_markdown, sender_principal_id, sender_address, sender_registration_id)"
            " VALUES (?,?,?,?,?,?,?,?,?)",
            (ident, ident, created, str(path), f"Build failed: step {i}", text, owner, address,
             reg))
        index.execute(
            "INSERT INTO message_recipients (message_id, recipient_kind, ordinal, address,"
            " owner_principal_id, delivered_registration_id) VALUES (?,'to',0,?,?,?)",
            (ident, address, owner, reg))
        index.execute("INSERT INTO mailbox_projections VALUES (?,?,'inbox',?)",
                      (reg, ident, str(link)))
        box.execute("INSERT INTO message_state (message_id, thread_id, created_at_utc, subject,"
                    " is_read) VALUES (?,?,?,?,?)",
                    (ident, ident, created, f"Build failed: step {i}", i % 100 != 99))
        box.execute("INSERT INTO thread_summaries VALUES (?,?,?,?,?)",
                    (ident, f"build failed: step {i}", ident, created, i % 100 == 99))
    for db in index, box:
        db.commit()
        db.close()


if __name__ == "__main__":
    fill(sys.argv[1], sys.argv[2], int(sys.argv[3]))
