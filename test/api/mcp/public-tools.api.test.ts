import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleLanguages, exampleSources } from '../../../api/catalog/examples/code-example.ts'
import { chains } from '../../../src/chains/chains.ts'
import { endpoints, liveEndpoint } from '../../../src/endpoints/catalog.ts'
import { type Api, startApi } from '../api.ts'
import { createAgent } from './agent.ts'

let api: Api
beforeAll(async () => {
  api = await startApi()
})
afterAll(async () => api.close())

const use = async (name: string, given?: unknown) => (await createAgent(api).use(name, given)).structuredContent

interface Step {
  readonly tool: string
  readonly arguments: Readonly<Record<string, string>>
}

describe('without a key, an agent', () => {
  it('lists the endpoints of the catalog, with their prices', async () => {
    const { body: catalog } = await api.call({ url: '/v1/catalog' })
    const { endpoints: listed } = await use('svc.list_endpoints')
    expect(listed).toHaveLength(endpoints.length)
    for (const [index, endpoint] of listed.entries()) expect(catalog.endpoints[index]).toMatchObject(endpoint)
    const { content } = await createAgent(api).use('svc.list_endpoints')
    const text = String(content[0]?.['text'])
    expect(text).toMatch(/- audio\/detect-silence: .* 0\.\d+ USD for a minute of media analysed\.\n/)
    expect(text).toMatch(/- timeline\/merge: .* Costs nothing\.\n/)
    const live = await use('svc.list_endpoints', { group: 'audio', stage: 'live' })
    expect(live['endpoints'].map(({ id }: { id: string }) => id)).toEqual([
      'audio/detect-silence',
      'audio/detect-energy',
      'audio/detect-laughter',
      'audio/find-words',
      'audio/semantic-chunks',
    ])
  })

  it.each(endpoints.map(({ id }) => id))('gets the schema of %s as the catalog has it', async (endpoint) => {
    const { body: catalog } = await api.call({ url: '/v1/catalog' })
    const [shown] = catalog.endpoints.filter(({ id }: { id: string }) => id === endpoint)
    expect((await use('svc.get_endpoint_schema', { endpoint })).endpoint).toEqual(shown)
  })

  it.each(endpoints)('gets the estimate for $id that REST gives', async ({ id, readsMedia, example }) => {
    const given = readsMedia ? { start: 1 } : { settings: example.settings }
    const request = { endpoint: id, media_seconds: 600, ...given }
    const { body } = await api.call({ method: 'POST', url: '/v1/estimate', payload: request })
    expect({ request_id: body.request_id, ...(await use('svc.estimate_cost', request)) }).toEqual(body)
  })

  it('cannot have media read', async () => {
    const given = { endpoint: 'audio/detect-silence', media_url: 'https://media.example/interview.mp4' }
    expect(await createAgent(api).failure('svc.estimate_cost', given)).toBe('invalid_request')
  })

  it('sees which chains are live', async () => {
    const { workflows } = await use('svc.list_workflows')
    expect(workflows.map(({ id }: { id: string }) => id)).toEqual(chains.map(({ id }) => id))
    for (const { steps, missing, stage } of workflows) {
      const previews = steps.filter(({ stage }: { stage: string }) => stage === 'preview')
      expect(missing).toEqual(previews.map(({ endpoint }: { endpoint: string }) => endpoint))
      expect(stage).toBe(missing.length === 0 ? 'live' : 'preview')
    }
  })

  it.each([
    ['Remove the silences from my podcast', 'remove-dead-space'],
    ['cut out every PAUSE of a talk', 'remove-dead-space'],
    ['clips of the funniest laughs', 'find-funny-clips'],
    ['cut out where she said "budget"', 'find-exact-words'],
    ['a thumbnail for the video', 'pick-thumbnails'],
    ['make my archive searchable', 'searchable-media-memory'],
  ])('gets a plan for "%s"', async (goal, id) => {
    const plan = await use('svc.plan_integration', { goal, media: 'file' })
    expect(plan['workflow'].id).toBe(id)
    const creates = plan['steps'].filter(({ arguments: given }: Step) => given.endpoint !== undefined)
    for (const { arguments: given } of creates) {
      expect('media_url' in given).toBe(liveEndpoint(given.endpoint).readsMedia)
    }
    const readsMedia = plan['steps'].some(({ arguments: given }: Step) => 'media_url' in given)
    expect(plan['steps'][0]?.tool === 'svc.create_upload').toBe(readsMedia)
    const runs = plan['steps'].some(({ tool }: Step) => tool === 'svc.create_workflow_job')
    expect(runs).toBe(plan['workflow'].stage === 'live')
    const asked = plan['steps'].filter(({ tool }: Step) => ['svc.get_job', 'svc.get_job_result'].includes(tool))
    expect(new Set(asked.map(({ arguments: given }: Step) => given['job_id'])).size).toBeLessThanOrEqual(1)
    const notes: string[] = plan['notes']
    expect(notes.filter((note) => note.includes('is a preview'))).toHaveLength(plan['workflow'].missing.length)
  })

  it('gets a plan that names the one endpoint, or says that there is none', async () => {
    const clip = await use('svc.plan_integration', { goal: 'cut a highlight at 3:20 without cutting words' })
    expect([clip['workflow'], clip['endpoint']]).toEqual([null, 'video/clip-near'])
    const none = await use('svc.plan_integration', { goal: 'translate my film' })
    expect(none).toMatchObject({
      workflow: null,
      steps: [],
      notes: [expect.stringContaining('that translates or dubs.'), expect.stringContaining('svc.list_endpoints')],
    })
  })

  it.each(exampleLanguages)('gets examples in %s that try the second address', async (language) => {
    for (const endpoint of endpoints) {
      for (const source of exampleSources) {
        const { code } = await use('svc.get_code_example', { language, endpoint: endpoint.id, source })
        for (const part of ['http://api.test', 'http://fallback.test', endpoint.id, '/v1/jobs']) {
          expect(code).toContain(part)
        }
        expect(/media_?url/i.test(code)).toBe(endpoint.readsMedia)
      }
    }
  })
})
