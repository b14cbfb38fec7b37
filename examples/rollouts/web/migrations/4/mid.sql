-- A mistake on purpose: no customer has a country yet.
LOCK TABLE customer IN ACCESS EXCLUSIVE MODE;
ALTER TABLE customer ALTER country SET NOT NULL;
