-- Accounts as sources of mail: which of them serves an operation.

-- 'none': an account, but no source; 'optional': when it is named; 'preferred':
-- for its rows of account_op alone; 'fallback': behind the primary, in order.
ALTER TABLE accounts ADD COLUMN role TEXT NOT NULL DEFAULT 'none'
  CHECK (role IN ('none', 'optional', 'preferred', 'fallback', 'primary'));
-- Its place in the declared order, from 1; 0: none.
ALTER TABLE accounts ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
-- 1: nothing runs while it is not there.
ALTER TABLE accounts ADD COLUMN mandatory INTEGER NOT NULL DEFAULT 0;

-- There is one primary.
CREATE UNIQUE INDEX accounts_primary ON accounts (role) WHERE role = 'primary';

-- Who is the first choice for an operation, whatever its role: one each.
CREATE TABLE account_op (
  -- The operation: 'read_thread', 'create_draft' and so on.
  op TEXT PRIMARY KEY NOT NULL,
  -- Who.
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE
);
