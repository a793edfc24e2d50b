-- CreateEnum
CREATE TYPE "OutputRole" AS ENUM ('media', 'preview');

-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "media_version" TEXT;

-- AlterTable
ALTER TABLE "outputs" ADD COLUMN     "role" "OutputRole" NOT NULL DEFAULT 'media';

-- CreateTable
CREATE TABLE "analyses" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "media_info" JSONB NOT NULL,
    "track_index" INTEGER NOT NULL,
    "start_ms" INTEGER NOT NULL,
    "end_ms" INTEGER NOT NULL,
    "format" INTEGER NOT NULL,
    "object_key" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "analyses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "analyses_object_key_key" ON "analyses"("object_key");

-- CreateIndex
CREATE INDEX "analyses_created_at_idx" ON "analyses"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "analyses_account_id_source_version_format_track_index_start_key" ON "analyses"("account_id", "source", "version", "format", "track_index", "start_ms", "end_ms");

-- AddForeignKey
ALTER TABLE "analyses" ADD CONSTRAINT "analyses_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
