-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workflow_runs" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "erased_at" TIMESTAMPTZ(3);

-- What upkeep still has to erase. Nearly always empty.
CREATE INDEX "accounts_deleted_at_idx" ON "accounts"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
CREATE INDEX "jobs_deleted_at_idx" ON "jobs"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
CREATE INDEX "uploads_deleted_at_idx" ON "uploads"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
CREATE INDEX "workflow_runs_deleted_at_idx" ON "workflow_runs"("deleted_at") WHERE "deleted_at" IS NOT NULL AND "erased_at" IS NULL;
