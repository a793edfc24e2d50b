import pg from 'pg'

export interface Amounts {
  readonly accounts: number
  readonly jobs: number
}

/** Rows as years of use leave them: nearly all jobs ended, some opened within the last minute. Ids are derived, so that queries can name them. */
const statements = ({ accounts, jobs }: Amounts): readonly string[] => [
  `INSERT INTO users (id, name, email, updated_at)
   SELECT 'usr_' || n, 'User ' || n, 'user' || n || '@example.com', now() FROM generate_series(1, ${accounts}) AS n`,
  `INSERT INTO accounts (id, name, owner_id, credit_micro_usd) SELECT 'acct_' || n, 'Account ' || n, 'usr_' || n, 1000000000
   FROM generate_series(1, ${accounts}) AS n`,
  `INSERT INTO api_keys (id, account_id, name, secret_hash, last_four)
   SELECT 'key_' || n, 'acct_' || n, 'server', '\\x00', 'abcd' FROM generate_series(1, ${accounts}) AS n`,
  `INSERT INTO workflow_runs (id, account_id, api_key_id, request_id, chain, media_url, media_name, media_seconds, settings, metadata,
     limit_micro_usd, created_at, ended_at)
   SELECT 'run_' || n, 'acct_' || 1 + n % ${accounts}, 'key_' || 1 + n % ${accounts}, 'req_' || n, 'remove-dead-space',
     'https://media.example/' || n || '.mp3', 'episode-' || n / 100 || '.mp3', 60, '{}', jsonb_build_object('episode', (n / 100)::text),
     20000, ${ago(jobs / 10)}, ${ago(jobs / 10)} + interval '5 seconds'
   FROM generate_series(1, ${jobs / 10}) AS n`,
  `INSERT INTO jobs (id, account_id, api_key_id, request_id, run_id, endpoint, status, media_url, media_key, media_name, settings, metadata,
     warnings, rate_micro_usd_per_minute, estimated_micro_usd, final_micro_usd, billed_milliseconds, media_info, progress, result,
     created_at, admitted_at, accepted_at, started_at, ended_at)
   SELECT 'job_' || n, 'acct_' || 1 + n % ${accounts}, 'key_' || 1 + n % ${accounts}, 'req_' || n,
     CASE WHEN n % 10 = 0 THEN 'run_' || n / 10 END,
     CASE WHEN n % 3 = 0 THEN 'video/clip-window' ELSE 'audio/detect-silence' END, 'completed', NULL,
     'uploads/acct_' || 1 + n % ${accounts} || '/upl_' || n / 3, 'episode-' || n / 1000 || '.mp3', '{"threshold": -35}',
     CASE WHEN n % 5 = 0 THEN jsonb_build_object('episode', (n / 1000)::text) END, '{}', 2000, 2000, 2000, 60000,
     '{"container": "mp3", "duration": 60, "tracks": []}', 1,
     '{"media_seconds": 60, "silences": [{"start": 1, "end": 2, "duration": 1}, {"start": 3, "end": 4, "duration": 1}]}',
     ${ago(jobs)}, ${ago(jobs)}, ${ago(jobs)}, ${ago(jobs)}, ${ago(jobs)} + interval '1 second'
   FROM generate_series(1, ${jobs}) AS n`,
  // The newest are open, and some of them wait.
  `UPDATE jobs SET status = 'queued', ended_at = NULL, final_micro_usd = NULL, result = NULL, progress = 0,
     admitted_at = CASE WHEN random() < 0.5 THEN admitted_at END
   WHERE id IN (SELECT 'job_' || n FROM generate_series(${Math.ceil(jobs * 0.9996)}, ${jobs}) AS n)`,
  `INSERT INTO ledger_entries (id, account_id, job_id, kind, step, credit_micro_usd, billable_micro_usd, month, ends_hold_of, created_at)
   SELECT 'led_' || kind || n, 'acct_' || 1 + n % ${accounts}, 'job_' || n, kind::"LedgerKind", kind, 2000, 0, to_char(${ago(jobs)}, 'YYYY-MM'),
     CASE WHEN kind = 'capture' THEN 'job_' || n END, ${ago(jobs)}
   FROM generate_series(1, ${jobs}) AS n, (VALUES ('hold'), ('capture')) AS kinds (kind)`,
  `INSERT INTO outputs (id, job_id, position, object_key, file_name, content_type, bytes, duration_seconds, created_at)
   SELECT 'out_' || n, 'job_' || n, 0, 'outputs/job_' || n || '/clip.mp4', 'clip.mp4', 'video/mp4', 1000000, 60, ${ago(jobs)}
   FROM generate_series(3, ${jobs}, 3) AS n WHERE n > ${jobs} * 0.99`,
  `INSERT INTO uploads (id, account_id, object_key, file_name, content_type, created_at, expires_at)
   SELECT 'upl_' || n, 'acct_' || 1 + (n * 3) % ${accounts}, 'uploads/acct_' || 1 + (n * 3) % ${accounts} || '/upl_' || n,
     'episode-' || n || '.mp3', 'audio/mpeg', now(), now() + interval '1 day'
   FROM generate_series(${Math.ceil(jobs * 0.32)}, ${Math.floor(jobs / 3)}) AS n`,
  `INSERT INTO idempotency_records (account_id, method, path, key, body_hash, job_id)
   SELECT 'acct_' || 1 + n % ${accounts}, 'POST', '/v1/jobs', 'key-' || n, '\\x00', 'job_' || n
   FROM generate_series(${Math.ceil(jobs * 0.98)}, ${jobs}) AS n`,
]

/** A job each second, the last one now. */
const ago = (rows: number) => `(now() - make_interval(secs => ${rows} - n))`

/** Fills the tables by SQL. Indexes and triggers are left out meanwhile, and made again: that takes a third of the time. */
export async function fillTables(databaseUrl: string, amounts: Amounts): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('SET session_replication_role = replica')
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
       WHERE schemaname = 'public' AND tablename IN ('jobs', 'ledger_entries') AND indexdef NOT LIKE '%UNIQUE%'`,
    )
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`)
    for (const statement of statements(amounts)) await client.query(statement)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
