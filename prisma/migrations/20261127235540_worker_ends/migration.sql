-- CreateTable
CREATE TABLE "worker_ends" (
    "id" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "is_cause" BOOLEAN NOT NULL,
    "worker" TEXT NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "worker_ends_pkey" PRIMARY KEY ("id","subject_id")
);

-- CreateIndex
CREATE INDEX "worker_ends_subject_id_idx" ON "worker_ends"("subject_id");

-- CreateIndex
CREATE INDEX "worker_ends_ended_at_idx" ON "worker_ends"("ended_at");
