-- DropIndex
DROP INDEX "uploads_account_id_idx";

-- CreateIndex
CREATE INDEX "uploads_account_id_created_at_id_idx" ON "uploads"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "uploads_account_id_file_name_created_at_id_idx" ON "uploads"("account_id", "file_name", "created_at" DESC, "id" DESC);
