import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { programsFor } from '../../../web/src/pages/playground/programs.ts'
import { type Offer, offersOf, requestOf } from '../../../web/src/pages/playground/request.ts'

const text = { type: 'string' }
const time = { anyOf: [{ type: 'number' }, { type: 'string' }] }
const properties = {
  queries: { type: 'array', items: text },
  ranges: { type: 'array', items: { type: 'object', properties: { start: time, end: time } } },
  timelines: { type: 'array', items: { type: 'object', properties: { segments: { type: 'array' } } } },
  language: text,
  threshold: {},
  whole_words: { type: 'boolean' },
  count: { type: 'integer' },
}
const endpoint: Offer = {
  ...{ kind: 'endpoint', id: 'audio/find-words', summary: '', readsMedia: true },
  forms: [{ endpoint: 'audio/find-words', properties }],
}

function filled(fields: Readonly<Record<string, string | readonly string[]>>, offer = endpoint) {
  const form = new FormData()
  for (const [name, texts] of Object.entries(fields)) for (const each of [texts].flat()) form.append(name, each)
  return requestOf(offer, form)
}

describe('the request of a form', () => {
  it('has what was filled in, each as its kind', () => {
    const { body } = filled({
      ...{ upload: 'https://a.example/upload', start: '1.5', 'settings.audio/find-words.queries': ["it's", '', '12'] },
      ...{
        'settings.audio/find-words.language': '12',
        'settings.audio/find-words.threshold': 'auto',
        'settings.audio/find-words.whole_words': 'true',
        'settings.audio/find-words.count': '',
      },
    })
    expect(body).toEqual({
      ...{ media_url: 'https://a.example/upload', start: 1.5 },
      settings: { queries: ["it's", '12'], language: '12', threshold: 'auto', whole_words: true },
    })
    const other = { 'settings.audio/find-words.threshold': '-30', url: ' https://b.example/a.mp3 ', upload: 'x' }
    expect(filled(other).body).toEqual({ media_url: 'https://b.example/a.mp3', settings: { threshold: -30 } })
  })

  it('has the rows of a list that are filled in, and other lists as JSON', () => {
    const { body } = filled({
      'settings.audio/find-words.ranges.start': ['1', '', '1:30'],
      'settings.audio/find-words.ranges.end': ['2.5', '', ''],
      'settings.audio/find-words.timelines': '[{ "segments": [] }]',
    })
    const ranges = [
      { start: 1, end: 2.5 },
      { start: '1:30', end: '' },
    ]
    expect(body).toEqual({ settings: { ranges, timelines: [{ segments: [] }] } })
  })

  it('has the settings of each step of a chain, without those that the chain sets', () => {
    const catalog = [
      { id: 'audio/find-words', summary: '', needs: { media: true }, settings: { properties } },
      { id: 'timeline/merge', summary: '', needs: { media: false }, settings: { properties: { job_ids: text } } },
    ]
    const steps = [
      { endpoint: 'audio/find-words', filled: ['ranges'] },
      { endpoint: 'timeline/merge', filled: ['job_ids'] },
    ]
    const about = { summary: '', stage: 'live' as const, steps }
    const offers = offersOf(catalog, [
      { id: 'a-chain', ...about },
      { id: 'later', ...about, stage: 'preview' },
    ])
    expect(offers.map(({ id }) => id)).toEqual(['audio/find-words', 'timeline/merge', 'a-chain'])
    const chain = offers.at(-1)
    expect(chain?.forms.map((form) => form.endpoint)).toEqual(['audio/find-words'])
    const fields = {
      upload: 'https://a.example/upload',
      'settings.audio/find-words.count': '3',
      'settings.audio/find-words.ranges.start': '1',
    }
    expect(filled(fields, chain)).toEqual({
      ...{ kind: 'chain', id: 'a-chain' },
      body: { media_url: 'https://a.example/upload', settings: { 'audio/find-words': { count: 3 } } },
    })
  })

  it('has times in every form that the service takes', () => {
    expect(filled({ upload: 'https://a.example/upload', start: '1:30', end: ' 00:02:00.5 ' }).body).toEqual({
      ...{ media_url: 'https://a.example/upload', start: '1:30', end: '00:02:00.5' },
    })
  })

  it('has nothing that was left empty', () => {
    expect(filled({ upload: '', start: '', end: ' ', 'settings.audio/find-words.language': '' }).body).toEqual({})
  })
})

describe.each(['endpoint', 'chain'] as const)('a program sends the request of an %s, whatever its texts', (kind) => {
  const isChain = kind === 'chain'
  const id = isChain ? 'clean-speech' : 'audio/find-words'
  const body = {
    ...{ media_url: 'https://a.example/é"x', end: 2.5 },
    settings: {
      queries: [`it's "so" \\ $HOME \`id\``, '\u2028'],
      whole_words: false,
      language: null,
      depth: { a: [1] },
    },
  }
  const { curl, TypeScript, Python } = programsFor('https://api.example', { kind, id, body })

  it('with curl', () => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`
    const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0')
    const path = isChain ? '/v1/workflows/clean-speech/runs?wait=60' : '/v1/jobs?wait=20'
    expect(sent).toContain(`https://api.example${path}`)
    const data: unknown = JSON.parse(sent[sent.indexOf('--data') + 1] ?? '')
    expect(data).toEqual(isChain ? { mode: 'run_all', ...body } : { endpoint: id, ...body })
  })

  it('with the TypeScript client', async () => {
    const client = `class MediaTimeline {
      constructor(options) { this.baseUrl = options.baseUrl }
      jobs = { run: async ({ endpoint, ...body }) => ({ result: JSON.stringify([this.baseUrl, endpoint, body]) }) }
      workflowRuns = { run: async (...sent) => ({ result: JSON.stringify([this.baseUrl, ...sent]) }) }
    }`
    const script = TypeScript.replace("import { MediaTimeline } from 'media-timeline'", client)
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual(['https://api.example', id, body])
  })

  it('with the Python client', () => {
    const client = `import json
class MediaTimeline:
    def __init__(self, base_url): self.${isChain ? 'workflow_runs' : 'jobs'} = self
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def run(self, id, **named): return {"result": json.dumps([id, named])}
`
    const script = Python.replace('from media_timeline import MediaTimeline\n', client)
    expect(JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' }))).toEqual([id, body])
  })
})
