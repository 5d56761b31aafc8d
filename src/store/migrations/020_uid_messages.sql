-- A few changes to a folder's numbering, without reading all of it.

-- A message's number.
CREATE INDEX uid_map_message ON uid_map (folder_id, message);
-- Those that are gone, which are dropped after a time.
CREATE INDEX uid_map_gone ON uid_map (folder_id, gone) WHERE gone <> 0;
