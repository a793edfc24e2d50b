import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sampleSha256 } from '../../../api/jobs/sample.ts'
import { signedIn } from '../account/sign-in/sign-in.ts'
import { codeOf, useApi } from '../api.ts'

const sampleFile = 'web/src/pages/home/sample-episode.mp3'

const api = await useApi()

it('is known by its bytes', async () => {
  expect(
    createHash('sha256')
      .update(await readFile(sampleFile))
      .digest('hex'),
  ).toBe(sampleSha256)
})

it('is analysed free of charge, a few times a day, and nothing else is', async () => {
  const page = await signedIn(api)
  const account = await api.accountOf(page.accountId)
  const sample = await account.upload('Sample episode.mp3', await readFile(sampleFile))
  const analyse = (media_url: string) => page.post('/api/dashboard/sample', { media_url })

  const { status, body } = await analyse(sample)
  expect(status).toBe(202)
  const jobs = await api.db.job.findMany({ where: { id: { in: body.job_ids } }, orderBy: { createdAt: 'asc' } })
  expect(jobs.map(({ endpoint }) => endpoint)).toEqual(['audio/detect-silence', 'audio/find-words'])
  for (const job of jobs)
    expect(job).toMatchObject({ accountId: page.accountId, rateMicroUsdPerMinute: 0n, estimatedMicroUsd: 0n })

  const other = await account.upload('Sample episode.mp3', 'other bytes')
  expect(codeOf(await analyse(other))).toBe('invalid_request')
  const large = await account.upload('Sample episode.mp3', Buffer.alloc(2 ** 20 + 1))
  expect(codeOf(await analyse(large))).toBe('invalid_request')
  const stranger = await (await api.newAccount()).upload('Sample episode.mp3', await readFile(sampleFile))
  expect(codeOf(await analyse(stranger))).toBe('not_found')
  expect(codeOf(await analyse('https://media.example/Sample%20episode.mp3'))).toBe('invalid_request')

  const again = await Promise.all([1, 2, 3, 4, 5].map(() => analyse(sample)))
  expect(again.filter((each) => each.status !== 202).map(codeOf)).toEqual(['rate_limited'])
})
