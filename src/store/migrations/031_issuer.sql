-- The identity provider whose access tokens agents may call with over HTTP: at
-- most one.
CREATE TABLE issuer (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- As it spells itself (RFC 8414), and its tokens do.
  issuer TEXT NOT NULL,
  -- The public address of our server (RFC 9728).
  resource TEXT NOT NULL,
  -- What tokens must be for; null: the resource.
  audience TEXT,
  -- The scopes that they need; null: none.
  scope TEXT,
  -- May a signed token leave out that it is an access token (RFC 9068)?
  any_type INTEGER NOT NULL DEFAULT 0,
  -- Authorities (PEM) for its certificate; null: the system's.
  ca_file TEXT,
  -- The client that asks it about tokens (RFC 7662); null: they are signed.
  client_id TEXT,
  -- That client's secret, sealed.
  enc_client_secret BLOB
);

-- What it said last, for an hour, so that it need not be asked at each call.
CREATE TABLE issuer_kept (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  -- Who said it, and for which setting.
  issuer TEXT NOT NULL,
  -- Its keys (RFC 7517), or where it is asked.
  says TEXT NOT NULL,
  -- When it came, and when it was last asked for (unix milliseconds).
  got_ms INTEGER NOT NULL,
  tried_ms INTEGER NOT NULL,
  -- A MAC under a key of this store: nobody else can put keys here.
  mark TEXT NOT NULL
);

-- The subject of that issuer that an agent is; null: only its token is it.
ALTER TABLE agent ADD COLUMN issuer TEXT;
ALTER TABLE agent ADD COLUMN subject TEXT;
CREATE UNIQUE INDEX agent_subject ON agent (issuer, subject);
