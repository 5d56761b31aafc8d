-- Changes of mail that wait for the operator: rows of the outbox with no
-- recipients, whose bytes name the messages.  So the operator has one queue,
-- and agents one limit of what waits.

CREATE TABLE outbox_change (
  -- Which row of the outbox.
  outbox_id INTEGER PRIMARY KEY REFERENCES outbox (id) ON DELETE CASCADE,
  -- What would be done: as in the table journal.
  kind TEXT NOT NULL CHECK (kind IN ('mark', 'move')),
  folder TEXT NOT NULL,
  uidvalidity INTEGER NOT NULL,
  target TEXT NOT NULL,
  flags_set INTEGER NOT NULL,
  flags_clear INTEGER NOT NULL,
  labels_add TEXT NOT NULL,
  labels_drop TEXT NOT NULL,
  -- To how many messages.
  messages INTEGER NOT NULL,
  -- The change that it became when it was released; 0: none.
  journal_id INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX outbox_change_made ON outbox_change (journal_id);
