import pg from 'pg'

/** The steps of a job, each with the row change of its transaction. */
export const steps = ['create', 'inspect', 'hold', 'part', 'run', 'finish'] as const
export type Step = (typeof steps)[number]

/** Besides a job's steps, the end of a run. */
export type GateStep = Step | 'end'

interface Change {
  readonly trigger: string
  readonly condition: string
  /** The condition that holds once others can read the change. */
  readonly committed: string
}

const ofJob = "from jobs where account_id = $1 and ($2 = '' or endpoint = $2)"

const changes: Readonly<Record<GateStep, Change>> = {
  create: { trigger: 'after insert on jobs', condition: 'true', committed: ofJob },
  inspect: {
    trigger: 'after update on jobs',
    condition: 'old.media_info is null and new.media_info is not null',
    committed: `${ofJob} and media_info is not null`,
  },
  hold: {
    trigger: 'after insert on ledger_entries',
    condition: "new.step = 'estimate'",
    committed: `${ofJob} and exists (select 1 from ledger_entries where job_id = jobs.id and step = 'estimate')`,
  },
  // Only parts record progress in a job whose other work is too short for it.
  part: {
    trigger: 'after update on jobs',
    condition: 'old.progress < new.progress and new.draft is null and new.ended_at is null',
    committed: `${ofJob} and (progress > 0 or ended_at is not null)`,
  },
  run: {
    trigger: 'after update on jobs',
    condition: 'old.draft is null and new.draft is not null',
    committed: `${ofJob} and (draft is not null or ended_at is not null)`,
  },
  finish: {
    trigger: 'after update on jobs',
    condition: 'old.ended_at is null and new.ended_at is not null',
    committed: `${ofJob} and ended_at is not null`,
  },
  end: {
    trigger: 'after update on workflow_runs',
    condition: 'old.ended_at is null and new.ended_at is not null',
    committed: "from workflow_runs where account_id = $1 and $2 = '' and ended_at is not null",
  },
}

/** The first half of the keys of all gates' locks; the second is the gate's number. */
const lockSpace = 7_001

/**
 * Installs deferred triggers, so that a transaction can wait at its commit, with all other work done. Only accounts of
 * `holdGates` wait.
 */
export async function installGates(databaseUrl: string): Promise<void> {
  const perStep = Object.entries(changes).map(
    ([step, { trigger, condition }]) => `
      create constraint trigger fault_gate_${step} ${trigger} deferrable initially deferred
      for each row when (${condition}) execute function fault_gate('${step}');`,
  )
  await withClient(databaseUrl, (client) =>
    client.query(`
      create table fault_gates (id serial primary key, account_id text, step text, endpoint text);
      create function fault_gate() returns trigger language plpgsql as $$
      declare gate int;
      begin
        select id into gate from fault_gates
        where account_id = new.account_id and step = tg_argv[0] and (endpoint = '' or exists (
          select 1 from jobs where jobs.endpoint = fault_gates.endpoint
            and jobs.id in (to_jsonb(new) ->> 'id', to_jsonb(new) ->> 'job_id')));
        if found then perform pg_advisory_xact_lock_shared(${lockSpace}, gate); end if;
        return null;
      end $$;
      ${perStep.join('')}`),
  )
}

export interface Gate {
  readonly accountId: string
  readonly step: GateStep
  /** The endpoint of the waiting job, if the account has several jobs. */
  readonly endpoint?: string
}

export interface Gates<G extends Gate> {
  /** Whether each account's job waits at its gate. */
  areReached(): Promise<boolean>
  /** Terminates the server side of transactions whose process was killed, so that none of them commits. */
  abort(which: (gate: G) => boolean): Promise<void>
  /** Opens every gate; does nothing if the database was killed. */
  release(): Promise<void>
  /** Whether another transaction waits for each waiting transaction. */
  areAwaited(): Promise<boolean>
  /** Whether others can read each step's change. */
  areCommitted(): Promise<boolean>
}

/** Closes a gate for each account's step until `release`. */
export async function holdGates<G extends Gate>(databaseUrl: string, gates: readonly G[]): Promise<Gates<G>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const ids = new Map<G, number>()
  for (const gate of gates) {
    const { rows } = await client.query<{ id: number }>(
      'insert into fault_gates (account_id, step, endpoint) values ($1, $2, $3) returning id',
      [gate.accountId, gate.step, gate.endpoint ?? ''],
    )
    const id = rows[0]?.id ?? 0
    await client.query('select pg_advisory_lock($1, $2)', [lockSpace, id])
    ids.set(gate, id)
  }
  const waiting = "locktype = 'advisory' and not granted and classid = $1"

  return {
    areReached: async () => {
      const { rows } = await client.query(`select distinct objid from pg_locks where ${waiting}`, [lockSpace])
      return rows.length === gates.length
    },
    abort: async (which) => {
      const chosen = [...ids].filter(([gate]) => which(gate)).map(([, id]) => id)
      if (chosen.length === 0) return
      await client.query(`select pg_terminate_backend(pid) from pg_locks where ${waiting} and objid = any($2)`, [
        lockSpace,
        chosen,
      ])
    },
    areAwaited: async () => {
      const { rows } = await client.query<{ pid: number }>(
        `select distinct pid from pg_locks where ${waiting}
         and exists (select 1 from pg_stat_activity other where pg_locks.pid = any(pg_blocking_pids(other.pid)))`,
        [lockSpace],
      )
      return rows.length === gates.length
    },
    release: () => client.end().catch(() => {}),
    areCommitted: () =>
      withClient(databaseUrl, async (reader) => {
        for (const { accountId, step, endpoint = '' } of gates) {
          const { rows } = await reader.query(`select 1 ${changes[step].committed}`, [accountId, endpoint])
          if (rows.length === 0) return false
        }
        return true
      }),
  }
}

async function withClient<T>(databaseUrl: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
