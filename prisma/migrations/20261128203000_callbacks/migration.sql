-- AlterTable
ALTER TABLE "webhook_endpoints" ADD COLUMN     "key_id" TEXT,
ADD COLUMN     "subject_id" TEXT;

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoints_subject_id_key" ON "webhook_endpoints"("subject_id");

-- CreateIndex
CREATE INDEX "webhook_endpoints_key_id_idx" ON "webhook_endpoints"("key_id");

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
