-- Where an account, seen as a source of mail, has what.

-- The address of its service: JMAP's session or host, Pony Mail's archive.
ALTER TABLE accounts ADD COLUMN url TEXT;
-- The address of the mailing list it is a source of.
ALTER TABLE accounts ADD COLUMN list TEXT;
-- The folders with the list's mail, with drafts, with what was sent; NULL: by
-- their roles on the server.
ALTER TABLE accounts ADD COLUMN list_folder TEXT;
ALTER TABLE accounts ADD COLUMN drafts_folder TEXT;
ALTER TABLE accounts ADD COLUMN sent_folder TEXT;
-- The address of a thread for a person, with <id>, <hash> and <list> in it.
ALTER TABLE accounts ADD COLUMN thread_url TEXT;
