-- What a message was in before it was moved, where a store has it in several
-- folders at once.  store/journal.h

-- The store's own ids (netstrings); '': not known.
ALTER TABLE journal_message ADD COLUMN places TEXT NOT NULL DEFAULT '';
