-- CreateTable
CREATE TABLE "signing_checks" (
    "id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "signing_checks_pkey" PRIMARY KEY ("id")
);
