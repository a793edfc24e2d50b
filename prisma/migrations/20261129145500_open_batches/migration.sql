-- The batches that have not ended, and the directives, which never end: few of many, read with each item that starts.
CREATE INDEX "batches_open_idx" ON "batches"("account_id") WHERE "ended_at" IS NULL;
