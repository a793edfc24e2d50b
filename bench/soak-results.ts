import type { LedgerFinding } from '../src/billing/check-ledger.ts'
import { percentile } from './percentile.ts'
import type { ProcessSample } from './processes.ts'

export interface SoakSample {
  readonly seconds: number
  readonly processes: ReadonlyMap<string, ProcessSample>
}

export interface Soak {
  readonly minutes: number
  readonly inFlight: number
  readonly samples: readonly SoakSample[]
  /** The status of every job. */
  readonly ended: readonly string[]
  readonly findings: readonly LedgerFinding[]
}

const measures = ['residentMiB', 'openFiles', 'threads'] as const
const titles = { residentMiB: 'resident memory, MiB', openFiles: 'open files', threads: 'threads' } as const

/** The soak as a document: the median of each process's samples, for each quarter of the run. */
export function describeSoak({ minutes, inFlight, samples, ended, findings }: Soak): string {
  const failed = ended.filter((status) => status === 'failed').length
  const names = [...new Set(samples.flatMap(({ processes }) => [...processes.keys()]))].toSorted()
  const rows = names.flatMap((name) =>
    measures.map((measure) => {
      const values = samples.flatMap(({ processes }) => processes.get(name)?.[measure] ?? [])
      const quarters = [0, 1, 2, 3].map((quarter) => {
        const part = values.slice((quarter * values.length) / 4, ((quarter + 1) * values.length) / 4)
        return part.length > 0 ? Math.round(percentile(part, 0.5)) : '–'
      })
      return `| ${name} | ${titles[measure]} | ${quarters.join(' | ')} |`
    }),
  )
  return `# Soak

Written by \`npm run soak\`: ${minutes} minutes with ${inFlight} jobs in flight, everything on one machine. ${ended.length} jobs ended, ${failed} of them failed or canceled as they should.

| process | | 1st quarter | 2nd | 3rd | 4th |
|---|---|---|---|---|---|
${rows.join('\n')}

The ledger afterwards: ${findings.length === 0 ? 'clean' : findings.map(({ rule, id }) => `${id}: ${rule}`).join('; ')}.
`
}
