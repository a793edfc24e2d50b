-- Upkeep finds the jobs and runs that ended long ago. Open ones, and erased ones, which stay for ever, are not in the index.
CREATE INDEX "jobs_ended_at_idx" ON "jobs"("ended_at") WHERE "deleted_at" IS NULL AND "ended_at" IS NOT NULL;
CREATE INDEX "workflow_runs_ended_at_idx" ON "workflow_runs"("ended_at") WHERE "deleted_at" IS NULL AND "ended_at" IS NOT NULL;
