import { z } from 'zod'

/** One case of `npm run test:faults`, as its test saw it. */
export const faultRecord = z.object({
  section: z.string(),
  fault: z.string(),
  /** Why it could not run here; the other fields are empty then. */
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

- A job that was accepted is not lost: it ends \`completed\`, or \`failed\` with a code that says why.
- It is paid for once, at most the price that was held before, and only when it completed. The hold ends in the same transaction as the job.
- Every output has its object, and every object its output. Nothing else stays: no file in the making, no ffmpeg process, no open workflow.

## How it is proven

Each case runs on the real stack: PostgreSQL, the Temporal server, the API and a worker as processes of their own. Killed means
SIGKILL and then a new start on the same data.

A job has five steps: \`create\` (the API accepts it), \`inspect\` (its media is probed), \`hold\` (its price is held), \`run\` (the work is
done) and \`finish\` (it ends, and is paid for).

A database trigger holds the step's transaction at its commit, with all its work done. *Before the commit*: the process is killed there, and
what it had open never commits. *After the commit*: the way to Temporal is blocked first (to PostgreSQL, where that is killed), then the transaction
commits, and then the process is killed, so that nobody has heard of the commit.

A chain has such steps for each of its jobs, and one more, \`end\`. It is also ended from outside while a transaction stands at its
commit, which then goes through: what it completed counts. The captures are those of its jobs, one of which is free.

The accounts pay, and have credits for the first part of a job only. When the jobs have ended, every case checks: the end and its code, how many captures
and outputs there are, that the hold ended exactly once, that the price captured is the job's and not above its estimate, that credits covered their part of
it and the rest is billed, that nothing in the whole ledger breaks a rule of \`npm run ledger:check\`, and what is left over:
files in \`work/\` and \`objects/.temp\`, objects without a row, rows without an object, ffmpeg processes, open workflows. Processes
that were not killed must still run.
`

/** The page: what is promised, how it is proven, and a table for each section, in the order of the records. */
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
