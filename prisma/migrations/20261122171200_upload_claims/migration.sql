-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "claim_bytes" BIGINT,
ADD COLUMN     "claim_ends_at" TIMESTAMPTZ(3),
ADD COLUMN     "claim_id" TEXT;

-- CreateIndex
CREATE INDEX "uploads_account_id_claim_ends_at_idx" ON "uploads"("account_id", "claim_ends_at");
