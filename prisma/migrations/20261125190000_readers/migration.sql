-- Whether an open run reads an object, or an open job reads an upload as a picture: upkeep and deletions ask. Only open rows are in
-- the indexes.
CREATE INDEX "workflow_runs_media_key_idx" ON "workflow_runs"("media_key") WHERE "ended_at" IS NULL;
CREATE INDEX "jobs_upload_ids_idx" ON "jobs" USING GIN (("settings" -> 'upload_ids') jsonb_path_ops) WHERE "ended_at" IS NULL;
