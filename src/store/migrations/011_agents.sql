-- Agents who name themselves by a token, and what each may see.
CREATE TABLE agent (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Its name: the principal of its calls.
  name TEXT NOT NULL UNIQUE,
  -- SHA-256 of its token, hex.  A token is 256 random bits: there is nothing
  -- to guess that salt or a slow hash would have to hide.
  hash TEXT NOT NULL UNIQUE,
  -- The accounts there are for it, as ' home work '; null: all of them.
  accounts TEXT,
  -- The skills it may load, likewise.
  skills TEXT,
  -- The operations on mail it may call, likewise.
  ops TEXT,
  -- When it was added (unix milliseconds).
  made_ms INTEGER NOT NULL
);

-- Sessions of clients that speak a revision of MCP with sessions.
CREATE TABLE mcp_session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- SHA-256 of its id, hex: who has only the database has no session.
  hash TEXT NOT NULL UNIQUE,
  -- Whose it is; without that agent there is none.
  agent_id INTEGER NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
  -- The revision that was agreed on, as '2025-11-25'.
  revision TEXT NOT NULL,
  -- When it was last used (unix milliseconds), to the minute.
  used_ms INTEGER NOT NULL
);

CREATE INDEX mcp_session_agent ON mcp_session (agent_id, used_ms);
