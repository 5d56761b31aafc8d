-- What leaves, written down before its first octet goes out.

-- How far an account's messages may go, beside its outbound level.
-- 'thread': only replies, to people of the thread; 'any': whoever may be
-- written to.
ALTER TABLE accounts ADD COLUMN scope TEXT NOT NULL DEFAULT 'any'
  CHECK (scope IN ('any', 'thread'));
-- Minutes for which an agent that read mail of an unauthenticated sender needs
-- approval for what it sends; 0: never for that.
ALTER TABLE accounts ADD COLUMN taint_minutes INTEGER NOT NULL DEFAULT 0;
-- 1: a message that seems to carry a secret is held for approval.
ALTER TABLE accounts ADD COLUMN secrets_check INTEGER NOT NULL DEFAULT 1;
-- Limits for each agent; 0: none.  In any 24 hours: messages, people never
-- written to before, bytes.
ALTER TABLE accounts ADD COLUMN limit_messages INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN limit_new_recipients INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN limit_bytes INTEGER NOT NULL DEFAULT 0;
-- Of one message.
ALTER TABLE accounts ADD COLUMN limit_recipients INTEGER NOT NULL DEFAULT 0;

-- One row per message that was to leave.
CREATE TABLE outbox (
  -- What agent and operator call it; never used again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Through which account.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent.
  principal TEXT NOT NULL,
  -- The caller's name for this send; null: none.
  idempotency_key TEXT,
  -- SHA-256 (hex) of what the caller asked for: the same key with another
  -- request is a mistake.
  request TEXT NOT NULL,
  -- "<...>": what the operator looks for in Sent.
  message_id TEXT NOT NULL,
  -- The envelope's sender (RFC 5321 section 3.3).
  sender TEXT NOT NULL,
  -- 1: the envelope needs RFC 6531.
  smtputf8 INTEGER NOT NULL DEFAULT 0,
  -- How many bytes it has.
  bytes INTEGER NOT NULL,
  -- SHA-256 (hex) of account, envelope and bytes: what is approved.
  digest TEXT NOT NULL,
  -- SHA-256 (hex) of the policy it was judged by.
  policy TEXT NOT NULL,
  -- Where it stands: store/outbox.h.
  state TEXT NOT NULL CHECK (state IN ('held', 'denied', 'expired', 'sending',
    'sent', 'rejected', 'failed', 'unknown_outcome')),
  -- Why it is or was held: 'approval', 'taint', 'secret'; null: never was.
  reason TEXT,
  -- The copy in Sent: 'none' wanted or due yet, 'saved', 'failed'.
  copy TEXT NOT NULL DEFAULT 'none'
    CHECK (copy IN ('none', 'saved', 'failed')),
  -- When it was written down, when it last changed, until when an approval
  -- may still release it (unix seconds; 0: no approval asked).
  created_s INTEGER NOT NULL,
  changed_s INTEGER NOT NULL,
  expires_s INTEGER NOT NULL DEFAULT 0,
  -- The exact bytes; null when they are no longer needed.  Last, so that the
  -- columns before it are read without it.
  message BLOB,
  UNIQUE (account_id, principal, idempotency_key)
);

-- The limits of a day; the purge; what may have changed without anybody's doing.
CREATE INDEX outbox_day ON outbox (account_id, principal, created_s);
CREATE INDEX outbox_age ON outbox (created_s);
CREATE INDEX outbox_open ON outbox (state)
  WHERE state IN ('held', 'sending');
CREATE INDEX outbox_message ON outbox (account_id, message_id);

-- The envelope's recipients.
CREATE TABLE outbox_recipient (
  -- Of which message.
  outbox_id INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
  -- Its place in the envelope, from 0.
  place INTEGER NOT NULL,
  -- The address as the wire has it.
  address TEXT NOT NULL,
  -- The form policy compares.
  canonical TEXT NOT NULL,
  -- The server's answer: SMTP code (0: never asked) and words.
  code INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (outbox_id, place)
);

-- Whom an account ever wrote to: the others are new.
CREATE TABLE correspondent (
  -- Which account.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Canonical address.
  address TEXT NOT NULL,
  -- When first (unix seconds).
  first_s INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
);

-- When an agent last read mail of a sender who was not authenticated.
CREATE TABLE taint (
  -- Which agent.
  principal TEXT PRIMARY KEY NOT NULL,
  -- Unix seconds.
  read_s INTEGER NOT NULL
);

-- Words the operator planted: what carries one is held.
CREATE TABLE canary (
  -- The word, as it stands; at least 8 bytes.
  word TEXT PRIMARY KEY NOT NULL
);
