-- The most that a job of queue_first may cost: its media can become longer after its plan.
ALTER TABLE "jobs" ADD COLUMN "limit_micro_usd" BIGINT;
