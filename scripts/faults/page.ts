import { z } from 'zod'

/** One case of `npm run test:faults`, as its test observed it. */
export const faultRecord = z.object({
  section: z.string(),
  fault: z.string(),
  /** Why the case could not run here; the other fields are then empty. */
  skipped: z.string().optional(),
  end: z.string(),
  captures: z.number(),
  outputs: z.number(),
  leftOver: z.array(z.string()),
})

export type FaultRecord = Readonly<z.output<typeof faultRecord>>

const introduction = `# Reliability

Written by \`npm run test:faults\`. Do not edit it by hand.

## What is promised

- No accepted job is lost: it ends \`completed\`, or \`failed\` with an error code.
- A job goes on after its worker was killed, however often that happens in a power cut or a deploy. It ends \`failed\` with \`processing_failed\`
  and costs nothing if it blocked two workers, or if ten were lost while they worked on it, or on the same part of it.
- A job that blocks its worker costs no other job more than another attempt: the worker ends itself and names the job ([security](security.md#a-blocked-process-ends-itself)).
- A job is charged once, only if it completed, and never more than its hold. The hold ends in the same transaction as the job.
- Every output has its object, and every object its output. Nothing else remains: no partial file, no ffmpeg process, no open workflow.

## How it is proven

Each case runs on the real stack: PostgreSQL, the Temporal server, the API and a worker, each in its own process. Killed means
SIGKILL, followed by a restart on the same data.

Most jobs that read their media go through five transactions: \`create\` (the API accepts it), \`inspect\` (the worker has read the
description of its media), \`hold\` (its price is held), \`run\` (its work is done) and \`finish\` (it ends and is charged). A short job
on an upload in local storage has \`create\`, its start, with the description of its media, and its end. One that earlier analyses
answer has \`create\` and its end. An exact clip with video of two minutes or more in one file, and a detection in more than 30 minutes of sound, also go
through \`part\` when a part of their work is done.

A database trigger stops a transaction at its commit, and the process is killed:

- *Before the commit*: the process is killed while the transaction waits. The transaction never commits.
- *After the commit*: the connection to Temporal is blocked first, so that nobody learns of the commit. Then the transaction
  commits, and the process is killed. If PostgreSQL is the process to kill, the connection to PostgreSQL is blocked instead.

A run of a chain goes through these transactions for each of its jobs, and through one more, \`end\`. In other cases, an operator
cancels or terminates a run while a transaction waits at its commit. That transaction still commits, and its work counts. The captures
are those of all jobs of the run. A free job has a capture of 0 USD, which counts.

Billing is active, and the free credits cover only part of each job's price. After the jobs have ended, every case checks:

- the end and its code, and the number of captures and outputs
- that the hold ended exactly once
- that the captured price is the job's and not above its estimate, with credits for their part and billing for the rest
- that nothing in the whole ledger breaks a rule of \`npm run ledger:check\`
- that nothing is left over: files in \`work/\` and \`objects/.temp\`, objects without a row, rows without an object, ffmpeg processes, open workflows
- that processes that were not killed still run
`

/** The page: the promises, the method, and a table for each section, in the order of the records. */
export function describeReliability(records: readonly FaultRecord[]): string {
  const sections = [...new Set(records.map(({ section }) => section))]
  const tables = sections.map((section) => {
    const rows = records.filter((record) => record.section === section).map(describeFault)
    return `## ${section}\n\n| fault | end | captures | outputs | left over |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return [introduction, ...tables].join('\n')
}

/** A row of the page. */
function describeFault({ fault, skipped, end, captures, outputs, leftOver }: FaultRecord): string {
  if (skipped !== undefined) return `| ${fault} | skipped: ${skipped} | | | |`
  return `| ${fault} | ${end} | ${captures} | ${outputs} | ${leftOver.join(', ') || 'nothing'} |`
}
