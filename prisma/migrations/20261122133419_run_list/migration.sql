-- AlterTable
ALTER TABLE "workflow_runs" ADD COLUMN     "warnings" TEXT[];

-- CreateIndex
CREATE INDEX "workflow_runs_account_id_created_at_id_idx" ON "workflow_runs"("account_id", "created_at" DESC, "id" DESC);
