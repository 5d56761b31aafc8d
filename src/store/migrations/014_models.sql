-- The models that `ask` may talk to: the operator's to name.
CREATE TABLE model (
  -- What callers name it by.
  name TEXT PRIMARY KEY NOT NULL,
  -- Where it is: an endpoint of Chat Completions.
  url TEXT NOT NULL,
  -- Its name there.
  id TEXT NOT NULL,
  -- The file with the endpoint's key; null: it wants none.
  key_file TEXT,
  -- Authorities (PEM) for its certificate; null: the system's.
  ca_file TEXT
);
