-- A grant knows its current refresh token, and the secret with which the used ones begin. Their rows go.
ALTER TABLE "oauth_grants" ADD COLUMN "family_hash" BYTEA, ADD COLUMN "refresh_hash" BYTEA;

-- A token that was issued earlier is the first of its family.
UPDATE "oauth_grants" SET "family_hash" = "hash", "refresh_hash" = "hash" FROM "oauth_tokens"
WHERE "oauth_tokens"."connector_id" = "oauth_grants"."connector_id" AND "kind" = 'refresh' AND "used_at" IS NULL;

CREATE UNIQUE INDEX "oauth_grants_family_hash_key" ON "oauth_grants"("family_hash");

DELETE FROM "oauth_tokens" WHERE "kind" = 'refresh';

-- New tokens are access tokens. Both columns stay for processes of the release before.
ALTER TABLE "oauth_tokens" ALTER COLUMN "kind" SET DEFAULT 'access';
