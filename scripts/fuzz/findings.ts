import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { fuzzCase } from './case-types.ts'

/** What a run found, with all that repeats it. */
const finding = z.object({
  seed: z.int(),
  problems: z.array(z.string()),
  /** The case, or all that ran when something happened to a process. */
  cases: z.array(z.object({ number: z.int(), case: fuzzCase, base64: z.string().optional() })),
})

export type Finding = Readonly<z.output<typeof finding>>
export type FoundCase = Finding['cases'][number]

/** Writes the finding into the folder and returns the file's path. */
export function storeFinding(folder: string, name: string, found: Finding): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `seed-${found.seed}-${name}.json`)
  writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`)
  return file
}

export function readFinding(file: string): Finding {
  return finding.parse(JSON.parse(readFileSync(file, 'utf8')))
}
