import pg from 'pg'

export interface Amounts {
  readonly accounts: number
  readonly jobs: number
}

/** An id of the length of real ids. */
export const filledId = (prefix: string, n: number) => `${prefix}_${String(n).padStart(24, '0')}`

/** The same in SQL. */
const id = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 24, '0')`

/** Rows as years of use leave them: nearly all jobs ended, some opened within the last minute. Ids are derived, so that queries can name them. */
function statements({ accounts, jobs }: Amounts): readonly string[] {
  // The newest are open, and half of them wait. No later UPDATE: PostgreSQL ignores an index that is made after one while an older transaction runs.
  const ended = `n < ${Math.ceil(jobs * 0.9996)}`
  const account = id('acct', `1 + n % ${accounts}`)
  const uploader = id('acct', `1 + n * 3 % ${accounts}`)
  const key = id('key', `1 + n % ${accounts}`)
  const said = `'episode ' || n / 1000 || ' talks of topic' || n % 997 || ' and the weather'`
  return [
    `INSERT INTO users (id, name, email, updated_at)
   SELECT ${id('usr', 'n')}, 'User ' || n, 'user' || n || '@example.com', now() FROM generate_series(1, ${accounts}) AS n`,
    `INSERT INTO accounts (id, name, owner_id, credit_micro_usd) SELECT ${id('acct', 'n')}, 'Account ' || n, ${id('usr', 'n')}, 1000000000
   FROM generate_series(1, ${accounts}) AS n`,
    `INSERT INTO api_keys (id, account_id, name, secret_hash, last_four)
   SELECT ${id('key', 'n')}, ${id('acct', 'n')}, 'server', '\\x00', 'abcd' FROM generate_series(1, ${accounts}) AS n`,
    `INSERT INTO workflow_runs (id, account_id, api_key_id, request_id, chain, media_url, media_name, media_seconds, settings, metadata,
     limit_micro_usd, created_at, ended_at)
   SELECT ${id('run', 'n')}, ${account}, ${key}, ${id('req', 'n')}, 'remove-dead-space',
     'https://media.example/' || n || '.mp3', 'episode-' || n / 100 || '.mp3', 60, '{}', jsonb_build_object('episode', (n / 100)::text),
     20000, ${ago(jobs / 10)}, ${ago(jobs / 10)} + interval '5 seconds'
   FROM generate_series(1, ${jobs / 10}) AS n`,
    `INSERT INTO jobs (id, account_id, api_key_id, request_id, run_id, endpoint, status, media_url, media_key, media_name, settings, metadata,
     warnings, rate_micro_usd_per_minute, estimated_micro_usd, final_micro_usd, billed_milliseconds, media_info, progress, result,
     created_at, admitted_at, accepted_at, started_at, ended_at)
   SELECT ${id('job', 'n')}, ${account}, ${key}, ${id('req', 'n')},
     CASE WHEN n % 10 = 0 THEN ${id('run', 'n / 10')} END,
     CASE WHEN n % 3 = 0 THEN 'video/clip-window' ELSE 'audio/detect-silence' END, CASE WHEN ${ended} THEN 'completed' ELSE 'queued' END::"JobStatus", NULL,
     'uploads/' || ${account} || '/' || ${id('upl', 'n / 3')}, 'episode-' || n / 1000 || '.mp3', '{"threshold": -35}',
     CASE WHEN n % 5 = 0 THEN jsonb_build_object('episode', (n / 1000)::text) END, '{}', 2000, 2000,
     CASE WHEN ${ended} THEN 2000 END, 60000,
     '{"container": "mp3", "duration": 60, "tracks": []}', CASE WHEN ${ended} THEN 1 ELSE 0 END,
     CASE WHEN ${ended} THEN
       '{"media_seconds": 60, "silences": [{"start": 1, "end": 2, "duration": 1}, {"start": 3, "end": 4, "duration": 1}]}'::json
     END,
     ${ago(jobs)}, CASE WHEN ${ended} OR n % 2 = 0 THEN ${ago(jobs)} END, ${ago(jobs)}, ${ago(jobs)},
     CASE WHEN ${ended} THEN ${ago(jobs)} + interval '1 second' END
   FROM generate_series(1, ${jobs}) AS n`,
    `INSERT INTO passages (job_id, start_seconds, end_seconds, text, search)
   SELECT ${id('job', 'n')}, 1, 5, ${said}, passage_words(${account}, 'audio/find-words', ${said})
   FROM generate_series(1, ${jobs}) AS n WHERE n % 3 > 0 AND ${ended}`,
    `INSERT INTO ledger_entries (id, account_id, job_id, kind, step, credit_micro_usd, billable_micro_usd, month, ends_hold_of, created_at)
   SELECT ${id('led', 'n || kind')}, ${account}, ${id('job', 'n')}, kind::"LedgerKind", kind, 2000, 0, to_char(${ago(jobs)}, 'YYYY-MM'),
     CASE WHEN kind = 'capture' THEN ${id('job', 'n')} END, ${ago(jobs)}
   FROM generate_series(1, ${jobs}) AS n, (VALUES ('hold'), ('capture')) AS kinds (kind) WHERE kind = 'hold' OR ${ended}`,
    // As the trigger would.
    `INSERT INTO usage_days SELECT account_id, usage_day(created_at, to_char(created_at, 'YYYY-MM')), endpoint, api_key_id, count(*), 0,
     sum(billed_milliseconds), sum(final_micro_usd)
   FROM jobs WHERE ended_at IS NOT NULL GROUP BY 1, 2, 3, 4`,
    `INSERT INTO outputs (id, job_id, position, object_key, file_name, content_type, bytes, duration_seconds, created_at)
   SELECT ${id('out', 'n')}, ${id('job', 'n')}, 0, 'outputs/' || ${id('job', 'n')} || '/clip.mp4', 'clip.mp4', 'video/mp4', 1000000, 60, ${ago(jobs)}
   FROM generate_series(3, ${jobs}, 3) AS n WHERE n > ${jobs} * 0.99`,
    `INSERT INTO uploads (id, account_id, object_key, file_name, content_type, created_at, expires_at)
   SELECT ${id('upl', 'n')}, ${uploader}, 'uploads/' || ${uploader} || '/' || ${id('upl', 'n')},
     'episode-' || n || '.mp3', 'audio/mpeg', now(), now() + make_interval(hours => CASE WHEN n <= 1000 THEN -1 ELSE 24 END)
   FROM generate_series(${Math.ceil(jobs * 0.32)}, ${Math.floor(jobs / 3)}) AS n`,
    `INSERT INTO idempotency_records (account_id, method, path, key, body_hash, job_id)
   SELECT ${account}, 'POST', '/v1/jobs', ${id('key', 'n')}, '\\x00', ${id('job', 'n')}
   FROM generate_series(${Math.ceil(jobs * 0.98)}, ${jobs}) AS n`,
  ]
}

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
       WHERE schemaname = 'public' AND tablename IN ('jobs', 'ledger_entries', 'passages') AND indexdef NOT LIKE '%UNIQUE%'`,
    )
    for (const { name } of indexes) await client.query(`DROP INDEX "${name}"`)
    for (const statement of statements(amounts)) await client.query(statement)
    for (const { definition } of indexes) await client.query(definition)
    await client.query('VACUUM ANALYZE')
  } finally {
    await client.end()
  }
}
