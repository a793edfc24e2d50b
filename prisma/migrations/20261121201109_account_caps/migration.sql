-- CreateEnum
CREATE TYPE "BillingStatus" AS ENUM ('inactive', 'active');

-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "alert_percents" INTEGER[] DEFAULT ARRAY[80, 100]::INTEGER[],
ADD COLUMN     "billing_status" "BillingStatus" NOT NULL DEFAULT 'inactive',
ADD COLUMN     "monthly_cap_micro_usd" BIGINT;

-- CreateTable
CREATE TABLE "account_months" (
    "account_id" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "held_credit_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "held_billable_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "captured_credit_micro_usd" BIGINT NOT NULL DEFAULT 0,
    "captured_billable_micro_usd" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "account_months_pkey" PRIMARY KEY ("account_id","month")
);

-- AddForeignKey
ALTER TABLE "account_months" ADD CONSTRAINT "account_months_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A payment, a grant or an adjustment is named by its step, and is booked once. (Entries of jobs have an index of their own.)
CREATE UNIQUE INDEX "ledger_entries_account_id_step_key" ON "ledger_entries"("account_id", "step") WHERE "job_id" IS NULL;

-- An entry moves its month. Here and not in the service, because processes of the release before this one write entries
-- too while a deploy goes on.
CREATE FUNCTION "count_ledger_entry"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  held int := CASE NEW."kind" WHEN 'hold' THEN 1 WHEN 'release' THEN -1 WHEN 'capture' THEN -1 ELSE 0 END;
  captured int := CASE NEW."kind" WHEN 'capture' THEN 1 ELSE 0 END;
BEGIN
  IF held = 0 THEN RETURN NULL; END IF;
  INSERT INTO "account_months" AS "so_far" ("account_id", "month", "held_credit_micro_usd", "held_billable_micro_usd",
    "captured_credit_micro_usd", "captured_billable_micro_usd")
  VALUES (NEW."account_id", NEW."month", held * NEW."credit_micro_usd", held * NEW."billable_micro_usd",
    captured * NEW."credit_micro_usd", captured * NEW."billable_micro_usd")
  ON CONFLICT ("account_id", "month") DO UPDATE SET
    "held_credit_micro_usd" = "so_far"."held_credit_micro_usd" + EXCLUDED."held_credit_micro_usd",
    "held_billable_micro_usd" = "so_far"."held_billable_micro_usd" + EXCLUDED."held_billable_micro_usd",
    "captured_credit_micro_usd" = "so_far"."captured_credit_micro_usd" + EXCLUDED."captured_credit_micro_usd",
    "captured_billable_micro_usd" = "so_far"."captured_billable_micro_usd" + EXCLUDED."captured_billable_micro_usd";
  RETURN NULL;
END $$;

CREATE TRIGGER "count_ledger_entry" AFTER INSERT ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "count_ledger_entry"();

-- Entries from before.
INSERT INTO "account_months"
SELECT "account_id", "month",
  sum(CASE "kind" WHEN 'hold' THEN "credit_micro_usd" ELSE -"credit_micro_usd" END),
  sum(CASE "kind" WHEN 'hold' THEN "billable_micro_usd" ELSE -"billable_micro_usd" END),
  sum(CASE "kind" WHEN 'capture' THEN "credit_micro_usd" ELSE 0 END),
  sum(CASE "kind" WHEN 'capture' THEN "billable_micro_usd" ELSE 0 END)
FROM "ledger_entries" WHERE "kind" IN ('hold', 'release', 'capture') GROUP BY "account_id", "month";

-- The ledger is append-only. Erasing an account takes its entries with it, and its transaction says so:
--   SELECT set_config('ledger.erased_account', 'acct_…', true); DELETE FROM accounts WHERE id = 'acct_…';
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    IF OLD."account_id" = current_setting('ledger.erased_account', true) THEN RETURN OLD; END IF;
  END IF;
  RAISE EXCEPTION 'ledger entries are append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER "refuse_ledger_change" BEFORE UPDATE OR DELETE ON "ledger_entries"
  FOR EACH ROW EXECUTE FUNCTION "refuse_ledger_change"();

CREATE TRIGGER "refuse_ledger_truncate" BEFORE TRUNCATE ON "ledger_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
