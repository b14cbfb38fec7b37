-- If two customers have the same name, the unique index fails, and the transaction is rolled back.
LOCK TABLE customer IN ACCESS EXCLUSIVE MODE;
UPDATE migration SET (last_id, row_count) = (SELECT coalesce(max(id), 0), count(*) FROM customer)
  WHERE version = 3 AND stage = 'mid';
UPDATE migration SET before = customer_checksum(last_id) WHERE version = 3 AND stage = 'mid';
UPDATE customer SET handle = lower(replace(first_name || ' ' || last_name, ' ', '.'));
ALTER TABLE customer ALTER handle SET NOT NULL;
CREATE UNIQUE INDEX customer_handle ON customer (handle);
UPDATE migration SET after = customer_checksum(last_id) WHERE version = 3 AND stage = 'mid';
