-- The first schema.  Never edited after it landed: its checksum is recorded in
-- every database.  A change is a new file with the next number.

-- The operator's mailboxes.  The enc_ columns are sealed (store/seal.c).
CREATE TABLE accounts (
  -- Never used again after a removal: sealed values are bound to it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- What agents call it.
  name TEXT NOT NULL UNIQUE,
  -- Which driver reads it: 'imap', 'maildir'.
  backend TEXT NOT NULL DEFAULT 'imap',
  -- 'RO' or 'RW'.
  mode TEXT NOT NULL DEFAULT 'RO' CHECK (mode IN ('RO', 'RW')),
  -- How far a message may go: refused, drafted, held for approval, sent.
  outbound TEXT NOT NULL DEFAULT 'send'
    CHECK (outbound IN ('none', 'draft', 'approve', 'send')),
  -- The account's own address.
  from_addr TEXT,
  -- Host name or IP address of the IMAP server.
  imap_host TEXT,
  -- TCP port.
  imap_port INTEGER,
  -- 'tls' or 'starttls'.
  imap_security TEXT,
  -- Host name or IP address of the submission server; null: cannot send.
  smtp_host TEXT,
  -- TCP port.
  smtp_port INTEGER,
  -- 'tls' or 'starttls'.
  smtp_security TEXT,
  -- 'password' or 'oauth2'.
  auth_type TEXT,
  -- Who logs in.
  username TEXT,
  -- Sealed: the password.
  enc_password BLOB,
  -- Sealed: OAuth 2 client id.
  enc_oauth_client_id BLOB,
  -- Sealed: OAuth 2 client secret.
  enc_oauth_client_secret BLOB,
  -- Sealed: OAuth 2 refresh token.
  enc_oauth_refresh_token BLOB,
  -- 1: only senders in whitelist_in are visible.
  whitelist_in_enabled INTEGER NOT NULL DEFAULT 0,
  -- 1: only recipients in whitelist_out may be written to.
  whitelist_out_enabled INTEGER NOT NULL DEFAULT 0,
  -- PCRE2 a subject must match; null or '': no subject rule.
  subject_regex TEXT,
  -- 0: a folder's floor is its highest uid when first met; 1: it is 0.
  process_backlog INTEGER NOT NULL DEFAULT 0,
  -- PEM file of a private CA for this account's servers.
  ca_file TEXT,
  -- Base64 of the SHA-256 of the server key (SPKI) to insist on.
  tls_pin TEXT,
  -- Root folder of a store in the file system.
  path TEXT,
  -- The only folder attachments may be sent from; null: no attachments.
  attach_dir TEXT
);

-- Who may be read from.
CREATE TABLE whitelist_in (
  -- Whose list it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Canonical address, or '@domain'.
  address TEXT NOT NULL,
  PRIMARY KEY (account_id, address)
);

-- Who may be written to.
CREATE TABLE whitelist_out (
  -- Whose list it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Canonical address, or '@domain'.
  address TEXT NOT NULL,
  PRIMARY KEY (account_id, address)
);

-- One row per principal and folder ever met.
CREATE TABLE folder_state (
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent: each has its own seen-set.
  principal TEXT NOT NULL DEFAULT 'agent',
  -- The folder's name as the server has it.
  folder TEXT NOT NULL,
  -- The numbering the floor belongs to (RFC 9051 section 2.3.1.1).
  uidvalidity INTEGER NOT NULL,
  -- Nothing at or below this is ever new.
  floor_uid INTEGER NOT NULL,
  PRIMARY KEY (account_id, principal, folder)
);

-- Uids above the floor that were dealt with.
CREATE TABLE acked (
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Which agent dealt with it.
  principal TEXT NOT NULL DEFAULT 'agent',
  -- The folder's name as the server has it.
  folder TEXT NOT NULL,
  -- The numbering the uid belongs to; the same as in folder_state.
  uidvalidity INTEGER NOT NULL,
  -- The message.
  uid INTEGER NOT NULL,
  PRIMARY KEY (account_id, principal, folder, uid)
);

-- Folders of stores that have no uids of their own, numbered by us.
CREATE TABLE uid_folder (
  -- What uid_map calls it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Whose folder it is.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The folder's name as the store has it.
  folder TEXT NOT NULL,
  -- Made up once, when the folder was first met.
  uidvalidity INTEGER NOT NULL,
  -- The next number to give; never falls.
  uidnext INTEGER NOT NULL,
  UNIQUE (account_id, folder)
);

-- Which number a message of such a folder has.
CREATE TABLE uid_map (
  -- The folder it is in.
  folder_id INTEGER NOT NULL REFERENCES uid_folder (id) ON DELETE CASCADE,
  -- The number agents use.
  uid INTEGER NOT NULL,
  -- The store's own id of the message.
  message TEXT NOT NULL,
  -- 0 while it is there, else when it was first missed (unix seconds).
  gone INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (folder_id, uid)
);

-- Every action, allowed or blocked.
CREATE TABLE audit_log (
  -- Ascending in the order of asking; never used again.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- When it was asked: RFC 3339, UTC, whole seconds.
  ts TEXT NOT NULL,
  -- Who asked: 'operator', or an agent's name.
  principal TEXT NOT NULL DEFAULT 'agent',
  -- The account's name as it was given; null: none.
  account TEXT,
  -- The operation.
  action TEXT NOT NULL,
  -- Folder, uids or recipients.
  target TEXT,
  -- 'allowed' or 'blocked'.
  result TEXT NOT NULL CHECK (result IN ('allowed', 'blocked')),
  -- Why it was blocked.
  reason TEXT,
  -- 'ok' or an error code; null: it never ended.
  outcome TEXT,
  -- The operator's text of an error.
  detail TEXT,
  -- How far it came: 'asked', 'judged', 'done'.
  state TEXT NOT NULL CHECK (state IN ('asked', 'judged', 'done'))
);

-- Purging goes by age.
CREATE INDEX audit_log_ts ON audit_log (ts);

-- What is set once for the whole store.
CREATE TABLE settings (
  -- 'audit_retention_days', 'schema_version', 'dek_wrap_admin',
  -- 'dek_wrap_agent' (base64 of nonce, ciphertext and tag).
  key TEXT PRIMARY KEY NOT NULL,
  -- Text always.
  value TEXT
);

INSERT INTO settings (key, value) VALUES ('audit_retention_days', '90');
