-- CreateTable
CREATE TABLE "passages" (
    "id" BIGSERIAL NOT NULL,
    "job_id" TEXT NOT NULL,
    "start_seconds" DOUBLE PRECISION NOT NULL,
    "end_seconds" DOUBLE PRECISION NOT NULL,
    "text" TEXT NOT NULL,
    "search" tsvector NOT NULL,

    CONSTRAINT "passages_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "passages_job_id_idx" ON "passages"("job_id");

-- CreateIndex
CREATE INDEX "passages_search_idx" ON "passages" USING GIN ("search") WITH (gin_pending_list_limit = 256);

-- AddForeignKey
ALTER TABLE "passages" ADD CONSTRAINT "passages_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE;
