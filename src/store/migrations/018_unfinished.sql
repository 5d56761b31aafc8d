-- Mail that is plainly not finished is refused.

-- 1: what has a placeholder in it, speaks of a file that is not there, or was
-- sent a moment ago is refused, unless the call says that it is meant so.
ALTER TABLE accounts ADD COLUMN check_unfinished INTEGER NOT NULL DEFAULT 1;
-- SHA-256 (hex) of the text, the files and whom it went to; null: older rows.
ALTER TABLE outbox ADD COLUMN said TEXT;
