-- Whoever asks for a lock makes all others wait behind it: no longer than this.
SET LOCAL lock_timeout = '1s';
-- Still the newest, and until the end of this transaction: a newer one waits for the row.
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
