-- Fails if a server of any version is connected: mid needs that none is.
DO $$
DECLARE
  others TEXT;
BEGIN
  SELECT string_agg(application_name, ', ') INTO others
    FROM pg_stat_activity WHERE application_name LIKE 'web %';
  IF others IS NOT NULL THEN
    RAISE EXCEPTION 'not alone: % connected', others;
  END IF;
END $$;
