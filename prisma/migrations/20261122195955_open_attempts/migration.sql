-- AlterTable
ALTER TABLE "jobs" ADD COLUMN     "open_attempts" INTEGER NOT NULL DEFAULT 0;
