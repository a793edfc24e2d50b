-- CreateTable
CREATE TABLE "shares" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "subject_id" TEXT NOT NULL,
    "work" TEXT NOT NULL,
    "allow_download" BOOLEAN NOT NULL,
    "allow_embed" BOOLEAN NOT NULL,
    "include_source" BOOLEAN NOT NULL,
    "include_transcript" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "shares_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "shares_token_hash_key" ON "shares"("token_hash");

-- CreateIndex
CREATE INDEX "shares_account_id_created_at_id_idx" ON "shares"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "shares_subject_id_idx" ON "shares"("subject_id");

-- CreateIndex
CREATE INDEX "shares_expires_at_idx" ON "shares"("expires_at");

-- AddForeignKey
ALTER TABLE "shares" ADD CONSTRAINT "shares_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
