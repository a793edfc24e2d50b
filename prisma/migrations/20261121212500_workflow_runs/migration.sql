-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "run_id" TEXT;

-- CreateTable
CREATE TABLE "workflow_runs" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "api_key_id" TEXT,
    "request_id" TEXT NOT NULL,
    "chain" TEXT NOT NULL,
    "media_url" TEXT NOT NULL,
    "media_key" TEXT,
    "media_generation" TEXT,
    "media_name" TEXT,
    "media_seconds" DOUBLE PRECISION NOT NULL,
    "start_seconds" DOUBLE PRECISION,
    "end_seconds" DOUBLE PRECISION,
    "settings" JSONB NOT NULL,
    "limit_micro_usd" BIGINT NOT NULL,
    "error" JSONB,
    "trace_parent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "workflow_runs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "workflow_runs_account_id_ended_at_idx" ON "workflow_runs"("account_id", "ended_at");

-- CreateIndex
CREATE INDEX "workflow_runs_api_key_id_idx" ON "workflow_runs"("api_key_id");

-- CreateIndex
CREATE INDEX "workflow_runs_ended_at_created_at_idx" ON "workflow_runs"("ended_at", "created_at");

-- CreateIndex
CREATE INDEX "jobs_run_id_idx" ON "jobs"("run_id");

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "workflow_runs"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "workflow_runs" ADD CONSTRAINT "workflow_runs_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;
