-- May an agent pass on the mail that it sees, with its attachments?
ALTER TABLE accounts ADD COLUMN forward INTEGER NOT NULL DEFAULT 0;
