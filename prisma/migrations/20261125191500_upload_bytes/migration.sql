-- AlterTable
ALTER TABLE "uploads" ADD COLUMN     "bytes" BIGINT;
