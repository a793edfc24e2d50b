-- AlterTable
ALTER TABLE "workflow_runs" ADD COLUMN     "consent_asked_at" TIMESTAMPTZ(3);
