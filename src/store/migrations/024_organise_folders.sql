-- The only folders in which agents may change mail, and into which they may
-- move it, with commas between their names; null: all.
ALTER TABLE accounts ADD COLUMN organise_folders TEXT;
