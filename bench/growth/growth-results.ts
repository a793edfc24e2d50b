import type { Amounts } from './fill.ts'
import type { QueryTimes, TableSize } from './measure.ts'

export interface GrowthResults {
  readonly amounts: Amounts
  readonly queries: readonly QueryTimes[]
  readonly tables: readonly TableSize[]
  readonly machine: string
}

export function describeGrowth({ amounts, queries, tables, machine }: GrowthResults): string {
  const ms = (value: number) => value.toFixed(1)
  const count = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 })
  return `## Growth

Written by \`npm run bench -- growth\`. ${machine}. Everything on this machine.

${count(amounts.jobs)} jobs of ${count(amounts.accounts)} accounts, one a second, the last one now. The work of the API and of upkeep on the database,
${queries[0]?.calls ?? 0} calls each, each call about other rows, in turns with \`SELECT 1\`, in milliseconds. Some calls are several statements. Goal: p99 below 20 ms, beside
what \`SELECT 1\` takes on a machine with other work.

| | p50 | p99 | \`SELECT 1\`: p50 | p99 | processor time of PostgreSQL: p50 | p99 |
|---|---|---|---|---|---|---|
${queries
  .map(({ name, milliseconds: whole, bareMilliseconds: bare, cpuMilliseconds: cpu }) => {
    const cells = [whole.p50, whole.p99, bare.p50, bare.p99, cpu.p50, cpu.p99].map(ms)
    return `| ${name} | ${cells.join(' | ')} |`
  })
  .join('\n')}

What a row takes on disk. The indexes were built from sorted rows; after months of random ids they take up to a half more.

| table | rows | bytes a row | bytes a row in indexes |
|---|---|---|---|
${tables.map(({ table, rows, rowBytes, indexBytes }) => `| \`${table}\` | ${count(rows)} | ${count(rowBytes)} | ${count(indexBytes)} |`).join('\n')}
`
}
