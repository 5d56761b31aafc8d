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

-- Message-IDs of what was acked or lay at the floor, so that a folder that is
-- numbered anew can be known again.  Newest 10000 a folder.
CREATE TABLE seen_message (
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent.
  principal TEXT NOT NULL,
  -- The folder's name as the server has it.
  folder TEXT NOT NULL,
  -- First 16 bytes of the SHA-256 of the Message-ID.
  message BLOB NOT NULL,
  -- Its uid when it was seen.
  uid INTEGER NOT NULL,
  PRIMARY KEY (account_id, principal, folder, message)
);
