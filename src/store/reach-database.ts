import pg from 'pg'

/** `host:port/name` of a database's URL, which messages can show. */
export function databaseName(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `${host}:${port}/${database ?? ''}`
}

/** Throws one line for the operator if the database of a variable does not answer, or refuses. Skips blank variables. */
export async function reachDatabase({
  DATABASE_URL: url,
  DATABASE_DIRECT_URL: directUrl,
}: {
  readonly DATABASE_URL?: string | undefined
  readonly DATABASE_DIRECT_URL?: string | undefined
}): Promise<void> {
  if (url) await reach('DATABASE_URL', url)
  if (directUrl && directUrl !== url) await reach('DATABASE_DIRECT_URL', directUrl)
}

async function reach(variable: string, url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    const where = `${client.host}:${client.port}`
    const reason =
      error instanceof pg.DatabaseError ? `${where} refuses: ${error.message}` : `no database answers at ${where}`
    throw new Error(`${variable}: ${reason}`, { cause: error })
  } finally {
    await client.end()
  }
}
