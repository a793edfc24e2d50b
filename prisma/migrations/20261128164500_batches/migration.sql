-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "caps_all_months" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "metadata" JSONB;

-- AlterTable
ALTER TABLE "workflow_runs" ALTER COLUMN "media_seconds" DROP NOT NULL;

-- CreateTable
CREATE TABLE "batches" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "chain" TEXT NOT NULL,
    "settings" JSONB NOT NULL,
    "metadata" JSONB,
    "limit_micro_usd" BIGINT NOT NULL,
    "file_names" TEXT,
    "taken" JSONB,
    "is_on" BOOLEAN NOT NULL DEFAULT true,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancel_requested_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "batches_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "batch_items" (
    "id" BIGSERIAL NOT NULL,
    "batch_id" TEXT NOT NULL,
    "upload_id" TEXT,
    "media_url" TEXT,
    "run_id" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "batch_items_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "batches_account_id_created_at_id_idx" ON "batches"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "batches_ended_at_idx" ON "batches"("ended_at");

-- CreateIndex
CREATE INDEX "batch_items_batch_id_id_idx" ON "batch_items"("batch_id", "id");

-- CreateIndex
CREATE INDEX "batch_items_upload_id_idx" ON "batch_items"("upload_id");

-- CreateIndex
CREATE UNIQUE INDEX "batch_items_batch_id_upload_id_key" ON "batch_items"("batch_id", "upload_id");

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batches" ADD CONSTRAINT "batches_id_fkey" FOREIGN KEY ("id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_batch_id_fkey" FOREIGN KEY ("batch_id") REFERENCES "batches"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "batch_items" ADD CONSTRAINT "batch_items_upload_id_fkey" FOREIGN KEY ("upload_id") REFERENCES "uploads"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The items that wait, oldest first.
CREATE INDEX "batch_items_waiting_idx" ON "batch_items"("batch_id", "id") WHERE "run_id" IS NULL AND "error" IS NULL;
