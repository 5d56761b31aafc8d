-- What the operator is to be told of (the setting notify): a row for each thing
-- that waits.  Without that setting there is none.
CREATE TABLE notice (
  -- Never used again: a notice tells of those up to one.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Of what kind: 'held', 'token', 'account', 'audit'.
  kind TEXT NOT NULL,
  -- Of which account; 0: of none.
  account_id INTEGER NOT NULL,
  -- Of 'held' the outbox's row; of 'account' 1 if it cannot send, 0 if it
  -- cannot be read.
  item INTEGER NOT NULL,
  -- Since when (unix seconds).
  since_s INTEGER NOT NULL,
  -- From when on it is to be told; null: not yet.
  ready_s INTEGER,
  -- Has it been told?
  told INTEGER NOT NULL DEFAULT 0,
  UNIQUE (kind, account_id, item)
);

-- The last notice of each kind.
CREATE TABLE notice_told (
  kind TEXT PRIMARY KEY,
  -- When it was begun (unix seconds): at most one in an hour.
  at_s INTEGER NOT NULL,
  -- Why nobody was told; null: somebody was.
  failed TEXT
);
