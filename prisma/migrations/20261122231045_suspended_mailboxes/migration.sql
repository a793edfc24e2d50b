-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "suspended_mailbox" TEXT;

-- CreateIndex
CREATE INDEX "accounts_suspended_mailbox_idx" ON "accounts"("suspended_mailbox");
