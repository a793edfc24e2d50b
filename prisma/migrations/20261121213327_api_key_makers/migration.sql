-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "maker_id" TEXT;

-- CreateIndex
CREATE INDEX "api_keys_maker_id_idx" ON "api_keys"("maker_id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_maker_id_fkey" FOREIGN KEY ("maker_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
