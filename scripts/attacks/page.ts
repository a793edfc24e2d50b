import type { AttackRecord } from './measure-attack.ts'
import { smallJobNames } from './victim.ts'

/** The table of docs/security.md. */
export function describeAttacks(records: readonly AttackRecord[]): string {
  const rows = records.map((record) => {
    const { attack, bound, victimSecondsP50, victimSecondsP95, toolMebibytes, workerMebibytes, apiMebibytes, notes } =
      record
    const measured = [
      victimSecondsP50.toFixed(1),
      ...smallJobNames.map((name) => victimSecondsP95[name].toFixed(1)),
      toolMebibytes,
      workerMebibytes,
      apiMebibytes,
    ]
    return `| ${[attack, bound, ...measured, notes.join(', ')].join(' | ')} |`
  })
  const head =
    '| attack by two free accounts | what bounds it | another account’s jobs, p50 s | p95 s: sound | picture | words | tool, MiB | worker, MiB | API, MiB | outcome |'
  return `${head}\n|---|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}\n`
}

const begin = '<!-- attacks: written by npm run test:attacks -->'
const end = '<!-- /attacks -->'

/** The page with another table between its markers. */
export function replaceTable(page: string, table: string): string {
  const [before, rest = ''] = page.split(begin)
  const [, after] = rest.split(end)
  if (after === undefined) throw new Error(`docs/security.md has no part between ${begin} and ${end}`)
  return `${before}${begin}\n${table}${end}${after}`
}
