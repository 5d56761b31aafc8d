# SPDX-License-Identifier: Apache-2.0
"""What bench/store.py measures with: a Maildir, and many rows of a store in PostgreSQL."""
import time

FILL = """
ALTER TABLE audit_log DISABLE TRIGGER USER; ALTER TABLE audit_link DISABLE TRIGGER USER;
INSERT INTO audit_log (id, ts, principal, account, action, target, result, outcome, state)
 SELECT 1000 + i, '%(now)s', 'a' || i %% 1000, 'work', 'list', 'INBOX', 'allowed', 'ok', 'done'
 FROM generate_series(1, %(rows)d) i;
INSERT INTO audit_link (seq, audit_id, mark, row, prev, hash)
 SELECT 1000 + i, 1000 + i, 'done', h, h, h
 FROM generate_series(1, %(rows)d) i, LATERAL (SELECT encode(sha256(i::text::bytea), 'hex') AS h) x;
UPDATE given SET seq = 1000 + %(rows)d WHERE name IN ('audit_log', 'audit_link');
INSERT INTO acked (account_id, principal, folder, uidvalidity, uid)
 SELECT s.account_id, CASE WHEN i < 1000 THEN 'a0' ELSE 'b' || i / 1000 END, s.folder, s.uidvalidity, 2 + i %% 1000
 FROM generate_series(0, %(seen)d - 1) i, folder_state s WHERE s.principal = 'a0';
INSERT INTO seen_message (account_id, principal, folder, message, uid, acked)
 SELECT s.account_id, CASE WHEN i < 1000 THEN 'a0' ELSE 'b' || i / 1000 END, s.folder, substr(sha256(i::text::bytea), 1, 16),
  2 + i %% 1000, 1
 FROM generate_series(0, %(seen)d - 1) i, folder_state s WHERE s.principal = 'a0';
ALTER TABLE audit_log ENABLE TRIGGER USER; ALTER TABLE audit_link ENABLE TRIGGER USER;
"""


def box(path, many):
    for part in "cur", "new", "tmp":
        (path / part).mkdir(parents=True)
    for i in range(many):
        (path / "cur" / f"{1700000000 + i}.M1P1.bench:2,").write_bytes(
            f"From: Sender <s{i % 97}@lab.example>\r\nTo: agent@lab.example\r\n"
            f"Subject: message {i}\r\nDate: Sun, 21 Jun 2026 10:00:00 +0000\r\n"
            f"Message-ID: <m{i}@bench.example>\r\n\r\nwords\r\n".encode())


def rows(audit, seen):
    """SQL that puts them there, the newest of the audit log last.  The log does not verify then."""
    return FILL % {"rows": audit, "seen": seen, "now": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
