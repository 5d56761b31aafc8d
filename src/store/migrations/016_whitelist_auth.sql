-- Whom a listed sender is believed to be, where nobody says otherwise.

-- What an entry that is added to whitelist_in shows when none is named:
-- whitelist_in.auth.  A store that was there goes on as it was.
ALTER TABLE accounts ADD COLUMN whitelist_auth TEXT NOT NULL DEFAULT 'none'
  CHECK (whitelist_auth IN ('none', 'dmarc'));
