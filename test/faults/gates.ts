import pg from 'pg'

/** The steps of a job, each with the row change that its transaction makes. */
export const steps = ['create', 'inspect', 'hold', 'run', 'finish'] as const
export type Step = (typeof steps)[number]

const committed: Readonly<Record<Step, string>> = {
  create: 'select 1 from jobs where account_id = $1',
  inspect: 'select 1 from jobs where account_id = $1 and media_info is not null',
  hold: "select 1 from ledger_entries where account_id = $1 and step = 'estimate'",
  run: 'select 1 from jobs where account_id = $1 and draft is not null',
  finish: 'select 1 from jobs where account_id = $1 and ended_at is not null',
}

const triggers: Readonly<Record<Step, string>> = {
  create: 'after insert on jobs',
  inspect: 'after update on jobs',
  hold: 'after insert on ledger_entries',
  run: 'after update on jobs',
  finish: 'after update on jobs',
}

const conditions: Readonly<Record<Step, string>> = {
  create: 'true',
  inspect: 'old.media_info is null and new.media_info is not null',
  hold: "new.step = 'estimate'",
  run: 'old.draft is null and new.draft is not null',
  finish: 'old.ended_at is null and new.ended_at is not null',
}

/** The first half of the keys of all gates' locks; the second is the gate's number. */
const lockSpace = 7_001

/**
 * Makes gates possible: deferred triggers, so that a transaction waits at its commit, with everything else done. Only
 * accounts that `holdGates` names wait.
 */
export async function installGates(databaseUrl: string): Promise<void> {
  const perStep = steps.map(
    (step) => `
      create constraint trigger fault_gate_${step} ${triggers[step]} deferrable initially deferred
      for each row when (${conditions[step]}) execute function fault_gate('${step}');`,
  )
  await withClient(databaseUrl, (client) =>
    client.query(`
      create table fault_gates (id serial primary key, account_id text not null, step text not null);
      create function fault_gate() returns trigger language plpgsql as $$
      declare gate int;
      begin
        select id into gate from fault_gates where account_id = new.account_id and step = tg_argv[0];
        if found then perform pg_advisory_xact_lock_shared(${lockSpace}, gate); end if;
        return null;
      end $$;
      ${perStep.join('')}`),
  )
}

export interface Gate {
  readonly accountId: string
  readonly step: Step
}

export interface Gates {
  /** Whether each account's job stands at its gate. */
  areReached(): Promise<boolean>
  /** Ends the database's side of the transactions whose process was killed, so that none of them commits any more. */
  abort(which: (gate: Gate) => boolean): Promise<void>
  /** Opens every gate. Nothing is left to do when the database was killed. */
  release(): Promise<void>
  /** Whether each step's change can be read by others. */
  areCommitted(): Promise<boolean>
}

/** Closes a gate for each account's step until `release`. */
export async function holdGates(databaseUrl: string, gates: readonly Gate[]): Promise<Gates> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  const ids = new Map<Gate, number>()
  for (const gate of gates) {
    const { rows } = await client.query<{ id: number }>(
      'insert into fault_gates (account_id, step) values ($1, $2) returning id',
      [gate.accountId, gate.step],
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
    release: () => client.end().catch(() => {}),
    areCommitted: () =>
      withClient(databaseUrl, async (reader) => {
        for (const { accountId, step } of gates) {
          const { rows } = await reader.query(committed[step], [accountId])
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
