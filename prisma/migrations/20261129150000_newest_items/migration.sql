-- The newest items of a batch, however many others it or the table has: a range of one value, in the order of both columns, has no other
-- plan than to read the index of these columns backwards. By the averages of the table, a sort or another index can look cheaper.
CREATE FUNCTION "newest_items"("of_batch" text, "most" integer) RETURNS SETOF "batch_items" LANGUAGE sql STABLE
SET "enable_sort" = off SET "enable_incremental_sort" = off AS $$
  SELECT * FROM "batch_items" WHERE "batch_id" BETWEEN "of_batch" AND "of_batch" ORDER BY "batch_id" DESC, "id" DESC LIMIT "most"
$$;
