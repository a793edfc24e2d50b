-- AlterTable
ALTER TABLE "workflow_runs" ADD COLUMN     "closed_at" TIMESTAMPTZ(3);
