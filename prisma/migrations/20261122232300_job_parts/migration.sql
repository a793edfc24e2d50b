-- CreateTable
CREATE TABLE "job_parts" (
    "folder" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "share" DOUBLE PRECISION NOT NULL,
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "open_attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "job_parts_pkey" PRIMARY KEY ("folder","part")
);

-- AddForeignKey
ALTER TABLE "job_parts" ADD CONSTRAINT "job_parts_folder_fkey" FOREIGN KEY ("folder") REFERENCES "staged_folders"("folder") ON DELETE CASCADE ON UPDATE CASCADE;
