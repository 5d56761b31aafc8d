-- 1: an agent's own mailbox, which a session of it registered; 0: a person's;
-- null: an account older than this mark, which is judged by what sessions gave
-- theirs (gate/mailbox_bound.c).
ALTER TABLE accounts ADD COLUMN bound INTEGER;
