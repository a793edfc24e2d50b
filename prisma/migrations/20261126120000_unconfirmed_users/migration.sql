-- Those that upkeep deletes after some days. Nearly always few.
CREATE INDEX "users_unconfirmed_idx" ON "users"("created_at") WHERE NOT "email_verified";
