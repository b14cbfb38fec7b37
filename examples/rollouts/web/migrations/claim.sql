-- Stores our token, which only increases. It is committed at once: from now on every older token is refused, even if
-- this hook fails.
BEGIN;
DO $$ BEGIN PERFORM pg_advisory_xact_lock(5); END $$;
CREATE TABLE IF NOT EXISTS schema_state (
  version INT NOT NULL,
  token BIGINT NOT NULL,
  one BOOL PRIMARY KEY DEFAULT true CHECK (one)
);
CREATE TABLE IF NOT EXISTS migration (
  token BIGINT PRIMARY KEY,
  version INT NOT NULL,
  stage TEXT NOT NULL,
  -- For mid: the rows before it, and their checksums before and after it.
  last_id BIGINT,
  row_count BIGINT,
  before TEXT,
  after TEXT
);
INSERT INTO schema_state VALUES (0, 0) ON CONFLICT DO NOTHING;
DO $$
DECLARE
  ours BIGINT := current_setting('shop.token');
  its BIGINT;
BEGIN
  UPDATE schema_state SET token = ours WHERE token < ours;
  IF NOT FOUND THEN
    SELECT token INTO its FROM schema_state;
    RAISE EXCEPTION 'fenced: a runner with the token % was here, and ours is %', its, ours;
  END IF;
END $$;
COMMIT;
