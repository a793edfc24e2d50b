-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "given_settings" TEXT[],
ADD COLUMN     "metadata" JSONB;

-- AlterTable
ALTER TABLE "workflow_runs" ADD COLUMN     "metadata" JSONB;

-- CreateIndex
CREATE INDEX "jobs_account_id_endpoint_created_at_id_idx" ON "jobs"("account_id", "endpoint", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_account_id_status_created_at_id_idx" ON "jobs"("account_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_account_id_media_name_created_at_id_idx" ON "jobs"("account_id", "media_name", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "jobs_metadata_idx" ON "jobs" USING GIN ("metadata" jsonb_path_ops);

-- CreateIndex
CREATE INDEX "workflow_runs_account_id_media_name_created_at_id_idx" ON "workflow_runs"("account_id", "media_name", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "workflow_runs_metadata_idx" ON "workflow_runs" USING GIN ("metadata" jsonb_path_ops);
