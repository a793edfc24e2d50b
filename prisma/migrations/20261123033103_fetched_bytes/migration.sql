-- What workers fetched of a job's media for its parts, which its receipt adds up.
ALTER TABLE "jobs" ADD COLUMN "fetched_bytes" BIGINT NOT NULL DEFAULT 0;
