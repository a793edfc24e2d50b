import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, readVariables } from '../src/config.ts'
import { temporalEnvironment } from '../src/variables.ts'

const required = { DATABASE_URL: 'postgresql://127.0.0.1:5432/media' }
const secret = '3f9b1c7d5e2a8046b7c1d9e3f5a20846'

describe('readConfig', () => {
  it('needs only a database', () => {
    expect(readConfig(required)).toMatchObject({
      PORT: 3000,
      BASE_URL: 'http://127.0.0.1:3000',
      DATABASE_DIRECT_URL: required.DATABASE_URL,
      MEDIA_ALLOW_HOSTS: [],
      TRUST_PROXY: 0,
    })
  })

  it('treats a blank value as unset', () => {
    expect(readConfig({ ...required, PORT: '', BASE_URL: '', SIGNING_SECRET: '' })).toEqual(readConfig(required))
  })

  it('reports each problem on its own line, which starts with the variable', () => {
    expect(linesOf({ PORT: '70000', LOG_LEVEL: 'loud', TRUST_PROXY: 'yes', SIGNING_SECRET: 'short' })).toEqual([
      'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent',
      'PORT: must be a whole number from 0 to 65535',
      'TRUST_PROXY: must be a whole number from 0 to 10',
      'DATABASE_URL: is required, such as postgresql://user:password@host:5432/name',
      'SIGNING_SECRET: must be at least 32 characters; make one with: openssl rand -hex 32',
    ])
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['RETENTION_DAYS', '0'],
    ['MEDIA_SLOTS', '1.5'],
    ['STORAGE', 'floppy'],
    ['SIGNING_KEY_ID', 'a b'],
    ['BASE_URL', 'somewhere'],
    ['WORKER_BUILD_ID', 'v1:2'],
    ['WORKER_DEPLOYMENT_NAME', 'media.timeline'],
    ['METRICS_ADDRESS', '9464'],
    ['METRICS_ADDRESS', '127.0.0.1'],
    ['METRICS_ADDRESS', 'http://127.0.0.1:9464'],
    ['METRICS_ADDRESS', '127.0.0.1:99999'],
    ['METRICS_ADDRESS', '127.0.0.1:9464/metrics'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', '127.0.0.1:4318'],
    ['GCS_BUCKET', 'gs://bucket'],
    ['GCS_API_ENDPOINT', 'localhost'],
    ['GCS_API_ENDPOINT', 'https://127.0.0.1:4443'],
    ['GCS_API_ENDPOINT', 'http://storage.googleapis.com'],
    ['DATABASE_URL', 'localhost'],
    ['SMTP_URL', 'smtp.example.com'],
    ['MAIL_FROM', 'Example'],
  ])('refuses %s=%s', (name, value) => {
    expect(linesOf({ ...required, [name]: value })).toEqual([expect.stringMatching(`^${name}: `)])
  })

  it.each([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:80', { host: '0.0.0.0', port: 80 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['metrics.internal:9464', { host: 'metrics.internal', port: 9464 }],
  ])('reads METRICS_ADDRESS=%s', (value, address) => {
    expect(readConfig({ ...required, METRICS_ADDRESS: value }).METRICS_ADDRESS).toEqual(address)
  })

  it('can read only the variables of Temporal', () => {
    expect(readVariables(temporalEnvironment, { TEMPORAL_NAMESPACE: 'media' })).toMatchObject({
      TEMPORAL_NAMESPACE: 'media',
    })
    expect(() => readVariables(temporalEnvironment, { TEMPORAL_TLS: 'yes' })).toThrow(/^TEMPORAL_TLS: /)
  })

  it('refuses to delete jobs before their outputs', () => {
    const days = { RETENTION_DAYS: '30', JOB_RETENTION_DAYS: '29' }
    expect(linesOf({ ...required, ...days })).toEqual([expect.stringMatching(/^JOB_RETENTION_DAYS: /)])
    expect(readConfig({ ...required, ...days, JOB_RETENTION_DAYS: '30' })).toMatchObject({ JOB_RETENTION_DAYS: 30 })
    expect(readConfig(required).JOB_RETENTION_DAYS).toBeUndefined()
  })

  it('never repeats a secret in a message', () => {
    expect(linesOf({ ...required, SIGNING_SECRET: 'hunter2' }).join()).not.toContain('hunter2')
  })

  it.each([
    { NODE_ENV: 'production' },
    { HOST: '0.0.0.0' },
    { HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1:3000' },
    { HOST: '::' },
    { BASE_URL: 'https://api.example.com' },
    { FALLBACK_BASE_URL: 'https://api.example.com' },
  ])('starts only with its own signing secret at %j', (variables) => {
    const open = { ...required, ...variables }
    expect(linesOf(open)).toEqual([expect.stringMatching(/^SIGNING_SECRET: required .*openssl rand -hex 32$/)])
    expect(readConfig({ ...open, SIGNING_SECRET: secret }).SIGNING_SECRET).toBe(secret)
  })

  it.each(['localhost', '127.0.0.1', '::1'])('needs no signing secret at %s', (HOST) => {
    expect(linesOf({ ...required, HOST, BASE_URL: 'http://127.0.0.1:3000' })).toEqual([])
  })

  it.each(['development-only-signing-secret-0000', 's'.repeat(64), '0123456789'.repeat(4), 'abcabcab'.repeat(8)])(
    'refuses the signing secret %s everywhere',
    (weak) => {
      for (const NODE_ENV of ['development', 'production']) {
        const lines = linesOf({ ...required, NODE_ENV, SIGNING_SECRET: weak })
        expect(lines).toEqual([expect.stringMatching(/^SIGNING_SECRET: .*; make one with: openssl rand -hex 32$/)])
      }
      expect(linesOf({ ...required, OTHER_SIGNING_SECRET: `2:${weak}` })).toEqual([
        expect.stringMatching(/^OTHER_SIGNING_SECRET: .*; make one with: openssl rand -hex 32$/),
      ])
    },
  )

  it('takes every random secret', () => {
    for (let index = 0; index < 1000; index++) {
      const random = randomBytes(16).toString('hex')
      expect(readConfig({ ...required, SIGNING_SECRET: random }).SIGNING_SECRET).toBe(random)
    }
  })

  it('takes another signing secret with another id', () => {
    const OTHER_SIGNING_SECRET = `2:${secret}`
    const other = { keyId: '2', secret }
    expect(readConfig({ ...required, OTHER_SIGNING_SECRET }).OTHER_SIGNING_SECRET).toEqual(other)
    for (const variables of [{ SIGNING_KEY_ID: '2', OTHER_SIGNING_SECRET }, { OTHER_SIGNING_SECRET: secret }]) {
      expect(linesOf({ ...required, ...variables })).toEqual([expect.stringMatching(/^OTHER_SIGNING_SECRET: .*id/)])
    }
  })

  it('refuses a space before the other secret, which would verify nothing', () => {
    expect(linesOf({ ...required, OTHER_SIGNING_SECRET: `2: ${secret}` })).toEqual([
      'OTHER_SIGNING_SECRET: must have no space after the colon, as id:secret',
    ])
  })

  it('uses GCS only with the name of a bucket', () => {
    expect(linesOf({ ...required, STORAGE: 'gcs' })).toEqual([expect.stringMatching(/^GCS_BUCKET: /)])
    expect(readConfig({ ...required, STORAGE: 'gcs', GCS_BUCKET: 'media-1' }).GCS_BUCKET).toBe('media-1')
  })

  it.each([
    ['STORAGE', 'local', { GCS_BUCKET: 'media-1' }],
    ['BILLING', 'inactive', { STRIPE_SECRET_KEY: 'sk_live_a1', STRIPE_WEBHOOK_SECRET: 'whsec_b2' }],
  ])('does not choose %s itself where a variable would then be ignored', (choice, unused, variables) => {
    for (const blank of [{}, { [choice]: '' }])
      expect(linesOf({ ...required, ...variables, ...blank })).toEqual([
        expect.stringMatching(`^${choice}: required with `),
      ])
    expect(linesOf({ ...required, ...variables, [choice]: unused })).toEqual([])
  })

  it('sends mail only with a sender address', () => {
    const SMTP_URL = 'smtps://user:hunter2@smtp.example.com'
    expect(linesOf({ ...required, SMTP_URL })).toEqual([expect.stringMatching(/^MAIL_FROM: /)])
    expect(readConfig({ ...required, SMTP_URL, MAIL_FROM: 'no-reply@example.com' })).toMatchObject({ SMTP_URL })
  })

  it.each(['http://localhost:3000', 'http://127.8.0.1', 'http://[::1]:3000', ''])(
    'takes the stand-in for billing at %s',
    (BASE_URL) => {
      expect(readConfig({ ...required, BILLING: 'embedded', BASE_URL }).BILLING).toBe('embedded')
    },
  )

  it.each([
    { BASE_URL: 'https://api.example.com' },
    { BASE_URL: 'http://127.0.0.1.example.com' },
    { BASE_URL: 'http://10.0.0.1:3000' },
    { BASE_URL: 'http://0.0.0.0:3000' },
    { HOST: '0.0.0.0' },
    { HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1:3000' },
    { NODE_ENV: 'production', BASE_URL: 'http://127.0.0.1:3000' },
  ])('refuses the stand-in for billing at %j, and has it nowhere by default', (variables) => {
    const open = { ...required, ...variables, SIGNING_SECRET: secret }
    expect(linesOf({ ...open, BILLING: 'embedded' })).toEqual([expect.stringMatching(/^BILLING: /)])
    expect(readConfig(open).BILLING).toBe('inactive')
  })

  describe('of Stripe', () => {
    const stripe = {
      ...required,
      ...{ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_live_a1', STRIPE_WEBHOOK_SECRET: 'whsec_b2' },
    }

    const standIn = 'http://127.0.0.1:1'

    it('has its two secrets, also as a restricted key', () => {
      expect(readConfig(stripe)).toMatchObject({ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_live_a1' })
      expect(linesOf({ ...stripe, STRIPE_SECRET_KEY: 'rk_test_a1' })).toEqual([])
    })

    it.each([
      [{ STRIPE_SECRET_KEY: '' }, /^STRIPE_SECRET_KEY: required/],
      [{ STRIPE_WEBHOOK_SECRET: '' }, /^STRIPE_WEBHOOK_SECRET: required/],
      [{ STRIPE_SECRET_KEY: 'pk_live_a1' }, /^STRIPE_SECRET_KEY: must be a secret/],
      [{ STRIPE_WEBHOOK_SECRET: 'sk_live_a1' }, /^STRIPE_WEBHOOK_SECRET: must be/],
      [{ STRIPE_API_ENDPOINT: 'https://api.stripe.com' }, /^STRIPE_API_ENDPOINT: must be the http/],
      [{ STRIPE_API_ENDPOINT: standIn }, /^STRIPE_SECRET_KEY: must be a test key/],
      [
        { STRIPE_API_ENDPOINT: standIn, STRIPE_SECRET_KEY: 'sk_live_a1k_test_' },
        /^STRIPE_SECRET_KEY: must be a test key/,
      ],
      [
        { STRIPE_API_ENDPOINT: standIn, STRIPE_SECRET_KEY: 'rk_live_sk_test_live_a1' },
        /^STRIPE_SECRET_KEY: must be a test key/,
      ],
    ])('is refused with %j', (variables, line) => {
      const lines = linesOf({ ...stripe, ...variables })
      expect(lines).toEqual([expect.stringMatching(line)])
      expect(lines.join('')).not.toMatch(/live_a1|whsec_b2/)
    })
  })

  it('normalizes addresses and folders', () => {
    const config = readConfig({
      ...required,
      SIGNING_SECRET: secret,
      DATA_DIR: 'somewhere/data',
      BASE_URL: 'https://api.example.com//',
      FALLBACK_BASE_URL: 'https://other.example.com/',
      MEDIA_ALLOW_HOSTS: 'media.test, files.test,,',
    })
    expect(config.DATA_DIR).toBe(path.resolve('somewhere/data'))
    expect(config.BASE_URL).toBe('https://api.example.com')
    expect(config.FALLBACK_BASE_URL).toBe('https://other.example.com')
    expect(config.MEDIA_ALLOW_HOSTS).toEqual(['media.test', 'files.test'])
  })
})

function linesOf(variables: Record<string, string>): string[] {
  try {
    readConfig(variables)
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : []
  }
}
