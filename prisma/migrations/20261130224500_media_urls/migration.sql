-- The jobs that have the URL of a job that is erased, and what estimates stored about its media: by hashes, as URLs are too long for an index.
CREATE INDEX "jobs_media_url_idx" ON "jobs"("account_id", hashtextextended("media_url", 0)) WHERE "deleted_at" IS NULL AND "media_key" IS NULL;
CREATE INDEX "probes_media_idx" ON "probes"("account_id", hashtextextended(coalesce("media_key", "media_url"), 0));
