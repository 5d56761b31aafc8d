-- The text below what is sent from the account, after a line "-- "; null: none.
ALTER TABLE accounts ADD COLUMN signature TEXT;
