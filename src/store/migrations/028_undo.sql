-- Changes of mail that are taken back.  store/journal.h

-- Which change this one takes back; 0: none.
ALTER TABLE journal ADD COLUMN undoes INTEGER NOT NULL DEFAULT 0;
-- The message's place in that change.
ALTER TABLE journal_message ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
-- Of the flags and labels that the change sets and clears, those that it leaves
-- as they are in this message.
ALTER TABLE journal_message ADD COLUMN kept_flags INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal_message ADD COLUMN kept_labels TEXT NOT NULL DEFAULT '';
-- 1: what the change did to it was taken back.
ALTER TABLE journal_message ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;

CREATE INDEX journal_undoes ON journal (undoes) WHERE undoes <> 0;
