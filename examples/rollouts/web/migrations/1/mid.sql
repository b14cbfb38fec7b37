CREATE TABLE customer (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT NOT NULL);
CREATE FUNCTION customer_checksum(upto BIGINT) RETURNS TEXT LANGUAGE sql AS $$
  SELECT md5(string_agg(id || ' ' || name, E'\n' ORDER BY id)) FROM customer WHERE id <= upto
$$;
UPDATE migration SET last_id = 0, row_count = 0 WHERE version = 1 AND stage = 'mid';
