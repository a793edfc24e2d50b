import { describe, expect, it } from 'vitest'
import { createKey } from '../../../src/accounts/keys.ts'
import { codeOf, startApi, useApi } from '../api.ts'
import { completeJob } from '../jobs/complete-job.ts'
import { presentDraft } from '../jobs/drafts.ts'
import { createAgent, protocolVersions } from './agent.ts'

const uri = 'ui://media-timeline/timeline'
const mimeType = 'text/html;profile=mcp-app'
const pages = {
  index: '',
  linked: '',
  assets: new Map(),
  timeline: "<title>Timeline</title><script>'prefix-of-tools.'</script>",
}

const api = await useApi({}, { pages })
const account = await api.newAccount()

const read = (given: object, token = account.token) => createAgent(api, token).use('svc.read_timeline', given)

/** A completed job that found these. */
async function completed(found: object, endpoint = 'audio/detect-energy'): Promise<string> {
  const jobId = await account.create({ endpoint })
  await completeJob(api, jobId, { media_seconds: 60, ...found })
  return jobId
}

describe.each(protocolVersions)('the app of the timeline, in version %s', (version) => {
  // Everybody gets the same, without a credential too.
  const send = async (method: string, params = {}) =>
    (await createAgent(api, undefined, version).send(method, params)).body.result

  it('is named by the tools whose answers it shows, and alone calls its own', async () => {
    const { tools } = await send('tools/list')
    const named = tools.flatMap(({ name, _meta }: { name: string; _meta?: { ui: unknown } }) =>
      _meta ? [[name, _meta.ui]] : [],
    )
    expect(Object.fromEntries(named)).toEqual({
      'svc.create_workflow_job': { resourceUri: uri },
      'svc.get_job': { resourceUri: uri },
      'svc.get_job_result': { resourceUri: uri },
      'svc.read_timeline': { visibility: ['app'] },
    })
  })

  it('is one document under a policy for media of the storage, which knows the names of the tools', async () => {
    const { resources } = await send('resources/list')
    expect(resources).toMatchObject([{ uri, mimeType }])
    const { contents, ttlMs, cacheScope } = await send('resources/read', { uri })
    if (version >= '2026') expect([ttlMs, cacheScope]).toEqual([300_000, 'public'])
    const csp = { connectDomains: [], resourceDomains: ['http://api.test', 'http://fallback.test'] }
    const text = pages.timeline.replace('prefix-of-tools.', 'svc.')
    expect(contents).toEqual([{ uri, mimeType, text, _meta: { ui: { csp, prefersBorder: true } } }])
  })
})

it('a service without built pages has no app', async () => {
  const other = await startApi()
  try {
    const agent = createAgent(other, undefined, '2026-07-28')
    expect((await agent.send('resources/list')).body.result.resources).toEqual([])
    expect((await agent.send('resources/read', { uri })).body.error.code).toBe(-32_602)
  } finally {
    await other.close()
  }
})

describe('svc.read_timeline', () => {
  it('returns the lists of a result with their texts, at most a thousand entries in all', async () => {
    const segments = Array.from({ length: 990 }, (_, start) => ({ start, end: start + 0.5, duration: 0.5, score: 1 }))
    const matches = Array.from({ length: 20 }, (_, start) => ({ start, end: start + 1, query: 'x'.repeat(100) }))
    const { structuredContent } = await read({ job_id: await completed({ segments, matches, threshold_db: -30 }) })
    const [first, second] = structuredContent['lists']
    expect([first.name, first.total, first.entries.length]).toEqual(['segments', 990, 990])
    expect(first.entries[1]).toEqual({ start: 1, end: 1.5 })
    expect([second.name, second.total, second.entries.length]).toEqual(['matches', 20, 10])
    expect(second.entries[0].text).toBe(`${'x'.repeat(80)}…`)
  })

  it('returns the media of an upload to play, cut and open, and the files of a clip', async () => {
    const media_url = await account.upload('talk <b>.mp4', 'twelve bytes')
    const job_id = await account.create({ media_url })
    const { structuredContent } = await read({ job_id })
    const [, id = ''] = /(upl_\w+)$/.exec(media_url) ?? []
    expect(structuredContent).toMatchObject({ name: 'talk <b>.mp4', media_url, outputs: [] })
    expect(structuredContent['studio_url']).toBe(`http://api.test/dashboard/studio/${id}`)
    const { pathname, search } = new URL(structuredContent['source'].url)
    expect((await api.call({ url: pathname + search })).text).toBe('twelve bytes')
    await api.db.upload.update({ where: { id }, data: { deletedAt: new Date() } })
    expect((await read({ job_id })).structuredContent).toMatchObject({ name: 'talk <b>.mp4', lists: [] })

    const clip = await presentDraft(api, account, 2)
    const { outputs, media_url: none } = (await read({ job_id: clip.id })).structuredContent
    expect([outputs.map(({ name }: { name: string }) => name), none]).toEqual([['clip-0.mp4', 'clip-1.mp4'], undefined])
  })

  it('takes the id of a run', async () => {
    const asked = { workflow_id: 'remove-dead-space', media_url: 'https://media.example/a.mp3', media_seconds: 60 }
    const agent = createAgent(api, account.token)
    const { run } = (await agent.use('svc.create_workflow_job', { ...asked, mode: 'run_all' })).structuredContent
    expect((await read({ job_id: run.id })).structuredContent).toEqual({
      ...{ name: 'a.mp3', lists: [], outputs: [], tiles: [] },
    })
  })

  it('reads nothing of other accounts, of other scopes, and no tiles that are not kept', async () => {
    const job_id = await completed({ segments: [] })
    const tiles = [{ level: 0, tile: 0 }]
    const { token } = await createKey(api.db, { accountId: account.accountId, name: 'video', scope: 'video/*' })
    for (const other of [(await api.newAccount()).token, token]) {
      const agent = createAgent(api, other)
      expect(await agent.failure('svc.read_timeline', { job_id })).toBe('not_found')
      expect(await agent.failure('svc.read_timeline', { job_id, tiles })).toBe('not_found')
    }
    expect(await createAgent(api, account.token).failure('svc.read_timeline', { job_id, tiles })).toBe('not_found')
    const many = Array.from({ length: 5 }, () => tiles[0])
    expect(await createAgent(api, account.token).failure('svc.read_timeline', { job_id, tiles: many })).toBe(
      'invalid_request',
    )
    const keyless = await createAgent(api).callTool('svc.read_timeline', { job_id })
    expect([keyless.status, codeOf(keyless)]).toEqual([401, 'missing_api_key'])
  })
})
