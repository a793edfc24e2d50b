-- Waits listen for the end of their key. Dropping the column drops its index.
ALTER TABLE "open_waits" DROP COLUMN "key_id";
