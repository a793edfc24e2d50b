-- Whether an open job reads an object: upkeep asks before it deletes one. PostgreSQL before 18 would read every job. Only open
-- jobs are in the index.
CREATE INDEX "jobs_media_key_idx" ON "jobs"("media_key") WHERE "ended_at" IS NULL;
