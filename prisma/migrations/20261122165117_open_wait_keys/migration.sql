-- AlterTable
ALTER TABLE "open_waits" ADD COLUMN     "key_id" TEXT;

-- CreateIndex
CREATE INDEX "open_waits_key_id_idx" ON "open_waits"("key_id");
