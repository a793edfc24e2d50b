import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { tools } from '../../api/mcp/tool-list.ts'
import { conformanceCommand, declaredMcpClients, noMcpClients, pythonPackages } from '../setup/mcp-clients.ts'
import { type SharedService, useSharedService } from './shared-service.ts'
import { serveSuiteTools } from './suite-tools.ts'

const run = promisify(execFile)
const skipped = noMcpClients ? ` (skipped: ${noMcpClients})` : ''

describe.skipIf(noMcpClients)(`POST /mcp and clients that others wrote${skipped}`, () => {
  let service: SharedService
  let url: string
  let mediaUrl: string
  beforeAll(async () => {
    service = await useSharedService()
    url = `${service.baseUrl}/mcp`
    mediaUrl = await service.client.upload('test/fixtures/speech.wav')
  })

  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('the conformance suite of version %s', async (version) => {
    const [node, script] = conformanceCommand()
    const baseline = path.join(declaredMcpClients, 'expected-failures.yml')
    const options = ['--suite', 'all', '--spec-version', version, '--expected-failures', baseline]
    const { stdout } = await run(node, [script, 'server', '--url', url, ...options])
    expect(stdout).toContain('Baseline check passed')
  })

  // Jobs and runs stand for the tools of the suite's own server that tasks begin with.
  it.each([
    'tasks-capability-negotiation',
    'tasks-dispatch-and-envelope',
    'tasks-lifecycle',
    'tasks-mrtr-composition',
    'tasks-mrtr-input',
    'tasks-request-headers',
    'tasks-request-state-removal',
    'tasks-required-task-error',
    'tasks-status-notifications',
    'tasks-wire-fields',
  ])('the scenario %s of the conformance suite', async (scenario) => {
    const pictureUrl = await service.client.upload('test/fixtures/astronaut.jpg')
    let starts = 0
    const job = (media_url: string) => {
      starts += 0.01
      return { name: 'svc.create_job', arguments: { endpoint: 'audio/detect-silence', media_url, start: starts } }
    }
    const chain = { workflow_id: 'remove-dead-space', media_url: mediaUrl, media_seconds: 60, mode: 'run_all' }
    const standIns: Record<string, () => { name: string; arguments: object }> = {
      greet: () => ({ name: 'svc.get_agent_guide', arguments: {} }),
      slow_compute: () => job(mediaUrl),
      failing_job: () => job(pictureUrl),
      confirm_delete: () => ({ name: 'svc.create_workflow_job', arguments: chain }),
    }
    const suite = await serveSuiteTools({ mcpUrl: url, key: service.token, standIn: (name) => standIns[name]?.() })
    const [node, script] = conformanceCommand()
    const baseline = path.join(declaredMcpClients, 'expected-failures.yml')
    const options = ['--url', suite.url, '--scenario', scenario, '--expected-failures', baseline]
    const { stdout } = await run(node, [script, 'server', ...options]).finally(suite.close)
    expect(stdout).toContain('Baseline check passed')
  })

  const answersSchema = z.object({
    statuses: z.array(z.number()),
    failed: z.boolean().default(false),
    message: z.string().optional(),
    version: z.string().optional(),
    tools: z.array(z.string()).optional(),
    guide: z.object({ steps: z.array(z.unknown()) }).optional(),
    refusal: z.object({ error: z.object({ code: z.string() }) }).optional(),
    progress: z.array(z.tuple([z.number(), z.number(), z.string()])).optional(),
    status: z.string().optional(),
    result: z.object({ silences: z.array(z.unknown()) }).optional(),
    read: z.array(z.string()).optional(),
  })

  /** Runs client.py, with a key or without one. */
  async function python(mode: string, key?: string) {
    const script = path.join(declaredMcpClients, 'client.py')
    const env = { PATH: process.env['PATH'], PYTHONPATH: pythonPackages, ...(key ? { API_KEY: key } : {}) }
    const { stdout } = await run('python3', [script, url, mode, mediaUrl], { env })
    return answersSchema.parse(JSON.parse(stdout))
  }

  describe.each([
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ])('the Python client, mode %s', (mode, version) => {
    it('lists, calls, and waits for a job with progress', async () => {
      const { progress = [], ...answers } = await python(mode, service.token)
      expect(answers).toMatchObject({
        version,
        failed: false,
        tools: tools.map(({ name }) => `svc.${name}`),
        refusal: { error: { code: 'invalid_request' } },
        status: 'completed',
      })
      expect(answers.result?.silences.length).toBeGreaterThan(0)
      // A client that ignores structured content reads the state, and every time that was found.
      const [state, found] = answers.read ?? []
      expect(state).toContain('is completed for')
      expect(found).toMatch(/silences: (\d+) of \1, in seconds: [\d.]+–[\d.]+/)
      const fractions = progress.map(([fraction]) => fraction)
      expect(fractions).toEqual([...new Set(fractions)].toSorted((a, b) => a - b))
      expect(progress.at(-1)).toEqual([1, 1, 'audio/detect-silence is completed'])
    })

    it('calls public tools without a key, and is refused where one is needed', async () => {
      const { statuses, failed, message, guide, status } = await python(mode)
      expect([statuses.at(-1), failed, status]).toEqual([401, true, undefined])
      expect(message).toContain('missing_api_key: Send your API key as')
      expect(guide?.steps.length).toBeGreaterThan(3)
    })

    it('is refused immediately with a wrong key', async () => {
      const { statuses, failed, message, version: agreed } = await python(mode, `${service.token.slice(0, -1)}_`)
      expect([new Set(statuses), failed, agreed]).toEqual([new Set([401]), true, undefined])
      expect(message).toContain('invalid_api_key: ')
    })
  })
})
