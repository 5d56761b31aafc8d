-- What is stopped until the operator lets it go on.
CREATE TABLE freeze (
  -- Which agent; '' for all of them.
  agent TEXT NOT NULL COLLATE NOCASE,
  -- On which account; 0 for all of them.
  account_id INTEGER NOT NULL,
  -- Why, in the words of whoever did it; may be empty.
  why TEXT NOT NULL,
  -- When (unix seconds).
  at_s INTEGER NOT NULL,
  PRIMARY KEY (agent, account_id)
);

-- Seconds for which a held message was frozen: they do not count towards the
-- end of its approval.
ALTER TABLE outbox ADD COLUMN frozen_s INTEGER NOT NULL DEFAULT 0;
