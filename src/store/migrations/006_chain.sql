-- What shows that the audit log was touched.

-- A row is marked three times (asked, judged, done); each mark is a link.
CREATE TABLE audit_link (
  -- Ascending without holes, but for what was purged at the begin.
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The row of audit_log it is about.
  audit_id INTEGER NOT NULL,
  -- Which mark it was: 'asked', 'judged', 'done'.  Each comes once, in this
  -- order; a row older than the chain has one link, of its mark then.
  mark TEXT NOT NULL,
  -- SHA-256 (hex) of the row as the mark left it.
  row TEXT NOT NULL,
  -- The link before: its hash; 64 zeros for the first.
  prev TEXT NOT NULL,
  -- SHA-256 (hex) over seq, audit_id, mark, row and prev.
  hash TEXT NOT NULL
);

CREATE INDEX audit_link_row ON audit_link (audit_id, seq);

-- Links the operator's key stands for: what is before one can be purged, but
-- not be changed, and what is there can not be cut off.  All are kept.
CREATE TABLE audit_checkpoint (
  -- 1 and on without holes.
  n INTEGER PRIMARY KEY AUTOINCREMENT,
  -- The newest link then, and its hash.
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  -- The newest row of audit_log then.
  audit_id INTEGER NOT NULL,
  -- When it was signed (RFC 3339, UTC).
  ts TEXT NOT NULL,
  -- How many days rows were kept then; 0: all.
  days INTEGER NOT NULL,
  -- How many of the newest links are of rows older than the chain.
  taken INTEGER NOT NULL,
  -- HMAC-SHA-256 (hex) over the above, by a key derived from the admin key.
  mac TEXT NOT NULL
);

INSERT INTO settings (key, value) VALUES ('audit_syslog', 'off');
