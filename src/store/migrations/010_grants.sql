-- The right of a principal to a skill's operations, for a turn or a lease.
CREATE TABLE skill_grant (
  -- What the audit log calls it; never used again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- SHA-256 of its handle, hex: who has only the database has no handle.
  hash TEXT NOT NULL UNIQUE,
  -- Random; with the data key it gives the handle.
  nonce BLOB NOT NULL,
  -- Which agent it belongs to.
  principal TEXT NOT NULL,
  -- The conversation it was made in; '': not known.
  conversation TEXT NOT NULL,
  -- The user's turn it ends with; '': not known.
  turn TEXT NOT NULL,
  -- The skill's name.
  skill TEXT NOT NULL,
  -- The digest of its text then: another text, and it ends.
  digest TEXT NOT NULL,
  -- The ids of the accounts there were, as ' 1 3 '.
  accounts TEXT NOT NULL,
  -- The operations it covers, likewise.
  ops TEXT NOT NULL,
  -- When it was made (unix milliseconds).
  issued_ms INTEGER NOT NULL,
  -- When it ends at the latest.
  expires_ms INTEGER NOT NULL,
  -- How long it may lie unused (milliseconds).
  idle_ms INTEGER NOT NULL,
  -- When it was last used.
  used_ms INTEGER NOT NULL,
  -- Calls it is still good for; -1: any number.
  uses_left INTEGER NOT NULL,
  -- Why it ended: 'expired', 'idle', 'spent', 'changed', 'unloaded',
  -- 'replaced'; null: it did not.
  ended TEXT,
  -- When that was seen (unix milliseconds).
  ended_ms INTEGER
);

-- What is live of a principal.
CREATE INDEX skill_grant_live ON skill_grant (principal, conversation, turn)
  WHERE ended IS NULL;
