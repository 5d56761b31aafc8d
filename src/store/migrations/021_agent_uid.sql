-- Users of this machine whose processes are an agent: the broker goes by them.
CREATE TABLE agent_uid (
  agent_id INTEGER NOT NULL REFERENCES agent (id) ON DELETE CASCADE,
  -- The user's number.
  uid INTEGER NOT NULL,
  PRIMARY KEY (agent_id, uid)
);

CREATE INDEX agent_uid_uid ON agent_uid (uid);
