import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { programsFor } from '../../../web/src/pages/playground/programs.ts'
import { type Offered, requestOf } from '../../../web/src/pages/playground/request.ts'

const endpoint: Offered = {
  id: 'audio/find-words',
  summary: '',
  needs: { media: true },
  settings: {
    properties: {
      queries: { type: 'array' },
      language: { type: 'string' },
      threshold: {},
      whole_words: { type: 'boolean' },
      count: { type: 'integer' },
    },
  },
}

function filled(fields: Readonly<Record<string, string>>) {
  const form = new FormData()
  for (const [name, text] of Object.entries(fields)) form.set(name, text)
  return requestOf(endpoint, form)
}

describe('the request of a form', () => {
  it('has what was filled in, each as its kind', () => {
    const request = filled({
      ...{ upload: 'https://a.example/upload', start: '1.5', 'settings.queries': '["it\'s", "$HOME"]' },
      ...{
        'settings.language': '12',
        'settings.threshold': 'auto',
        'settings.whole_words': 'true',
        'settings.count': '',
      },
    })
    expect(request).toEqual({
      ...{ endpoint: 'audio/find-words', media_url: 'https://a.example/upload', start: 1.5 },
      settings: { queries: ["it's", '$HOME'], language: '12', threshold: 'auto', whole_words: true },
    })
    expect(filled({ 'settings.threshold': '-30', url: ' https://b.example/a.mp3 ', upload: 'x' })).toEqual({
      ...{ endpoint: 'audio/find-words', media_url: 'https://b.example/a.mp3', settings: { threshold: -30 } },
    })
  })

  it('has times in every form that the service takes', () => {
    expect(filled({ upload: 'https://a.example/upload', start: '1:30', end: ' 00:02:00.5 ' })).toEqual({
      ...{ endpoint: 'audio/find-words', media_url: 'https://a.example/upload', start: '1:30', end: '00:02:00.5' },
    })
  })

  it('has nothing that was left empty', () => {
    expect(filled({ upload: '', start: '', end: ' ', 'settings.language': '' })).toEqual({
      endpoint: 'audio/find-words',
    })
  })
})

describe('a program sends the request, whatever its texts', () => {
  const request = {
    ...{ endpoint: 'audio/find-words', media_url: 'https://a.example/é"x', end: 2.5 },
    settings: {
      queries: [`it's "so" \\ $HOME \`id\``, '\u2028'],
      whole_words: false,
      language: null,
      depth: { a: [1] },
    },
  }
  const { curl, TypeScript, Python } = programsFor('https://api.example', request)

  it('with curl', () => {
    const script = `curl() { printf '%s\\0' "$@"; }\n${curl}`
    const sent = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0')
    expect(sent).toContain('https://api.example/v1/jobs?wait=20')
    expect(JSON.parse(sent[sent.indexOf('--data') + 1] ?? '')).toEqual(request)
  })

  it('with the TypeScript client', async () => {
    const client = `class MediaTimeline {
      constructor(options) { this.baseUrl = options.baseUrl }
      jobs = { run: async (request) => ({ result: JSON.stringify({ baseUrl: this.baseUrl, request }) }) }
    }`
    const script = TypeScript.replace("import { MediaTimeline } from 'media-timeline'", client)
    const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
    expect(JSON.parse(printed)).toEqual({ baseUrl: 'https://api.example', request })
  })

  it('with the Python client', () => {
    const client = `import json
class MediaTimeline:
    def __init__(self, base_url): self.jobs = self
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def run(self, endpoint, **named): return {"result": json.dumps({"endpoint": endpoint, **named})}
`
    const script = Python.replace('from media_timeline import MediaTimeline\n', client)
    expect(JSON.parse(execFileSync('python3', ['-c', script], { encoding: 'utf8' }))).toEqual(request)
  })
})
