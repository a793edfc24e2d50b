import { readdir, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badSources } from './bad-sources.ts'
import { isLongForm, sourceCases } from './cases.ts'
import { holdGates } from './gates.ts'
import { postJob } from './post-job.ts'
import { conclude, type Met } from './record.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

type Name = keyof typeof sourceCases

// Most of the time is spent on the retries of the two sources that never recover.
const mostSeconds = 780

describe.runIf(isLongForm && process.platform === 'linux')('a source of media that fails', () => {
  const hits = new Map<string, number>()
  let stack: FaultStack

  beforeAll(async () => {
    const media: RequestListener = (request, response) => {
      const name = path.basename(request.url ?? '', '.mp4')
      const hit = (hits.get(name) ?? 0) + 1
      hits.set(name, hit)
      if (isName(name)) badSources[name]({ hit, request, response })
    }
    stack = await startFaultStack({ media, variables: { MAX_MEDIA_BYTES: '20000000' } })
  })

  afterAll(() => stack.stop())

  it(
    'every case, side by side',
    async () => {
      const met = await Promise.all(
        Object.keys(sourceCases)
          .filter(isName)
          .map(async (name) => {
            const { accountId, client } = await stack.newAccount()
            const job = postJob(client, {
              endpoint: 'audio/detect-silence',
              media_url: stack.mediaUrl(`${name}.mp4`),
            })
            if (name === 'changesBetweenSteps') await loseTheCopy(accountId)
            await job
            return { faultCase: sourceCases[name], accountId } satisfies Met
          }),
      )
      await conclude(stack, met, mostSeconds)
      expect(hits.get('changesBetweenSteps')).toBe(2)
    },
    (mostSeconds + 120) * 1000,
  )

  /** Deletes the worker's copy while the job waits at its hold, as if another worker continued it. */
  async function loseTheCopy(accountId: string): Promise<void> {
    const gates = await holdGates(stack.databaseUrl, [{ accountId, step: 'hold' }])
    await until('the job stands at its hold', gates.areReached, 60)
    const { id } = await stack.db.job.findFirstOrThrow({ where: { accountId } })
    for (const folder of await jobFolders(id)) await rm(folder, { recursive: true })
    await gates.release()
  }

  async function jobFolders(jobId: string): Promise<string[]> {
    const work = path.join(stack.dataDir, 'work')
    const entries = await readdir(work, { recursive: true, withFileTypes: true })
    return entries.filter(({ name }) => name === jobId).map(({ parentPath, name }) => path.join(parentPath, name))
  }
})

function isName(name: string): name is Name {
  return Object.hasOwn(sourceCases, name)
}
