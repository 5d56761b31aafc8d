-- What agents changed of mail that stays, written down before the first
-- command: flags, labels, folders.  store/journal.h

-- Messages that an agent may change in 24 hours; 0: no limit.
ALTER TABLE accounts ADD COLUMN limit_organise INTEGER NOT NULL DEFAULT 2000;
-- Where agents could change mail before, they could without a limit.
UPDATE accounts SET limit_organise = 0 WHERE organise = 'on';

-- One row per call that changes mail.
CREATE TABLE journal (
  -- What agent and operator call it; never used again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- In which account.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent.
  principal TEXT NOT NULL,
  -- The call's row in the audit log; 0: none.
  audit_id INTEGER NOT NULL,
  -- Flags and labels, or another folder.
  kind TEXT NOT NULL CHECK (kind IN ('mark', 'move')),
  -- Where the messages were, in which numbering (0: the store has none), and
  -- where they go.  '': wherever each of them was.
  folder TEXT NOT NULL,
  uidvalidity INTEGER NOT NULL,
  target TEXT NOT NULL,
  target_uidvalidity INTEGER NOT NULL DEFAULT 0,
  -- Flags (enum backend_flag, or-ed) and labels (netstrings) that it sets and
  -- clears.
  flags_set INTEGER NOT NULL,
  flags_clear INTEGER NOT NULL,
  labels_add TEXT NOT NULL,
  labels_drop TEXT NOT NULL,
  -- Its state: store/journal.h.
  state TEXT NOT NULL
    CHECK (state IN ('begun', 'done', 'partly', 'failed', 'undone')),
  -- How many messages it is about.
  messages INTEGER NOT NULL,
  -- When it was written down, and when it last changed (unix seconds).
  created_s INTEGER NOT NULL,
  changed_s INTEGER NOT NULL
);

-- The limit of a day; the purge; what a process that died has left.
CREATE INDEX journal_day ON journal (account_id, principal, created_s);
CREATE INDEX journal_age ON journal (created_s);
CREATE INDEX journal_open ON journal (account_id) WHERE state = 'begun';

-- Its messages.
CREATE TABLE journal_message (
  -- Of which change.
  journal_id INTEGER NOT NULL REFERENCES journal (id) ON DELETE CASCADE,
  -- Its place in the call, from 0.
  place INTEGER NOT NULL,
  -- The store's name for it, and its folder where the change has none.
  uid INTEGER NOT NULL,
  ref TEXT NOT NULL,
  folder TEXT NOT NULL,
  -- By which it is found again: "<...>", or '' without one, and the first 16
  -- bytes of a SHA-256 of its header.
  message_id TEXT NOT NULL,
  digest BLOB NOT NULL,
  -- How it was before.
  flags INTEGER NOT NULL,
  labels TEXT NOT NULL,
  -- What it is called in the target; 0 and '': not known.
  new_uid INTEGER NOT NULL DEFAULT 0,
  new_ref TEXT NOT NULL DEFAULT '',
  -- 1: it was changed.
  done INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (journal_id, place)
) WITHOUT ROWID;
