-- No pod serves: moves the names of v1 into the new columns, and drops the column that v1 needs.
LOCK TABLE customer IN ACCESS EXCLUSIVE MODE;
UPDATE migration SET (last_id, row_count) = (SELECT coalesce(max(id), 0), count(*) FROM customer)
  WHERE version = 2 AND stage = 'mid';
UPDATE migration SET before = customer_checksum(last_id) WHERE version = 2 AND stage = 'mid';
UPDATE customer SET first_name = split_part(name, ' ', 1), last_name = substr(name, strpos(name, ' ') + 1);
ALTER TABLE customer ALTER first_name SET NOT NULL, ALTER last_name SET NOT NULL, DROP COLUMN name;
CREATE OR REPLACE FUNCTION customer_checksum(upto BIGINT) RETURNS TEXT LANGUAGE sql AS $$
  SELECT md5(string_agg(id || ' ' || first_name || ' ' || last_name, E'\n' ORDER BY id)) FROM customer WHERE id <= upto
$$;
UPDATE migration SET after = customer_checksum(last_id) WHERE version = 2 AND stage = 'mid';
