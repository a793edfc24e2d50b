import { describe, expect, it } from 'vitest'
import { exampleLanguages, exampleSources } from '../../../api/catalog/code-example.ts'
import { chains } from '../../../src/chains/chains.ts'
import { endpoints } from '../../../src/endpoints/catalog.ts'
import { useApi } from '../api.ts'
import { createAgent } from './agent.ts'

const api = await useApi()

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
    const ofGroup = endpoints.filter(({ group }) => group === 'audio').map(({ id }) => id)
    expect(live['endpoints'].map(({ id }: { id: string }) => id)).toEqual(ofGroup)
  })

  it.each(endpoints.map(({ id }) => id))('gets the schema of %s as the catalog has it', async (endpoint) => {
    const { body: catalog } = await api.call({ url: '/v1/catalog' })
    const [shown] = catalog.endpoints.filter(({ id }: { id: string }) => id === endpoint)
    expect((await use('svc.get_endpoint_schema', { endpoint, with_result: true })).endpoint).toEqual(shown)
    const { result: _, ...withoutResult } = shown
    expect((await use('svc.get_endpoint_schema', { endpoint })).endpoint).toEqual(withoutResult)
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

  it('reads in the guide how a result is shared', async () => {
    const { steps } = await use('svc.get_agent_guide')
    expect(steps.at(-1)).toMatch(/svc\.create_share .* the owner ends/)
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
    ['clips of the funniest laughs', 'find-funny-clips'],
    ['cut out where she said "budget"', 'find-exact-words'],
    ['a thumbnail for the video', 'pick-thumbnails'],
    ['make my archive searchable', 'searchable-media-memory'],
    ['cut a highlight at 3:20 without cutting words', 'video/clip-near'],
    ['merge two timelines', 'timeline/merge'],
  ])('gets a plan for "%s", and the next best', async (goal, id) => {
    const { content, structuredContent: answer } = await createAgent(api).use('svc.plan_integration', { goal })
    expect(answer['workflow']?.id ?? answer['endpoint']).toBe(id)
    const { workflow, steps, notes, alternatives } = answer
    const { workflows } = await use('svc.list_workflows')
    if (workflow) expect(workflows).toContainEqual(workflow)
    expect([steps.at(-1).tool, notes.length]).toEqual(['svc.get_job_result', expect.toSatisfy((count) => count > 0)])
    for (const { tool } of steps) expect(content[0]?.['text']).toContain(tool)
    expect(alternatives.length).toBeLessThanOrEqual(2)
    for (const { workflow_id, endpoint, summary, needs, price } of [{ ...answer, summary: '' }, ...alternatives]) {
      expect(needs).toMatch(/^Needs (media|results)/)
      expect(price).toMatch(/USD for|Costs nothing/)
      if (summary) expect(content[0]?.['text']).toContain(`\nOr ${workflow_id ?? endpoint}: ${summary}`)
    }
  })

  it('gets a plan that uploads a local file first', async () => {
    const { steps } = await use('svc.plan_integration', { goal: 'find the silences', media: 'file' })
    expect(steps.map(({ tool }: Step) => tool)).toEqual([
      'svc.create_upload',
      'svc.check_job_readiness',
      'svc.create_job',
      'svc.get_job',
      'svc.get_job_result',
    ])
  })

  it('reads with every plan what is not offered, and with no plan why there is none', async () => {
    const none = await use('svc.plan_integration', { goal: 'bake a cake' })
    expect(none).toMatchObject({ workflow: null, steps: [], alternatives: [], notes: [expect.stringMatching(/^No /)] })
    const free = await createAgent(api).use('svc.plan_integration', { goal: 'which files did I upload?' })
    expect(free.structuredContent).toMatchObject({ workflow: null, steps: [], alternatives: [] })
    expect(free.structuredContent['notes'].slice(0, 2)).toEqual([
      expect.stringMatching(/^No endpoint fits/),
      expect.stringMatching(/^svc\.list_uploads lists/),
    ])
    expect(free.content[0]?.['text']).toContain('svc.list_uploads lists')
    const some = await use('svc.plan_integration', { goal: 'translate the subtitles' })
    expect(some['not_offered']).toEqual(none['not_offered'])
    expect(none['not_offered'].join()).toMatch(/translating.*joining.*live streams.*YouTube/)
  })

  it('cannot have a goal of more than 300 characters planned', async () => {
    expect(await createAgent(api).failure('svc.plan_integration', { goal: 'a '.repeat(151) })).toBe('invalid_request')
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
