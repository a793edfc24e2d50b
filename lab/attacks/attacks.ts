import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Command } from '../../scripts/main.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { checkLedger } from '../../src/billing/check-ledger.ts'
import { makeAttackMedia } from '../hostile/attack-media.ts'
import { startCanary, startMediaHost } from '../hostile/media-host.ts'
import { openFreeAccount, withFolder, withLabStack } from '../lab-stack.ts'
import { attacks } from './attack-list.ts'
import { measureAttacks } from './measure-attack.ts'

/**
 * `npm run lab -- attacks [--seconds 60] [ATTACK …]`: every attack of the list, then all simultaneously, against a stack of its
 * own with the default limits, while another account works. The whole list writes the table of docs/security.md.
 */
export const attacksCommand: Command = async (context) => {
  const options = { seconds: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args: [...context.args], options, allowPositionals: true })
  const seconds = Number(values.seconds ?? 60)
  const chosen = attacks.filter(({ id }) => positionals.length === 0 || positionals.includes(id))
  const names = attacks.map(({ id }) => id)
  if (!(seconds > 0) || !positionals.every((name) => names.includes(name)))
    throw new Error(`${context.usage}\nattacks: ${names.map((name) => `'${name}'`).join(', ')}`)
  return withFolder(async (folder) => {
    const canary = await startCanary(path.join(folder, 'outside'))
    const host = await startMediaHost(await freePort(), canary)
    const stack = { TRUST_PROXY: '1', MEDIA_ALLOW_HOSTS: `${host.host}:${host.port}` }
    try {
      return await withLabStack(context, { folder: path.join(folder, 'stack'), env: stack }, async ({ apiUrl, db }) => {
        const media = await makeAttackMedia((await context.findTools()).ffmpegPath)
        const run = {
          world: { baseUrl: apiUrl, media, host },
          newKey: async () => (await createKey(db, { accountId: await openFreeAccount(db), name: 'attack' })).token,
          seconds,
        }
        const rows: string[] = []
        const measure = async (attack: string, bound: string, together: typeof attacks) => {
          const { victimSecondsP50, victimSecondsP95: p95, ...measured } = await measureAttacks(run, together)
          const { toolMebibytes, workerMebibytes, apiMebibytes, notes } = measured
          const times = [victimSecondsP50, p95.sound, p95.picture, p95.words].map((time) => time.toFixed(1))
          const cells = [attack, bound, ...times, toolMebibytes, workerMebibytes, apiMebibytes, notes.join(', ')]
          rows.push(`| ${cells.join(' | ')} |`)
          context.say(rows.at(-1) ?? '')
        }
        await measure('None', '', [])
        for (const one of chosen) await measure(one.attack, one.bound, [one])
        if (chosen.length > 1) await measure('All simultaneously', '', chosen)
        const table = [...head, ...rows, ''].join('\n')
        console.log(table)
        if (chosen.length === attacks.length) writeTable(path.join(context.root, 'docs', 'security.md'), table)
        return (await checkLedger(db)).length === 0 ? 0 : 1
      })
    } finally {
      host.close()
      canary.close()
    }
  })
}

const head = [
  '| attack by two free accounts | what bounds it | another account’s jobs, p50 s | p95 s: sound | picture | words | tool, MiB | worker, MiB | API, MiB | outcome |',
  '|---|---|---|---|---|---|---|---|---|---|',
]
const begin = '<!-- attacks: written by npm run lab -- attacks -->'
const end = '<!-- /attacks -->'

/** Replaces the table between its markers. */
function writeTable(page: string, table: string): void {
  const [before, rest = ''] = readFileSync(page, 'utf8').split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`${page} has no part between ${begin} and ${end}`)
  writeFileSync(page, `${before}${begin}\n${table}${end}${after}`)
}
