-- Messages that one of several workers of an agent has taken for a while.
CREATE TABLE claim (
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent's seen-set.
  principal TEXT NOT NULL,
  -- The folder's name as the server has it.
  folder TEXT NOT NULL,
  -- The numbering the uid belongs to.
  uidvalidity INTEGER NOT NULL,
  -- The message.
  uid INTEGER NOT NULL,
  -- The lease's end (unix milliseconds).
  until_ms INTEGER NOT NULL,
  PRIMARY KEY (account_id, principal, folder, uid)
);

-- What was acked, or lay newest at the floor when the folder was first met, so
-- that messages can be known again when it is numbered anew.  Newest 10000 a
-- folder.
CREATE TABLE seen_message (
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent.
  principal TEXT NOT NULL,
  -- The folder's name as the server has it.
  folder TEXT NOT NULL,
  -- First 16 bytes of the SHA-256 of Message-ID, sender and date.
  message BLOB NOT NULL,
  -- Its uid when it was seen; 0: not found again after a renumbering.
  uid INTEGER NOT NULL,
  -- 1: the agent acked it; 0: it lay at the floor.
  acked INTEGER NOT NULL,
  PRIMARY KEY (account_id, principal, folder, message)
);

CREATE INDEX seen_message_uid
  ON seen_message (account_id, principal, folder, uid);
