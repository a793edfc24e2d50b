-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "covered_mailboxes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "accounts_covered_mailboxes_idx" ON "accounts" USING GIN ("covered_mailboxes");
