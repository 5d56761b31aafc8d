-- Whether a folder's numbering is still that of its mail.

-- A digest of the listing that was numbered last; NULL: it has none.
ALTER TABLE uid_folder ADD COLUMN listing TEXT;
