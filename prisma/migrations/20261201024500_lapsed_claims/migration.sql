-- The PUTs of uploads that run, or whose process was killed: few of many rows, which upkeep reads.
CREATE INDEX "uploads_claim_ends_at_idx" ON "uploads"("claim_ends_at") WHERE "claim_ends_at" IS NOT NULL;
