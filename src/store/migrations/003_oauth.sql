-- Where an account's tokens come from.  The client and the refresh token are
-- sealed in columns of the first schema; access tokens are kept nowhere.

-- An entry of our own table of providers ('google', 'microsoft'); null: none.
ALTER TABLE accounts ADD COLUMN oauth_provider TEXT;
-- The provider's issuer (RFC 8414), when its endpoints were found by it.
ALTER TABLE accounts ADD COLUMN oauth_issuer TEXT;
-- Its token endpoint, found with the issuer; null: the table's.
ALTER TABLE accounts ADD COLUMN oauth_token_url TEXT;
-- How the client logs in there (RFC 6749 section 2.3.1): 'basic', by HTTP;
-- 'form', within the request.
ALTER TABLE accounts ADD COLUMN oauth_login TEXT
  CHECK (oauth_login IN ('basic', 'form'));
-- What was asked for (RFC 6749 section 3.3); null: what the table says.
ALTER TABLE accounts ADD COLUMN oauth_scope TEXT;
-- When somebody consented (unix seconds); 0: never.
ALTER TABLE accounts ADD COLUMN oauth_consent_s INTEGER NOT NULL DEFAULT 0;
-- When a token was last refreshed (unix seconds); 0: never.
ALTER TABLE accounts ADD COLUMN oauth_refresh_s INTEGER NOT NULL DEFAULT 0;
