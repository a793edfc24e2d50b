-- CreateTable
CREATE TABLE "usage_days" (
    "account_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "endpoint" TEXT NOT NULL,
    "key_id" TEXT NOT NULL DEFAULT '',
    "jobs_completed" BIGINT NOT NULL DEFAULT 0,
    "jobs_failed" BIGINT NOT NULL DEFAULT 0,
    "billed_milliseconds" BIGINT NOT NULL DEFAULT 0,
    "amount_micro_usd" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_days_pkey" PRIMARY KEY ("account_id","day","endpoint","key_id")
);

-- AddForeignKey
ALTER TABLE "usage_days" ADD CONSTRAINT "usage_days_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A job counts on the day of its creation, in the month of its hold, so that the days of a month add up to the amounts of its
-- cap and its invoice.
CREATE FUNCTION "usage_day"("created_at" timestamptz, "month" text) RETURNS date LANGUAGE sql IMMUTABLE AS $$
  SELECT least(greatest(($1 AT TIME ZONE 'UTC')::date, "first"), ("first" + interval '1 month')::date - 1)
  FROM (SELECT make_date(left($2, 4)::int, right($2, 2)::int, 1) AS "first") AS "of_hold"
$$;

CREATE FUNCTION "count_usage"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "usage_days" AS "so_far"
  SELECT NEW."account_id", "usage_day"("created_at", NEW."month"), "endpoint", coalesce("api_key_id", ''),
    (NEW."kind" = 'capture')::int, (NEW."kind" = 'release')::int,
    CASE NEW."kind" WHEN 'capture' THEN coalesce("billed_milliseconds", 0) ELSE 0 END,
    CASE NEW."kind" WHEN 'capture' THEN NEW."credit_micro_usd" + NEW."billable_micro_usd" ELSE 0 END
  FROM "jobs" WHERE "id" = NEW."ends_hold_of"
  ON CONFLICT ("account_id", "day", "endpoint", "key_id") DO UPDATE SET
    "jobs_completed" = "so_far"."jobs_completed" + EXCLUDED."jobs_completed",
    "jobs_failed" = "so_far"."jobs_failed" + EXCLUDED."jobs_failed",
    "billed_milliseconds" = "so_far"."billed_milliseconds" + EXCLUDED."billed_milliseconds",
    "amount_micro_usd" = "so_far"."amount_micro_usd" + EXCLUDED."amount_micro_usd";
  RETURN NULL;
END $$;

-- At commit: processes of the release before this one write the entry before the job's billed length. The account's row lock
-- keeps the order of commits.
CREATE CONSTRAINT TRIGGER "count_usage" AFTER INSERT ON "ledger_entries" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW."ends_hold_of" IS NOT NULL) EXECUTE FUNCTION "count_usage"();

-- Jobs from before. The trigger's lock on the table keeps others from ending jobs until this commits.
INSERT INTO "usage_days"
SELECT "ledger_entries"."account_id", "usage_day"("jobs"."created_at", "month"), "endpoint", coalesce("api_key_id", ''),
  count(*) FILTER (WHERE "kind" = 'capture'), count(*) FILTER (WHERE "kind" = 'release'),
  coalesce(sum("billed_milliseconds") FILTER (WHERE "kind" = 'capture'), 0),
  coalesce(sum("credit_micro_usd" + "billable_micro_usd") FILTER (WHERE "kind" = 'capture'), 0)
FROM "ledger_entries" JOIN "jobs" ON "jobs"."id" = "ends_hold_of" GROUP BY 1, 2, 3, 4;
