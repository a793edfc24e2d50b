import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { dynamicConfig } from '../../scripts/stack/temporal.ts'
import { readConfig } from '../../src/config.ts'
import { environment } from '../../src/variables.ts'
import { composeDocument, composeProject, root, seconds } from './compose.ts'

const packages = process.env['TEST_COMPOSE_SPEC'] ?? ''
const secrets = { SIGNING_SECRET: 'a secret of the tests, 32 characters', POSTGRES_PASSWORD: 'p4ssw0rd' }
const { services, volumes, configs } = composeProject(secrets)
const all = Object.entries(services)
const ours = all.filter(([, { build }]) => build !== undefined)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
/** The variables of our image. */
const ofImage = parseEnv(
  [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].map(([, line = '']) => line.replaceAll(' ', '\n')).join('\n'),
)
const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0

describe('docker-compose.yml', () => {
  it.skipIf(!packages)('is valid by the Compose specification', () => {
    const vendored = path.join(packages, 'check_jsonschema', 'builtin_schemas', 'vendor')
    const schema = z
      .record(z.string(), z.unknown())
      .parse(JSON.parse(readFileSync(path.join(vendored, 'compose-spec.json'), 'utf8')))
    const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
    ajv.validate(schema, composeDocument())
    expect(ajv.errors).toBeNull()
  })

  it.skipIf(!hasCompose)('is readable by docker compose (skipped if that is not installed)', () => {
    const args = [
      'compose',
      '--file',
      'docker-compose.yml',
      '--env-file',
      '/dev/null',
      '--profile',
      'gcs',
      'config',
      '--quiet',
    ]
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...secrets }
    expect(spawnSync('docker', args, { cwd: root, env, encoding: 'utf8' })).toMatchObject({ status: 0 })
  })

  it.each(['SIGNING_SECRET', 'POSTGRES_PASSWORD'])('does not start without %s', (name) => {
    expect(() => composeProject({ ...secrets, [name]: '' })).toThrow(`required variable ${name}`)
  })

  it.each(all)('%s waits for states that its services can reach', (_name, { depends_on }) => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const awaited = services[name]
      expect(awaited, name).toBeDefined()
      if (condition === 'service_healthy') expect(awaited?.healthcheck, name).toBeDefined()
      else expect(awaited?.restart, name).toMatch(/^on-failure/)
    }
  })

  it.each(all)('%s runs a pinned image, on declared volumes and configs', (_name, service) => {
    if (!service.build) expect(service.image).toMatch(/^[\w/-]+:\d+\.\d+(\.\d+)?(-[a-z]+)?$/)
    for (const volume of service.volumes) expect(Object.keys(volumes)).toContain(volume.split(':')[0])
    for (const { source } of service.configs) expect(Object.keys(configs)).toContain(source)
  })

  it('publishes the API, and other ports only on loopback', () => {
    const published = all.flatMap(([name, { ports }]) => ports.map((port) => ({ name, port })))
    expect(published.filter(({ port }) => !port.startsWith('127.0.0.1:'))).toEqual([{ name: 'api', port: '3000:3000' }])
    expect(composeProject({ ...secrets, PORT: '8080' }).services['api']).toMatchObject({
      ports: ['8080:3000'],
      environment: { BASE_URL: 'http://localhost:8080', PORT: '3000' },
    })
  })

  it('updates the tables of the Temporal that it runs', () => {
    const version = (name: string) => services[name]?.image.split(':')[1]
    expect(version('temporal-schema')).toBe(version('temporal'))
  })

  it('configures Temporal like the development server', () => {
    const settings = z.record(z.string(), z.tuple([z.object({ value: z.union([z.boolean(), z.number()]) })]))
    const given = settings.parse(parse(configs['temporal-dynamic-config']?.content ?? ''))
    const lines = Object.entries(given).map(([name, [{ value }]]) => `${name}=${value}`)
    expect(lines.toSorted()).toEqual(dynamicConfig.toSorted())
  })
})

describe.each(ours)('the %s container', (_name, { command, environment: given }) => {
  it('gets variables that the service reads, with valid values', () => {
    expect(Object.keys(given).filter((variable) => !(variable in environment.shape))).toEqual([])
    // HOST: on its loopback address, a container could not be reached.
    const addresses = { HOST: '0.0.0.0', PORT: 3000, BASE_URL: 'http://localhost:3000' }
    expect(readConfig(given)).toMatchObject({ NODE_ENV: 'production', DATA_DIR: '/data', ...addresses })
  })

  it('works with a .env copied from .env.example', () => {
    expect(readConfig({ ...ofImage, ...parseEnv(read('.env.example')), ...given })).toEqual(
      readConfig({ ...ofImage, ...given }),
    )
  })

  it('runs a file that the build compiles', () => {
    const [program, script = ''] = command ?? ['node', 'dist/api/server.js']
    expect(program).toBe('node')
    expect(existsSync(path.join(root, script.replace(/^dist\//, '').replace(/js$/, 'ts')))).toBe(true)
  })
})

it('kills API and worker only after their drain time', () => {
  const { api, worker } = services
  const apiDrainSeconds = 5
  expect(seconds(api?.stop_grace_period)).toBeGreaterThanOrEqual(apiDrainSeconds + 10)
  const { SHUTDOWN_GRACE_SECONDS } = readConfig(worker?.environment)
  expect(seconds(worker?.stop_grace_period)).toBeGreaterThanOrEqual(SHUTDOWN_GRACE_SECONDS + 10)
})
