-- AlterTable
ALTER TABLE "shares" ADD COLUMN     "api_key_id" TEXT;

-- CreateIndex
CREATE INDEX "shares_api_key_id_idx" ON "shares"("api_key_id");

-- AddForeignKey
ALTER TABLE "shares" ADD CONSTRAINT "shares_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
