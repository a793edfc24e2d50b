import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../scripts/stack/ports.ts'
import { type PostgresUrls, startPostgres } from '../../scripts/stack/postgres.ts'
import { createSupervisor } from '../../scripts/stack/processes.ts'

const onLinux = test.skipIf(process.platform !== 'linux')

function newFolder(name: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), `${name} `))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return path.join(folder, 'postgres')
}

/** Starts a server, calls `use` with its addresses and stops it. */
async function withServer(folder: string, port: number, use: (urls: PostgresUrls) => Promise<void>): Promise<void> {
  const supervisor = createSupervisor(path.join(folder, '..', 'logs'))
  try {
    await use(await startPostgres(supervisor, { folder, port, throwAway: true }))
  } finally {
    await supervisor.stopAll()
  }
}

/** The client's address as the server sees it: null through a Unix socket. */
async function clientAddress(connectionString: string): Promise<string | null> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query<{ address: string | null }>('select host(inet_client_addr()) as address')
    return rows[0]?.address ?? null
  } finally {
    await client.end()
  }
}

onLinux(
  'local programs reach the database through a socket in a private folder, which asks for the password',
  async () => {
    const folder = newFolder('socket')
    await withServer(folder, await freePort(), async ({ url, localUrl }) => {
      expect(await clientAddress(url)).toBe('127.0.0.1')
      expect(await clientAddress(localUrl)).toBeNull()
      expect(statSync(path.join(folder, 'data')).mode & 0o077).toBe(0)
      const withoutPassword = new URL(localUrl)
      withoutPassword.password = ''
      await expect(clientAddress(withoutPassword.href)).rejects.toThrow(/password/)
    })
  },
)

test('a folder whose path is too long for a socket has the database on TCP', async () => {
  await withServer(newFolder('long'.repeat(25)), await freePort(), async ({ url, localUrl }) => {
    expect(localUrl).toBe(url)
    expect(await clientAddress(localUrl)).toBe('127.0.0.1')
  })
})

onLinux('a server starts after a power cut, although its process id is now another process’s', async () => {
  const folder = newFolder('power cut')
  const port = await freePort()
  // The server ignores a lock of its own parent.
  const other = spawn('sleep', ['600'])
  onTestFinished(() => void other.kill())
  await withServer(folder, port, async () => {
    const lock = readFileSync(path.join(folder, 'data', 'postmaster.pid'), 'utf8').replace(/^\d+/, `${other.pid}`)
    writeFileSync(path.join(folder, 'locks'), lock)
  })
  const lock = readFileSync(path.join(folder, 'locks'))
  for (const name of ['postmaster.pid', `.s.PGSQL.${port}.lock`]) {
    writeFileSync(path.join(folder, 'data', name), lock)
  }
  await withServer(folder, port, async ({ localUrl }) => {
    expect(await clientAddress(localUrl)).toBeNull()
  })
})
