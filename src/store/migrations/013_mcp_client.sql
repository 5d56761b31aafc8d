-- What a session's client said of itself, for the requests that come after.
-- Its name, as clientInfo has it; empty: it gave none.
ALTER TABLE mcp_session ADD COLUMN client TEXT NOT NULL DEFAULT '';
-- Can it show its user a form?
ALTER TABLE mcp_session ADD COLUMN asks INTEGER NOT NULL DEFAULT 0;
