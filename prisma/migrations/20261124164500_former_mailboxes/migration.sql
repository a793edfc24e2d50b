-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "former_mailboxes" TEXT[] DEFAULT ARRAY[]::TEXT[];

-- CreateIndex
CREATE INDEX "accounts_former_mailboxes_idx" ON "accounts" USING GIN ("former_mailboxes");
