-- A mistake: nobody has said yet where the customers live.
LOCK TABLE customer IN ACCESS EXCLUSIVE MODE;
ALTER TABLE customer ALTER country SET NOT NULL;
