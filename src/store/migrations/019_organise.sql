-- Agents that mark messages and move them.

-- on: an agent may change flags of messages and move them between folders.
-- approve: the operator is asked about each change first.
ALTER TABLE accounts ADD COLUMN organise TEXT NOT NULL DEFAULT 'off'
  CHECK (organise IN ('off', 'approve', 'on'));
