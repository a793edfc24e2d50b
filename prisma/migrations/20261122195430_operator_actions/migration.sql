-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "suspended_at" TIMESTAMPTZ(3),
ADD COLUMN     "suspended_reason" TEXT;

-- AlterTable
ALTER TABLE "ledger_entries" ADD COLUMN     "reason" TEXT;
