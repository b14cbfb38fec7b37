-- Expand: v1 continues to serve, and ignores the new columns.
ALTER TABLE customer ADD COLUMN IF NOT EXISTS first_name TEXT, ADD COLUMN IF NOT EXISTS last_name TEXT;
