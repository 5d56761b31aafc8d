-- What the operator's key stands for beside the audit log.

-- Accounts, policy, agents and settings as the operator's last command left
-- them.  An agent's process never writes it: it has no key for that.
CREATE TABLE signed (
  -- There is one row.
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- When it was written (RFC 3339, UTC).
  ts TEXT NOT NULL,
  -- The rows, by store/signed_rows.c; of sealed values their SHA-256.
  body BLOB NOT NULL,
  -- HMAC-SHA-256 (hex) over the above, by a key derived from the admin key.
  mac TEXT NOT NULL
);
