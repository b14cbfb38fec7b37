-- Other queries wait behind a lock request, so it must not wait longer than this.
SET LOCAL lock_timeout = '1s';
-- Verifies that our token is still the highest. A later hook waits for the lock on this row until the transaction ends.
DO $$
DECLARE
  ours BIGINT := current_setting('shop.token');
  its BIGINT;
BEGIN
  SELECT token INTO its FROM schema_state FOR UPDATE;
  IF its <> ours THEN
    RAISE EXCEPTION 'fenced: a runner with the token % was here, and ours is %', its, ours;
  END IF;
END $$;
INSERT INTO migration (token, version, stage)
VALUES (current_setting('shop.token')::BIGINT, current_setting('shop.version')::INT, current_setting('shop.stage'));
