-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "api_key_id" TEXT,
ADD COLUMN     "billed_milliseconds" BIGINT;

-- CreateTable
CREATE TABLE "probes" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "media_url" TEXT NOT NULL,
    "media_key" TEXT,
    "media_generation" TEXT,
    "media_info" JSONB,
    "error" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "probes_pkey" PRIMARY KEY ("id")
);

-- Unlogged: a count that a crash may lose costs no write-ahead log. Room on each page keeps its updates off the index.
CREATE UNLOGGED TABLE "quota_windows" (
    "subject" TEXT NOT NULL,
    "used" BIGINT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "quota_windows_pkey" PRIMARY KEY ("subject")
) WITH (fillfactor = 50);

-- Unlogged, as quota_windows.
CREATE UNLOGGED TABLE "open_waits" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "open_waits_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "probes_created_at_idx" ON "probes"("created_at");

-- CreateIndex
CREATE INDEX "quota_windows_ends_at_idx" ON "quota_windows"("ends_at");

-- CreateIndex
CREATE INDEX "open_waits_account_id_ends_at_idx" ON "open_waits"("account_id", "ends_at");

-- CreateIndex
CREATE INDEX "open_waits_ends_at_idx" ON "open_waits"("ends_at");

-- CreateIndex
CREATE INDEX "jobs_api_key_id_idx" ON "jobs"("api_key_id");

-- AddForeignKey
ALTER TABLE "jobs" ADD CONSTRAINT "jobs_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_keys"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "probes" ADD CONSTRAINT "probes_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
