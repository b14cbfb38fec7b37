-- post: verifies that the rows of the migration are unchanged. Rows that were added since do not matter.
DO $$
DECLARE
  wanted INT := current_setting('shop.version');
  is_version INT;
  done migration;
BEGIN
  SELECT version INTO is_version FROM schema_state;
  SELECT * INTO done FROM migration WHERE version = wanted AND stage = 'mid';
  IF is_version <> wanted OR NOT FOUND THEN
    RAISE EXCEPTION 'the schema is v%, and not v%', is_version, wanted;
  END IF;
  IF done.before IS DISTINCT FROM customer_checksum(done.last_id) THEN
    RAISE EXCEPTION 'the rows up to % are not what they were', done.last_id;
  END IF;
END $$;
