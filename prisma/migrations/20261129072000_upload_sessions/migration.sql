-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "session" INTEGER NOT NULL DEFAULT 1;
