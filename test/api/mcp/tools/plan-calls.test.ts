import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jobRequest, validateJobRequest } from '../../../../api/jobs/validate.ts'
import { tools } from '../../../../api/mcp/tool-list.ts'
import {
  callsOf,
  exportNote,
  notesOnPlaceholders,
  refusePlaceholders,
} from '../../../../api/mcp/tools/plan-integration.ts'
import { chains } from '../../../../src/chains/chains.ts'
import { endpoints, liveEndpoint } from '../../../../src/endpoints/catalog.ts'
import { parseSettings } from '../../../../src/endpoints/parse-settings.ts'

const works = [...chains, ...endpoints]
const id = 'job_Abcdefghijklmnopqrstuv12'
const values: Readonly<Record<string, string>> = {
  '<media_url>': 'https://media.example/talk.mp4',
  '<start>': '10',
  '<end>': '20',
  '<time>': '10',
  '<earlier_job_id>': id,
  '<another_job_id>': id.replace('12', '13'),
  '<job_id>': id,
  '<run_id>': id.replace('job', 'run'),
  '<idempotency_key>': 'mine',
  '<filename>': 'talk.mp4',
}
const filled = (given: object): unknown =>
  JSON.parse(
    JSON.stringify(given).replaceAll(/"(<[^">]*>)"/g, (_, placeholder) =>
      JSON.stringify(values[placeholder] ?? 'budget'),
    ),
  )

describe.each(works)('the calls of a plan for $id', (work) => {
  const calls = callsOf(work, 'file')

  it('are calls of tools, with arguments that they take', () => {
    for (const call of calls) {
      const tool = tools.find(({ name }) => `svc.${name}` === call.tool) ?? expect.fail(call.tool)
      expect(tool.input.safeParse(filled(call.arguments)).error).toBeUndefined()
    }
  })

  it('say how to replace each placeholder', () => {
    const open = [...new Set(JSON.stringify(calls.map((call) => call.arguments)).match(/(?<=")<[^">]*>(?=")/g))]
    const endpointIds = 'steps' in work ? work.steps : [work.id]
    const notes = notesOnPlaceholders(calls, endpointIds)
    expect(notes).toHaveLength(open.length)
    for (const placeholder of open) {
      expect(notes.join('\n')).toContain(`Replace ${placeholder} by`)
      expect(() => refusePlaceholders({ settings: { queries: [placeholder] } })).toThrow(`Replace ${placeholder},`)
    }
  })

  it('upload the file that they read, and nothing where no media is read', () => {
    const readsMedia = 'steps' in work || work.readsMedia
    expect(calls[0]?.tool === 'svc.create_upload').toBe(readsMedia)
    expect(callsOf(work, 'url')).toEqual(calls.filter(({ tool }) => tool !== 'svc.create_upload'))
    expect(JSON.stringify(calls).includes('<media_url>')).toBe(readsMedia)
  })
})

it.each(endpoints)('the plan for $id says how to replace what it leaves open as its declaration does', (endpoint) => {
  const notes = notesOnPlaceholders(callsOf(endpoint, 'url'), [endpoint.id])
  for (const [placeholder, meaning] of Object.entries(endpoint.open?.placeholders ?? {}))
    expect(notes).toContain(`Replace ${placeholder} by ${meaning}.`)
})

it.each(endpoints)('the job of a plan for $id is accepted once its placeholders are replaced', (endpoint) => {
  const call = callsOf(endpoint, 'url').find(({ tool }) => tool === 'svc.create_job') ?? expect.fail()
  const { idempotency_key: _, ...request } = call.arguments
  expect(validateJobRequest(jobRequest.parse(filled(request))).warnings).toEqual([])
})

it.each(chains)('the run of a plan for $id is accepted once its placeholders are replaced', (chain) => {
  const call = callsOf(chain, 'url').at(-3) ?? expect.fail()
  const { settings = {} } = z
    .object({ settings: z.record(z.string(), z.record(z.string(), z.unknown())).optional() })
    .parse(filled(call.arguments))
  expect(chain.validate?.(settings)).toBeUndefined()
  for (const [step, given] of Object.entries(settings)) parseSettings(liveEndpoint(step), given)
})

it.each([
  ['mark every laugh in Premiere', /what=markers, which leaves the media whole/],
  ['a cut list of the silences for DaVinci Resolve', /what=cuts, which plays what was found/],
  ['put markers on an EDL', /what=markers, which/],
])('a plan to %s says how the times get into the editor', (goal, note) => {
  expect(exportNote(goal).join()).toMatch(note)
})

it('a plan for no editor says nothing of exports', () => {
  expect(exportNote('remove the silences of a podcast')).toEqual([])
})

it.each([
  ['make an SRT of my interview', false],
  ['transcribe a lecture', false],
  ['what does he say about pricing', true],
  ['find every mention of the refund policy in the transcript', true],
])('the plan to %s leaves words to search for open: %s', (goal, isOpen) => {
  const calls = JSON.stringify(callsOf(liveEndpoint('audio/find-words'), 'url', goal))
  expect(calls.includes('<words>')).toBe(isOpen)
})
