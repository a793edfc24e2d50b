-- Streams show work while it goes on. Whatever makes a job, changes what a person sees of one, or writes an event, announces it with its commit.
CREATE FUNCTION "announce_work"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('job_ended', 'work/' || NEW."account_id");
  RETURN NULL;
END;
$$;

CREATE TRIGGER "announce_new_job" AFTER INSERT ON "jobs"
  FOR EACH ROW EXECUTE FUNCTION "announce_work"();

CREATE TRIGGER "announce_changed_job" AFTER UPDATE OF "status", "progress" ON "jobs"
  FOR EACH ROW WHEN (OLD."status" <> NEW."status" OR OLD."progress" <> NEW."progress")
  EXECUTE FUNCTION "announce_work"();

CREATE TRIGGER "announce_event" AFTER INSERT ON "events"
  FOR EACH ROW EXECUTE FUNCTION "announce_work"();
