-- Expand: v1 goes on serving, and knows nothing of them.
ALTER TABLE customer ADD COLUMN IF NOT EXISTS first_name TEXT, ADD COLUMN IF NOT EXISTS last_name TEXT;
