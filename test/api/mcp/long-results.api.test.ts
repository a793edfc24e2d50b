import { describe, expect, it } from 'vitest'
import { useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { presentDraft } from '../jobs/drafts.ts'
import { createAgent } from './agent.ts'

/** A segment every second second, the even ones with a higher score. */
const segments = Array.from({ length: 20_000 }, (_, index) => ({
  ...{ start: index * 2, end: index * 2 + 1, duration: 1 },
  ...{ mean_db: -20, peak_db: -3, score: index % 2 === 0 ? 0.9 : 0.1 },
}))

const api = await useApi()
const account = await api.newAccount()
const jobId = await account.create({ endpoint: 'audio/detect-energy', media_url: 'https://media.example/a.mp3' })
await completeJob(api, jobId, { media_seconds: 40_000, segments, total_segment_seconds: 20_000 })

const use = (name: string, given: object = {}) => createAgent(api, account.token).use(name, { job_id: jobId, ...given })

describe('a result of 20,000 segments', () => {
  it.each(['svc.get_job', 'svc.get_job_result'])(
    'does not fill the context of an agent that calls %s',
    async (name) => {
      const answer = await use(name)
      expect(JSON.stringify(answer).length).toBeLessThan(4_500)
      const { lists, next_from_seconds } = answer.structuredContent['page']
      const { shown } = lists.segments
      expect([lists, shown > 20]).toEqual([{ segments: { total: 20_000, shown } }, true])
      expect(next_from_seconds).toBe(shown * 2)
    },
  )

  it('is in the answer once: in the structured content, and its times in the text', async () => {
    const { content, structuredContent } = await use('svc.get_job_result', { limit: 2 })
    expect(structuredContent['result'].segments).toEqual(segments.slice(0, 2))
    expect(content.map(({ type }) => type)).toEqual(['text', 'resource_link'])
    const text =
      'segments: 2 of 20000, in seconds: 0–1 (0.9), 2–3 (0.1)\nNext: the same call with from_seconds 4, or with a higher limit for more.'
    expect(content[0]?.['text']).toContain(text)
    expect(content[0]?.['text']).not.toContain('mean_db')
  })

  it('says in the text which of its page it lists, and where the others are', async () => {
    const { content } = await use('svc.get_job_result', { limit: 150 })
    const text = String(content[0]?.['text'])
    expect(text).toContain(
      'segments: 150 of 20000. structuredContent has all 150, this text the first 100, in seconds: 0–1',
    )
    expect(text).toContain('198–199 (0.1)\nNext: the same call with from_seconds 300, or with a higher limit for more.')
    const last = await use('svc.get_job_result', { limit: 1000, from_seconds: 39_000 })
    expect(last.content[0]?.['text']).toMatch(
      /500 of 20000\. structuredContent has all 500, this text the first 100, .*\nNo page follows/,
    )
  })

  it('is read in pages, each segment once', async () => {
    const read = []
    let from: number | undefined = 0
    while (from !== undefined) {
      const { structuredContent } = await use('svc.get_job_result', { limit: 1000, from_seconds: from })
      read.push(...structuredContent['result'].segments)
      from = structuredContent['page'].next_from_seconds
    }
    expect(read).toEqual(segments)
  })

  it('is read by score', async () => {
    const { structuredContent } = await use('svc.get_job_result', { min_score: 0.5, limit: 3 })
    expect(structuredContent['page']).toEqual({
      lists: { segments: { total: 10_000, shown: 3 } },
      next_from_seconds: 12,
    })
    expect(structuredContent['result'].segments.map(({ start }: { start: number }) => start)).toEqual([0, 4, 8])
  })

  it('comes in the same pages over REST, and whole without a limit', async () => {
    const { body } = await account.get(`/v1/jobs/${jobId}?limit=3&from_seconds=5&min_score=0.5`)
    expect(body.job.result.segments.map(({ start }: { start: number }) => start)).toEqual([8, 12, 16])
    expect(body.page).toEqual({ lists: { segments: { total: 10_000, shown: 3 } }, next_from_seconds: 20 })
    const whole = (await account.get(`/v1/jobs/${jobId}`)).body
    expect([whole.job.result.segments.length, whole.page]).toEqual([20_000, undefined])
    expect((await account.get(`/v1/jobs/${jobId}?limit=0`)).status).toBe(400)
  })
})

it('names the words of times and the files in the text, for clients that show nothing else', async () => {
  const found = {
    matches: [{ start: 3, end: 3.5, duration: 0.5, query: 'refund policy', text: 'Refund policy', score: 0.9 }],
    segments: [{ start: 3, end: 3.5, duration: 0.5 }],
  }
  const { id } = await presentDraft(api, account, 1, false, found)
  const { content } = await createAgent(api, account.token).use('svc.get_job_result', { job_id: id })
  const text = String(content[0]?.['text'])
  expect(text).toMatch(/^- ".*": http.*\n/)
  expect(text).toContain(
    'matches: 1 of 1, in seconds: 3–3.5 "refund policy" (0.9)\nsegments: 1 of 1, in seconds: 3–3.5',
  )
})

/** The text of the result of a completed job with these findings and files. */
async function textOf(found: object, files = 0) {
  const { id } = await presentDraft(api, account, files, false, found)
  const { content } = await createAgent(api, account.token).use('svc.get_job_result', { job_id: id })
  return String(content[0]?.['text'])
}

it('lists the sentences of a transcript without matches in the text, and ends cut ones with an ellipsis', async () => {
  const sentence = (start: number, text: string) => ({ start, end: start + 1, duration: 1, text })
  const sentences = [sentence(0, 'Good morning.'), sentence(1, 'a'.repeat(201))]
  const transcript = { language: 'en', text: '', sentences, words: [] }
  expect(await textOf({ matches: [], transcript })).toContain(
    `transcript.sentences: 2 of 2, in seconds:\n0–1 "Good morning."\n1–2 "${'a'.repeat(200)}…"\n`,
  )
  const matches = [{ start: 0, end: 1, duration: 1, query: 'b'.repeat(61) }]
  const searched = await textOf({ matches, transcript })
  expect(searched).toContain(`matches: 1 of 1, in seconds: 0–1 "${'b'.repeat(60)}…"`)
  // The words around a match are in it.
  expect(searched).not.toContain('transcript.sentences')
})

it('names frames with their scores and first reasons in the text, and pictures by their upload', async () => {
  const reasons = ['sharp', 'well exposed', 'colourful', 'still']
  const text = await textOf({
    frames: [
      { time: 4.76, score: 0.82, reasons },
      { upload_id: 'upl_1', score: 0.4, reasons: ['blurred'] },
    ],
  })
  expect(text).toContain(
    '2 frames, the best first:\n1. 4.76 s (0.82): sharp, well exposed, colourful\n2. upl_1 (0.4): blurred',
  )
})

it('says how long each clip is, and from where', async () => {
  const presented = { start: 3, end: 60 }
  expect(await textOf({ receipt: { presented } }, 1)).toContain('Clip 1: 2 seconds, from 3–60 of the media.')
  const several = await textOf({ receipts: [{ presented, ranges: [{}, {}] }, { presented }] }, 2)
  expect(several).toContain('Clip 1: 2 seconds, from 2 ranges of 3–60 of the media.\nClip 2: 2 seconds')
})
