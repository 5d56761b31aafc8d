-- What some providers' servers want done differently, as switches on the
-- account, so that no code has to know a provider.

-- Whether ID (RFC 2971) is said after the login: 'auto', when the server
-- offers it; 'on', always and before anything else; 'off', never.
ALTER TABLE accounts ADD COLUMN quirk_id TEXT NOT NULL DEFAULT 'auto'
  CHECK (quirk_id IN ('auto', 'on', 'off'));
-- 0: a login never carries its first answer along (RFC 4959, RFC 4954),
-- whatever the server offers.
ALTER TABLE accounts ADD COLUMN quirk_sasl_ir INTEGER NOT NULL DEFAULT 1;
-- 0: the server itself puts what was sent into Sent.
ALTER TABLE accounts ADD COLUMN sent_copy INTEGER NOT NULL DEFAULT 1;
