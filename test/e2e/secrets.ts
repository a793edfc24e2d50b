import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Database } from '../../src/db/database.ts'
import { findSecrets, readHistories, type Text } from '../setup/secrets.ts'

/** The secrets and texts in the rows of a stack. */
export interface Rows {
  /** Secret, because a URL can give anyone access to its file. */
  readonly mediaUrls: readonly string[]
  /** The errors that callers received. */
  readonly errors: readonly Text[]
  /** Started workflows. */
  readonly workflowIds: readonly string[]
}

export async function readRows(db: Database): Promise<Rows> {
  const [jobs, probes, runs] = await Promise.all([
    db.job.findMany({
      select: { id: true, mediaUrl: true, error: true, dispatchedAt: true, startedAt: true, runId: true },
    }),
    db.probe.findMany({ select: { id: true, mediaUrl: true, error: true } }),
    db.workflowRun.findMany({ select: { id: true, mediaUrl: true, error: true } }),
  ])
  const rows = [...jobs, ...probes, ...runs]
  // A run starts its jobs.
  const begun = jobs.filter(({ dispatchedAt, startedAt, runId }) => (runId ? startedAt : dispatchedAt) !== null)
  const ofRuns = jobs.flatMap(({ dispatchedAt, runId }) => (dispatchedAt && runId ? [runId] : []))
  return {
    // The URL of an erased run is blank.
    mediaUrls: [...new Set(rows.flatMap(({ mediaUrl }) => mediaUrl || []))],
    errors: rows.flatMap(({ id, error }) => (error ? { source: `error of ${id}`, text: JSON.stringify(error) } : [])),
    workflowIds: [...begun.map(({ id }) => id), ...new Set(ofRuns)],
  }
}

export interface Written {
  readonly logDir: string
  readonly temporalAddress: string
  readonly namespace: string
  readonly rows: Rows
  /** Keys and other secrets, which are found by their text. */
  readonly known: readonly string[]
}

/** Throws if a log, an error or a history of the stack contains a secret. Returns the amount searched. */
export async function assertNoSecrets({ logDir, temporalAddress, namespace, rows, known }: Written) {
  const lines = await readLines(logDir)
  const histories = await readHistories(temporalAddress, namespace, rows.workflowIds)
  const leaks = findSecrets([...lines, ...histories, ...rows.errors], [...known, ...rows.mediaUrls])
  if (leaks.length > 0) throw new Error(`secrets were written down: ${JSON.stringify(leaks.slice(0, 5), null, 2)}`)
  return { lines: lines.length, histories: histories.length, errors: rows.errors.length }
}

async function readLines(logDir: string): Promise<Text[]> {
  const files = await readdir(logDir)
  const texts = await Promise.all(
    files.map(async (source) => ({ source, text: await readFile(path.join(logDir, source), 'utf8') })),
  )
  return texts.flatMap(({ source, text }) => text.split('\n').map((line) => ({ source, text: line })))
}
