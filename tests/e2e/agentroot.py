# SPDX-License-Identifier: Apache-2.0
"""
A root of agents' mailboxes as the upstream program leaves it: folders, tables
and files of protocol 1, written here without emcli.
"""

import pathlib
import sqlite3
import uuid

INDEX = """
CREATE TABLE mailbox_registrations (registration_id TEXT PRIMARY KEY, address TEXT NOT NULL,
  owner_principal_id TEXT NOT NULL, status TEXT NOT NULL, mailbox_kind TEXT NOT NULL,
  mailbox_path TEXT NOT NULL, mailbox_entry_path TEXT NOT NULL, display_name TEXT,
  manifest_path_hint TEXT, role TEXT, created_at_utc TEXT NOT NULL, deactivated_at_utc TEXT,
  replaced_by_registration_id TEXT);
CREATE UNIQUE INDEX idx_mailbox_registrations_active_address ON mailbox_registrations(address)
  WHERE status = 'active';
CREATE TABLE messages (message_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL, in_reply_to TEXT,
  created_at_utc TEXT NOT NULL, canonical_path TEXT NOT NULL, subject TEXT NOT NULL,
  body_markdown TEXT NOT NULL, headers_json TEXT NOT NULL DEFAULT '{}',
  sender_principal_id TEXT NOT NULL, sender_address TEXT NOT NULL, sender_display_name TEXT,
  sender_manifest_path_hint TEXT, sender_role TEXT, sender_registration_id TEXT);
CREATE TABLE message_recipients (message_id TEXT NOT NULL, recipient_kind TEXT NOT NULL,
  ordinal INTEGER NOT NULL, address TEXT NOT NULL, owner_principal_id TEXT NOT NULL,
  display_name TEXT, manifest_path_hint TEXT, role TEXT, delivered_registration_id TEXT,
  PRIMARY KEY (message_id, recipient_kind, ordinal));
CREATE TABLE attachments (attachment_id TEXT PRIMARY KEY, kind TEXT NOT NULL,
  locator TEXT NOT NULL, media_type TEXT NOT NULL, sha256 TEXT, size_bytes INTEGER, label TEXT);
CREATE TABLE message_attachments (message_id TEXT NOT NULL, attachment_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL, PRIMARY KEY (message_id, attachment_id));
CREATE TABLE mailbox_projections (registration_id TEXT NOT NULL, message_id TEXT NOT NULL,
  folder_name TEXT NOT NULL, projection_path TEXT NOT NULL,
  PRIMARY KEY (registration_id, message_id, folder_name));
CREATE TABLE thread_summaries (thread_id TEXT PRIMARY KEY, normalized_subject TEXT NOT NULL,
  latest_message_id TEXT, latest_message_created_at_utc TEXT,
  unread_count INTEGER NOT NULL DEFAULT 0);
CREATE INDEX idx_messages_thread_id ON messages(thread_id);
CREATE INDEX idx_recipients_address ON message_recipients(address);
"""

BOX = """
CREATE TABLE message_state (message_id TEXT PRIMARY KEY, thread_id TEXT NOT NULL,
  created_at_utc TEXT NOT NULL, subject TEXT NOT NULL, is_read INTEGER NOT NULL DEFAULT 0,
  is_starred INTEGER NOT NULL DEFAULT 0, is_archived INTEGER NOT NULL DEFAULT 0,
  is_deleted INTEGER NOT NULL DEFAULT 0);
CREATE TABLE thread_summaries (thread_id TEXT PRIMARY KEY, normalized_subject TEXT NOT NULL,
  latest_message_id TEXT, latest_message_created_at_utc TEXT,
  unread_count INTEGER NOT NULL DEFAULT 0);
CREATE INDEX idx_message_state_thread_id ON message_state(thread_id);
"""


class Root:
    def __init__(self, path):
        self.path = pathlib.Path(path)
        self.path.mkdir(mode=0o700)
        for name in ("locks/addresses", "messages", "mailboxes", "attachments/managed",
                     "staging", "rules"):
            (self.path / name).mkdir(parents=True)
        (self.path / "protocol-version.txt").write_text("1\n")
        with sqlite3.connect(self.path / "index.sqlite") as db:
            db.executescript(INDEX)
        self.register("HOUMAO-operator@houmao.localhost", role="system_operator")

    def register(self, address, role=None):
        """The address, which is registered now."""
        box = self.path / "mailboxes" / address
        for name in "inbox", "sent", "archive", "drafts":
            (box / name).mkdir(parents=True)
        with sqlite3.connect(box / "mailbox.sqlite") as db:
            db.executescript(BOX)
        local = address.split("@")[0].removeprefix("HOUMAO-")
        with sqlite3.connect(self.path / "index.sqlite") as db:
            db.execute(
                "INSERT INTO mailbox_registrations (registration_id, address,"
                " owner_principal_id, status, mailbox_kind, mailbox_path, mailbox_entry_path,"
                " role, created_at_utc) VALUES (?,?,?,'active','in_root',?,?,?,?)",
                (f"reg-{uuid.uuid4().hex}", address, f"HOUMAO-{local}", str(box), str(box), role,
                 "2026-04-08T10:11:12Z"))
        return address

    def drop(self, sender, to, subject, body, stamp="20260408T101112Z", cc=None, parent=None):
        """A message file without a row, as a process of upstream's leaves one; its id."""
        ident = f"msg-{stamp}-{uuid.uuid4().hex}"
        day = f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}"
        time = f"{day}T{stamp[9:11]}:{stamp[11:13]}:{stamp[13:15]}Z"

        def party(address, dash):
            local = address.split("@")[0]
            return (f"{dash}principal_id: HOUMAO-{local}\n  address: {address}\n"
                    "  display_name: null\n  manifest_path_hint: null\n  role: null\n")

        copies = f"cc:\n{party(cc, '- ')}" if cc else "cc: []\n"
        before = (f"in_reply_to: {parent}\nreferences:\n- {parent}\n" if parent else
                  "in_reply_to: null\nreferences: []\n")
        text = (f"---\nprotocol_version: 1\nmessage_id: {ident}\n"
                f"thread_id: {parent or ident}\n{before}"
                f"created_at_utc: '{time}'\nfrom:\n{party(sender, '  ')}"
                f"to:\n{party(to, '- ')}{copies}reply_to: []\nsubject: '{subject}'\n"
                f"attachments: []\nheaders: {{}}\n---\n\n{body}")
        folder = self.path / "messages" / day
        folder.mkdir(exist_ok=True)
        (folder / f"{ident}.md").write_text(text)
        return ident

    def files(self):
        return sorted(self.path.glob("messages/*/*.md"))
