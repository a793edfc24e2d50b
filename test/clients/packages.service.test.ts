import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { buildTypescriptClient } from '../../scripts/clients.ts'
import { endpoints, exampleOf } from '../../src/endpoints/catalog.ts'
import { type SharedService, useSharedService } from '../e2e/shared-service.ts'
import { fixture } from '../fixtures/make.ts'
import { untilFound } from '../until-found.ts'
import { startReceiver } from '../webhooks/receiver.ts'
import { isSignedWith } from '../webhooks/verify.ts'

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

// Both packages as their users get them: packed, installed in an empty folder, type-checked strictly, and run.

const watchedRuns = z.object({
  runs: z.array(z.object({ id: z.string(), metadata: z.record(z.string(), z.string()).default({}) })),
})

const directive = z.object({ id: z.string(), status: z.string() })

/** How a program ended that failed. */
const ended = z.object({ code: z.number(), stdout: z.string(), stderr: z.string() })

const root = path.join(import.meta.dirname, '..', '..')
const execute = promisify(execFile)

let service: SharedService
let folder: string
let env: NodeJS.ProcessEnv
beforeAll(async () => {
  service = await useSharedService()
  folder = await mkdtemp(path.join(tmpdir(), 'clients-'))
  env = {
    ...{ PATH: process.env['PATH'], HOME: folder, PYTHONUTF8: '1' },
    ...{ MEDIA_TIMELINE_URL: service.baseUrl, MEDIA_TIMELINE_API_KEY: service.token },
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = async (cwd: string, file: string, ...args: readonly string[]) =>
  (await execute(file, [...args], { cwd, env })).stdout

/** The examples of a README in a language. */
async function examplesOf(readme: string, language: string): Promise<string[]> {
  const text = await readFile(path.join(root, 'clients', readme, 'README.md'), 'utf8')
  return [...text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code)
}

/** The strictest types, of the files of a folder. */
const strictConfig = (files: readonly string[]) =>
  JSON.stringify({
    compilerOptions: {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, target: 'es2023' },
      ...{ module: 'nodenext', types: ['node'], typeRoots: [path.join(root, 'node_modules', '@types')], outDir: 'out' },
    },
    files,
  })

/** The example of each endpoint, on media that it reads. */
async function declaredRequests() {
  const film = await service.client.upload(await fixture('long-film.mp4'))
  // Looking for text in a minute of noise takes two minutes of processor time.
  const slides = await service.client.upload(await fixture('slides.mp4'))
  return endpoints.map((endpoint) => {
    const media_url = endpoint.id === 'video/text-frames' ? slides : film
    return { ...exampleOf(endpoint), ...(endpoint.readsMedia && { media_url }) }
  })
}

/** What a program printed of the jobs of all endpoints: the result of each has all that its declaration promises. */
function expectEveryResult(printed: string): void {
  const jobs = z.array(z.tuple([z.string(), z.looseObject({})])).parse(JSON.parse(printed))
  expect(jobs.map(([endpoint]) => endpoint)).toEqual(endpoints.map(({ id }) => id))
  for (const [index, [id, result]] of jobs.entries()) {
    const fields = Object.entries(endpoints[index]?.result.shape ?? {})
    const promised = fields.filter(([, field]) => !z.safeParse(field, undefined).success).map(([name]) => name)
    expect([id, Object.keys(result)]).toEqual([id, expect.arrayContaining(promised)])
  }
}

/** Where the TypeScript package is installed. */
let project: string

describe('the TypeScript package', () => {
  beforeAll(async () => {
    const built = path.join(folder, 'built')
    await buildTypescriptClient(root, built)
    await run(built, 'npm', 'pack', '--pack-destination', folder)
    project = path.join(folder, 'typescript')
    await mkdir(project)
    const tarball = path.join(folder, 'media-timeline-0.4.0.tgz')
    await writeFile(path.join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
    await run(project, 'npm', 'install', '--offline', '--no-audit', '--no-fund', tarball)
    await cp(path.join(root, 'test', 'fixtures', 'speech.wav'), path.join(project, 'talk.mp4'))
  })

  async function compile(files: readonly string[]): Promise<void> {
    await writeFile(path.join(project, 'tsconfig.json'), strictConfig(files))
    await run(project, process.execPath, path.join(root, 'node_modules', 'typescript', 'bin', 'tsc'))
  }

  it('runs every endpoint: its declared example passes the strictest types, and its result is whole', async () => {
    const code = `
      import { MediaTimeline } from 'media-timeline'
      const client = new MediaTimeline()
      const jobs = await Promise.all([${(await declaredRequests()).map((request) => `client.jobs.run(${JSON.stringify(request)})`).join()}])
      console.log(JSON.stringify(jobs.map(({ endpoint, result }) => [endpoint, result])))`
    await writeFile(path.join(project, 'every.ts'), code)
    await compile(['every.ts'])
    expectEveryResult(await run(project, process.execPath, path.join('out', 'every.js')))
  })

  it('has a README whose examples pass the strictest types and run', async () => {
    const examples = await examplesOf('typescript', 'ts')
    expect(examples.length).toBeGreaterThanOrEqual(4)
    const files = examples.map((_, index) => `example-${index}.ts`)
    for (const [index, code] of examples.entries()) await writeFile(path.join(project, `example-${index}.ts`), code)
    await compile(files)
    const start = (file: string) => run(project, process.execPath, path.join('out', file.replace('.ts', '.js')))
    // It leaves the jobs that another lists.
    const search = await start(files[0] ?? '')
    const [chain = '', batch = '', lists = '', refused = ''] = await Promise.all(files.slice(1).map(start))
    expect(search).toMatch(/^\d+(\.\d+)? \d/)
    expect(search).toMatch(/http\S+ 0\.\d+\n$/)
    expect(chain).toMatch(/^at most 0\.\d+ USD\nhttp[\s\S]+TITLE:/)
    expect(batch).toMatch(/^1 0\n/)
    expect(lists).toMatch(/^job_\w+ audio\/detect-silence /m)
    expect(refused).toMatch(/media/)
  })

  it('has a command that ends without a word when its reader has enough', async () => {
    const shell = 'npx --offline media-timeline --help | true'
    expect(await execute('sh', ['-c', shell], { cwd: project, env })).toMatchObject({ stdout: '', stderr: '' })
  })

  it('has a command that finds, cuts and lists', async () => {
    const command = (...args: readonly string[]) => run(project, 'npx', '--offline', 'media-timeline', ...args)
    expect(await command('detect', 'silence', 'talk.mp4', '--threshold', '-30')).toMatch(
      /^\d+:\d\d\.\d\t\d+:\d\d\.\d\n/,
    )
    expect(await command('cut', 'talk.mp4', '--from', '0:01', '--to', '2', '--format', 'wav', '-o', 'out.wav')).toBe(
      'out.wav\n',
    )
    expect((await readFile(path.join(project, 'out.wav'))).subarray(0, 4).toString()).toBe('RIFF')
    const ranges = [
      'cut',
      'talk.mp4',
      '--ranges',
      '0:01-0:02,3.5-4',
      '--format',
      'wav',
      '-o',
      path.join('new', 'folder'),
    ]
    expect(await command(...ranges)).toMatch(/^new\/folder\/\S+\.wav\n$/)
    expect(await command('words', 'talk.mp4', '--queries', 'asterisk, voice')).toMatch(/\tAsterisk/i)
    expect(await command('words', 'talk.mp4', '--queries', 'rhinoceros')).toBe('')
    const jobs: { endpoint: string; id: string }[] = JSON.parse(await command('--json', 'jobs', '--limit', '2'))
    expect(jobs.map(({ endpoint }) => endpoint)).toEqual(['audio/find-words', 'audio/find-words'])
    expect(await command('export', jobs[1]?.id ?? '', '--as', 'csv')).toContain('start')
    expect(await command('usage')).toMatch(/^total\t/m)
  })

  it('has a command that says by its exit code how it ended, and refuses prices above its limit', async () => {
    const command = (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
      execute('npx', ['--offline', 'media-timeline', ...args], { cwd: project, env: { ...env, ...more } }).then(
        ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
        (error: unknown) => ended.parse(error),
      )
    const dear = await command(['words', 'talk.mp4', '--max-price', '0'])
    expect(dear).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('Nothing was run.') })
    expect((await command(['words', 'missing.mp4'])).code).toBe(1)
    expect((await command(['cut', 'talk.mp4'])).stderr).toContain('--ranges')
    expect((await command(['cut', 'talk.mp4', '--ranges', '3'])).stderr).toContain('0:05-0:10')
    const loud = ['remove-dead-space', 'talk.mp4', '--threshold', 'loud']
    expect((await command(loud)).stderr).toMatch(/^--threshold: (?!.*settings)/)
    const limits = ['--run', 'remove-dead-space', '--max-price', '0.10']
    expect((await command(['watch', 'missing', ...limits])).stderr).toContain('no folder')
    const itself = ['watch', project, ...limits, '-o', project]
    expect((await command(itself)).stderr).toContain('would be watched')
    for (const words of [['login'], ['cut'], ['detect', 'silence'], ['run', 'find-highlights']])
      expect((await command([...words, '--help'])).stdout).toContain('--url')
    const batch = (await command(['batch', 'remove-dead-space', '--help'])).stdout.replaceAll(/\s+/g, ' ')
    expect(batch).toMatch(/--max-price <dollars> Required: at most/)
    expect(batch).toMatch(/--threshold <value> .*Takes a number or auto\./)
    expect((await command(['--url', 'nonsense', 'jobs'])).stderr).toContain('"nonsense" is no address')
    expect((await command(['jobs'], { MEDIA_TIMELINE_API_KEY: 'mt_live_wrong' })).code).toBe(4)
    expect((await command(['jobs'], { MEDIA_TIMELINE_API_KEY: '' })).stderr).toContain('media-timeline login')
    await writeFile(path.join(project, 'text.mp4'), 'not media')
    const failed = await command(['--json', 'detect', 'silence', 'text.mp4'])
    expect([1, 3]).toContain(failed.code)
    expect(JSON.parse(failed.stderr).error.message).toBeTypeOf('string')
  })
})

describe('the command', () => {
  /** Starts it, for as long as the test says, with its lines on stdout and what it has written to stderr. */
  function start(args: readonly string[]) {
    const child = spawn(process.execPath, [path.join(project, 'node_modules', '.bin', 'media-timeline'), ...args], {
      cwd: project,
      env,
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let notes = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      notes += text
    })
    const lines: string[] = []
    createInterface(child.stdout).on('line', (line) => lines.push(line))
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const stop = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    }
    return { lines, stop, ended, note: (text: string) => untilFound(() => notes.includes(text) && notes) }
  }

  it('runs a chain by its name, and saves what it makes', async () => {
    const saved = await run(
      project,
      'npx',
      '--offline',
      'media-timeline',
      'run',
      'remove-dead-space',
      'talk.mp4',
      '--preset',
      'tight',
      '--max-price',
      '0.10',
      '-o',
      'tight.wav',
    )
    expect(saved).toBe('tight.wav\n')
    expect((await readFile(path.join(project, 'tight.wav'))).length).toBeGreaterThan(1_000)
  })

  it('runs a chain on many files, and says which failed', async () => {
    await writeFile(path.join(project, 'text.mp4'), 'not media')
    const settings = ['--preset', 'tight', '--max-price', '0.10', '-o', 'shorter']
    const batch = start(['batch', 'remove-dead-space', 'talk.mp4', 'text.mp4', ...settings])
    expect(await batch.ended).toBe(3)
    const [saved = ''] = await readdir(path.join(project, 'shorter'))
    expect(batch.lines[0]?.split('\t').at(-1)).toBe(path.join('shorter', saved))
    const told = batch.lines.map((line) => line.split('\t').slice(0, 2))
    expect(told).toEqual([
      ['talk.mp4', 'completed'],
      ['text.mp4', 'failed'],
    ])
    await batch.note('1 of 2 failed. (bat_')
  })

  it('creates, stops, lists and deletes a directive', async () => {
    const directives = (...args: readonly string[]) =>
      run(project, 'npx', '--offline', 'media-timeline', '--json', 'directives', ...args)
    const limits = ['--match', 'rare-*.mp4', '--max-price', '0.10', '--monthly-cap', '2']
    const { id } = directive.parse(JSON.parse(await directives('create', '--run', 'clean-speech', ...limits)))
    expect(directive.parse(JSON.parse(await directives('off', id)))).toEqual({ id, status: 'off' })
    expect(z.array(directive).parse(JSON.parse(await directives()))).toContainEqual({ id, status: 'off' })
    await directives('delete', id)
    expect(await directives()).not.toContain(id)
  })

  it('watches a folder: each new file once, also those that come while it is stopped, and over a kill', async () => {
    const watched = path.join(folder, 'watched')
    await mkdir(watched)
    const put = (name: string) => cp(path.join(project, 'talk.mp4'), path.join(watched, name))
    const made = path.join(folder, 'made')
    const options = ['--run', 'remove-dead-space', '--max-price', '0.10', '--output', made]
    const settings = JSON.stringify({ 'audio/detect-silence': { threshold: -30 } })
    const watch = () => start(['watch', watched, ...options, '--settings', settings])
    const runs = async () => {
      const { body } = await service.client.send('GET', '/v1/workflow-runs?limit=100')
      return watchedRuns.parse(body).runs.filter(({ metadata }) => metadata['watched'] !== undefined)
    }
    await put('old.wav')
    const first = watch()
    await first.note('Watching')
    expect(await first.stop('SIGTERM')).toBe(2)
    await put('a.wav')
    const second = watch()
    const [begun] = await untilFound(async () => (await runs()).length > 0 && runs())
    await second.stop('SIGKILL')
    const third = watch()
    await untilFound(() => third.lines.length > 0)
    await put('b.wav')
    await untilFound(() => third.lines.length > 1)
    await third.stop('SIGTERM')
    const told = third.lines.map((line) => line.split('\t').slice(0, 3))
    expect(told).toEqual([
      ['a.wav', begun?.id, 'completed'],
      ['b.wav', expect.stringMatching(/^run_/), 'completed'],
    ])
    expect(await runs()).toHaveLength(2)
    expect(await readdir(made)).toEqual(['a.wav', 'b.wav'])
    expect((await readdir(path.join(made, 'a.wav'))).join()).toMatch(/^\S+\.\w+$/)
    const newest = await run(project, 'npx', '--offline', 'media-timeline', 'runs', '--limit', '1')
    expect(newest).toMatch(/^run_\w+\tcompleted\tremove-dead-space\t\$0\.\d+\t2\d{3}-\d\d-\d\d \d\d:\d\d\tb\.wav\n$/)
  })

  it('listens: forwards each event, signed with a secret of its own', async () => {
    const receiver = await startReceiver()
    onTestFinished(receiver.stop)
    const listening = start(['listen', '--forward-to', receiver.url, '--type', 'job.completed'])
    const notes = await listening.note('Waiting for events')
    const secret = /whsec_\S+/.exec(notes)?.[0] ?? ''
    await run(project, 'npx', '--offline', 'media-timeline', 'detect', 'silence', 'talk.mp4')
    const event = await untilFound(() => receiver.received[0])
    expect(isSignedWith(secret, event)).toBe(true)
    await untilFound(() => listening.lines.length > 0)
    expect(listening.lines[0]).toMatch(/\tjob\.completed\tevt_\w+\t200$/)
    expect(await listening.stop('SIGTERM')).toBe(2)
  })

  it.each([
    [['det'], ['detect']],
    [
      ['detect', ''],
      ['silence', 'energy', 'laughter'],
    ],
    [
      ['words', 'talk.mp4', '--'],
      ['--queries', '--max-price', '--json'],
    ],
  ])('completes %j', async (words, some) => {
    const found = (await run(project, 'npx', '--offline', 'media-timeline', 'complete', '--', ...words)).split('\n')
    expect(found).toEqual(expect.arrayContaining(some))
  })

  it('completes in bash', async () => {
    const keys =
      'eval "$(media-timeline completion bash)"; COMP_WORDS=(media-timeline detect si); COMP_CWORD=2; _media_timeline; echo "$COMPREPLY"'
    const PATH = [path.join(project, 'node_modules', '.bin'), env['PATH']].join(path.delimiter)
    const { stdout } = await execute('bash', ['-c', keys], { cwd: project, env: { ...env, PATH } })
    expect(stdout).toBe('silence\n')
  })

  it('starts a checkout of the service, from a folder in it, and ends as it does', async () => {
    const checkout = path.join(folder, 'checkout')
    await mkdir(path.join(checkout, 'src'), { recursive: true })
    const scripts = { start: 'node -e "console.log(process.cwd()); process.exitCode = 7"' }
    await writeFile(
      path.join(checkout, 'package.json'),
      JSON.stringify({ name: 'media-timeline', private: true, scripts }),
    )
    const dev = (cwd: string) =>
      execute(process.execPath, [path.join(project, 'node_modules', '.bin', 'media-timeline'), 'dev'], {
        cwd,
        env,
      }).catch((error: unknown) => ended.parse(error))
    expect(await dev(path.join(checkout, 'src'))).toMatchObject({ code: 7, stdout: expect.stringContaining(checkout) })
    expect(await dev(project)).toMatchObject({ code: 1, stderr: expect.stringContaining('no checkout') })
  })
})

const packages = process.env['TEST_PYTHON_CLIENT']
const bothClients = z.object({
  told: z.array(z.array(z.string())),
  requests: z.array(z.array(z.array(z.string()))),
})

describe.skipIf(!packages)('the Python package', () => {
  let project: string
  beforeAll(async () => {
    project = path.join(folder, 'python')
    await mkdir(project)
    const source = path.join(folder, 'python-source')
    await cp(path.join(root, 'clients', 'python'), source, { recursive: true })
    env = { ...env, PYTHONPATH: packages }
    const pip = ['-m', 'pip', '--no-input', '--disable-pip-version-check']
    await run(
      source,
      'python3',
      ...pip,
      'wheel',
      '--no-deps',
      '--no-build-isolation',
      '--no-index',
      '-w',
      folder,
      source,
    )
    const wheel = path.join(folder, 'media_timeline-0.4.0-py3-none-any.whl')
    await run(
      project,
      'python3',
      ...pip,
      'install',
      '--no-deps',
      '--no-index',
      '--target',
      path.join(project, 'site'),
      wheel,
    )
    env = { ...env, PYTHONPATH: [path.join(project, 'site'), packages].join(path.delimiter) }
    await cp(path.join(root, 'test', 'fixtures', 'speech.wav'), path.join(project, 'talk.mp4'))
  })

  it('has a README whose examples pass mypy --strict and run', async () => {
    const examples = await examplesOf('python', 'python')
    const files = examples.map((_, index) => `example_${index}.py`)
    for (const [index, code] of examples.entries()) await writeFile(path.join(project, `example_${index}.py`), code)
    await run(project, 'python3', '-m', 'mypy', '--strict', ...files)
    const [search = '', chain = '', batch = '', refused = ''] = await Promise.all(
      files.map((file) => run(project, 'python3', file)),
    )
    expect(search).toMatch(/^\d+(\.\d+)? \d/)
    expect(chain).toMatch(/^http[\s\S]+TITLE:/)
    expect(batch).toMatch(/^completed 1 0\noff\nevt_\w+ bat_\w+\n$/)
    expect(refused).toMatch(/media/)
  })

  it('runs every endpoint: its declared example passes mypy --strict, and its result is whole', async () => {
    const calls = (await declaredRequests()).map(({ endpoint, ...request }) => {
      const named = Object.entries(request).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
      return `  client.jobs.run(${[JSON.stringify(endpoint), ...named].join(', ')}),`
    })
    const code = ['import json', 'from media_timeline import MediaTimeline', '', 'client = MediaTimeline()']
    const print = 'print(json.dumps([[job["endpoint"], job["result"]] for job in jobs]))'
    await writeFile(path.join(project, 'every.py'), [...code, 'jobs = [', ...calls, ']', print].join('\n'))
    await run(project, 'python3', '-m', 'mypy', '--strict', 'every.py')
    expectEveryResult(await run(project, 'python3', 'every.py'))
  })

  it('tries again under one key, and reads page by page, with and without await', async () => {
    await cp(path.join(root, 'test', 'clients', 'python', 'both_clients.py'), path.join(project, 'both_clients.py'))
    await run(project, 'python3', '-m', 'mypy', '--strict', 'both_clients.py')
    const { told, requests } = bothClients.parse(JSON.parse(await run(project, 'python3', 'both_clients.py')))
    const jobs = 'http://service.example/v1/jobs'
    const inV1 = (call: string) => call.replace(' ', ' http://service.example/v1')
    const expected = [
      ...Array.from({ length: 3 }, () => `POST ${jobs}`),
      ...[`GET ${jobs}?limit=1`, `GET ${jobs}?limit=1&cursor=c1`],
      ...Array.from({ length: 4 }, () => `GET ${jobs}/job_1`),
      ...['POST /batches/bat_1/retry', 'POST /batches/bat_1/cancel', 'DELETE /batches/bat_1'].map(inV1),
      ...['PATCH /directives/dir_1', 'GET /directives/dir_1/items?status=failed', 'DELETE /directives/dir_1'].map(inV1),
      ...['after=evt_1&wait=50', 'after=evt_1&wait=50', 'after=evt_2&wait=50', 'wait=50'].map((query) =>
        inV1(`GET /events?${query}`),
      ),
      ...['POST /estimate', 'POST /directives'].map(inV1),
    ]
    for (const sent of requests) {
      expect(sent.map(([method, url]) => `${method} ${url}`)).toEqual(expected)
      expect(new Set(sent.slice(0, 3).map(([, , key]) => key)).size).toBe(1)
      const bodies = sent.flatMap(([, , , body]) => (body === undefined ? [] : [JSON.parse(body)]))
      expect(bodies).toEqual([{ endpoint: 'audio/detect-silence', media_url: 'x' }, { workflow_id: 'x' }])
    }
    const failed = ['No.', 'The service cannot be reached: gone']
    const changes = ['bat_1', 'bat_1', 'deleted', 'dir_1', 'run_1', 'deleted']
    const unsafe = [
      '/v1/jobs/../keys/key_1/revoke?/cancel contains what is no id. Give ids as the service returned them.',
      'The secret is empty. Give the one that the webhook endpoint was created with.',
    ]
    const ends = ['job_1', 'job_1', 'job_2', ...failed, ...unsafe, ...changes, 'evt_2', 'evt_3']
    expect(told).toEqual([ends, ends])
  })

  it('knows the result of each endpoint: a word of find-words has text, and laughter has none', async () => {
    const code = [
      'from media_timeline import MediaTimeline',
      'client = MediaTimeline()',
      'words = client.jobs.run("audio/find-words", media_url="x", settings={"queries": ["a"]})',
      'text: str = words["result"]["matches"][0]["text"]',
      'laughter = client.jobs.run("audio/detect-laughter", media_url="x")',
      'laughter["result"]["matches"]',
      'client.jobs.run("audio/unknown", media_url="x")',
    ]
    await writeFile(path.join(project, 'typed.py'), code.join('\n'))
    const checked = await run(project, 'python3', '-m', 'mypy', '--strict', 'typed.py').catch(
      (error: unknown) => ended.parse(error).stdout,
    )
    const errors = checked.split('\n').filter((line) => line.includes(': error:'))
    expect(errors.map((line) => /:(\d+):/.exec(line)?.[1])).toEqual(['6', '7'])
  })
})
