-- Keys of before could raise every limit, and keep that; new keys raise none unless their row says so.
ALTER TABLE "api_keys" ADD COLUMN "monthly_cap_micro_usd" BIGINT,
ADD COLUMN "may_raise_limits" BOOLEAN NOT NULL DEFAULT true;
ALTER TABLE "api_keys" ALTER COLUMN "may_raise_limits" SET DEFAULT false;

-- CreateTable
CREATE TABLE "key_months" (
    "key_id" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "held_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "captured_micro_usd" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "key_months_pkey" PRIMARY KEY ("key_id","month")
);

-- AddForeignKey
ALTER TABLE "key_months" ADD CONSTRAINT "key_months_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A key, the key that created it, and so on.
CREATE FUNCTION "key_and_makers"("key" text) RETURNS TABLE ("key_id" text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE "line" AS (
    SELECT "id", "maker_id" FROM "api_keys" WHERE "id" = $1
    UNION SELECT "api_keys"."id", "api_keys"."maker_id" FROM "api_keys" JOIN "line" ON "api_keys"."id" = "line"."maker_id"
  ) SELECT "id" FROM "line"
$$;

-- An entry counts for the key of its job, and for every key above it. In the database, because processes of the release
-- before this one write entries too during a deploy.
CREATE FUNCTION "count_key_spending"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  amount bigint := NEW."credit_micro_usd" + NEW."billable_micro_usd";
  held bigint := CASE NEW."kind" WHEN 'hold' THEN amount WHEN 'release' THEN -amount WHEN 'capture' THEN -amount ELSE 0 END;
  captured bigint := CASE NEW."kind" WHEN 'capture' THEN amount ELSE 0 END;
BEGIN
  INSERT INTO "key_months" AS "so_far" ("key_id", "month", "held_micro_usd", "captured_micro_usd")
  SELECT "key_id", NEW."month", held, captured
  FROM "key_and_makers"((SELECT "api_key_id" FROM "jobs" WHERE "id" = NEW."job_id"))
  ON CONFLICT ("key_id", "month") DO UPDATE SET
    "held_micro_usd" = "so_far"."held_micro_usd" + EXCLUDED."held_micro_usd",
    "captured_micro_usd" = "so_far"."captured_micro_usd" + EXCLUDED."captured_micro_usd";
  RETURN NULL;
END $$;

CREATE TRIGGER "count_key_spending" AFTER INSERT ON "ledger_entries"
  FOR EACH ROW WHEN (NEW."kind" IN ('hold', 'release', 'capture')) EXECUTE FUNCTION "count_key_spending"();

-- Entries from before.
INSERT INTO "key_months"
SELECT "line"."key_id", "month",
  sum(CASE "kind" WHEN 'hold' THEN 1 ELSE -1 END * ("credit_micro_usd" + "billable_micro_usd")),
  sum(CASE "kind" WHEN 'capture' THEN "credit_micro_usd" + "billable_micro_usd" ELSE 0 END)
FROM "ledger_entries" JOIN "jobs" ON "jobs"."id" = "ledger_entries"."job_id",
  LATERAL "key_and_makers"("jobs"."api_key_id") AS "line"
WHERE "kind" IN ('hold', 'release', 'capture') GROUP BY "line"."key_id", "month";
