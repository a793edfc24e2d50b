-- AlterTable
ALTER TABLE "jobs" DROP COLUMN "given_settings";
