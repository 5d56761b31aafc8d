-- Does what is sent also have its text as HTML, which emcli makes?
ALTER TABLE accounts ADD COLUMN html_copy INTEGER NOT NULL DEFAULT 0;
