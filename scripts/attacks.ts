import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { createKey } from '../src/accounts/keys.ts'
import { checkLedger } from '../src/billing/check-ledger.ts'
import { openDatabase } from '../src/db/database.ts'
import { attacks } from './attacks/attacks.ts'
import { type AttackRecord, measureAttacks } from './attacks/measure-attack.ts'
import { describeAttacks, replaceTable } from './attacks/page.ts'
import { makeAttackMedia } from './hostile/attack-media.ts'
import { startCanary } from './hostile/canary.ts'
import { openFreeAccount } from './hostile/free-account.ts'
import { startMediaHost } from './hostile/media-host.ts'
import type { Command } from './main.ts'
import { freePort } from './stack/ports.ts'
import { withStack } from './stack/stack.ts'

/**
 * `npm run test:attacks [-- --seconds 60] [ATTACK …]`: every attack of the list, then all simultaneously, against a stack of its
 * own with the default limits, while another account works. The whole list writes the table of docs/security.md.
 */
export const attacksCommand: Command = async (context) => {
  const { values, positionals } = parseArgs({
    args: [...context.args],
    options: { seconds: { type: 'string' } },
    allowPositionals: true,
  })
  const seconds = Number(values.seconds ?? 60)
  const chosen = attacks.filter(({ id }) => positionals.length === 0 || positionals.includes(id))
  const names = attacks.map(({ id }) => id)
  if (!(seconds > 0) || !positionals.every((name) => names.includes(name)))
    throw new Error(`${context.usage}\nattacks: ${names.map((name) => `'${name}'`).join(', ')}`)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'media-timeline-attacks-'))
  const canary = await startCanary(path.join(dataDir, 'outside'))
  const host = await startMediaHost(await freePort(), canary)
  const env = { LOG_LEVEL: 'warn', TRUST_PROXY: '1', MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}`, ...context.env }
  const stackDir = path.join(dataDir, 'stack')
  try {
    return await withStack({ ...context, env, dataDir: stackDir }, async ({ apiUrl, databaseUrl }) => {
      const db = openDatabase(databaseUrl)
      try {
        const media = await makeAttackMedia((await context.findTools()).ffmpegPath)
        const run = {
          world: { baseUrl: apiUrl, media, host },
          newKey: async () => (await createKey(db, { accountId: await openFreeAccount(db), name: 'attack' })).token,
          seconds,
        }
        const records: AttackRecord[] = []
        const measure = async (attack: string, bound: string, together: typeof attacks) => {
          const record = { attack, bound, ...(await measureAttacks(run, together)) }
          records.push(record)
          context.say(JSON.stringify(record))
        }
        await measure('None', '', [])
        for (const one of chosen) await measure(one.attack, one.bound, [one])
        if (chosen.length > 1) await measure('All simultaneously', '', chosen)
        const findings = await checkLedger(db)
        const table = describeAttacks(records)
        console.log(table)
        if (chosen.length === attacks.length) writeTable(context.root, table)
        return findings.length === 0 ? 0 : 1
      } finally {
        await db.$disconnect()
      }
    })
  } finally {
    host.close()
    canary.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function writeTable(root: string, table: string): void {
  const page = path.join(root, 'docs', 'security.md')
  writeFileSync(page, replaceTable(readFileSync(page, 'utf8'), table))
}
