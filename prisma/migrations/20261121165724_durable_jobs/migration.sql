-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "admitted_at" TIMESTAMPTZ(3),
ADD COLUMN     "media_name" TEXT,
ADD COLUMN     "trace_parent" TEXT;

-- CreateTable
CREATE TABLE "staged_folders" (
    "folder" TEXT NOT NULL,
    "job_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "staged_folders_pkey" PRIMARY KEY ("folder")
);

-- CreateIndex
CREATE INDEX "staged_folders_job_id_idx" ON "staged_folders"("job_id");

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- CreateIndex
CREATE INDEX "jobs_account_id_ended_at_admitted_at_created_at_idx" ON "jobs"("account_id", "ended_at", "admitted_at", "created_at");

-- CreateIndex
CREATE INDEX "outputs_created_at_idx" ON "outputs"("created_at");

-- CreateIndex
CREATE INDEX "uploads_expires_at_idx" ON "uploads"("expires_at");

-- AddForeignKey
ALTER TABLE "staged_folders" ADD CONSTRAINT "staged_folders_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- Jobs from before were all started at once.
UPDATE "jobs" SET "admitted_at" = "created_at" WHERE "ended_at" IS NULL;
