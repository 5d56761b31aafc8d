-- Who a sender really is (RFC 8601, RFC 6376).

-- What a message of this sender must show: 'none', nothing; 'dmarc', that it
-- was authenticated for the domain in its From.
ALTER TABLE whitelist_in ADD COLUMN auth TEXT NOT NULL DEFAULT 'none'
  CHECK (auth IN ('none', 'dmarc'));
-- Whose Authentication-Results are believed (RFC 8601 section 2.5); null:
-- nobody's, and DKIM signatures are verified here.
ALTER TABLE accounts ADD COLUMN authserv_id TEXT;
