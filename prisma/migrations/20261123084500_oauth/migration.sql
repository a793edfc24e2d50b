-- CreateEnum
CREATE TYPE "OAuthTokenKind" AS ENUM ('access', 'refresh');

-- CreateTable
CREATE TABLE "oauth_grants" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "monthly_cap_micro_usd" BIGINT,
    "redirect_uri" TEXT NOT NULL,
    "challenge" TEXT NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "code_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "connector_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_tokens" (
    "hash" BYTEA NOT NULL,
    "kind" "OAuthTokenKind" NOT NULL,
    "connector_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_tokens_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE UNIQUE INDEX "oauth_grants_code_hash_key" ON "oauth_grants"("code_hash");

-- CreateIndex
CREATE UNIQUE INDEX "oauth_grants_connector_id_key" ON "oauth_grants"("connector_id");

-- CreateIndex
CREATE INDEX "oauth_grants_account_id_idx" ON "oauth_grants"("account_id");

-- CreateIndex
CREATE INDEX "oauth_grants_code_expires_at_idx" ON "oauth_grants"("code_expires_at");

-- CreateIndex
CREATE INDEX "oauth_tokens_connector_id_idx" ON "oauth_tokens"("connector_id");

-- CreateIndex
CREATE INDEX "oauth_tokens_expires_at_idx" ON "oauth_tokens"("expires_at");

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_connector_id_fkey" FOREIGN KEY ("connector_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;
