-- CreateTable
CREATE TABLE "granted_mailboxes" (
    "hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "granted_mailboxes_pkey" PRIMARY KEY ("hash")
);
