import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import type { InjectOptions } from 'fastify'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { z } from 'zod'
import { buildApp } from '../../api/app.ts'
import type { ApiDependencies } from '../../api/http/context.ts'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { createKey } from '../../src/accounts/keys.ts'
import { createAccount } from '../../src/accounts/own-account.ts'
import { openBillingProvider } from '../../src/billing/provider/open-provider.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { newId } from '../../src/core/ids.ts'
import { type Announcements, listenForAnnouncements } from '../../src/db/announcements.ts'
import { apiDatabaseOptionsOf, openDatabase } from '../../src/db/database.ts'
import { openMailer } from '../../src/mail/mailer.ts'
import { modelNames } from '../../src/models/models.ts'
import { openStorage, storageSigner } from '../../src/storage/open-storage.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { noTracing } from '../../src/telemetry/tracing.ts'
import { createJobClient } from '../../src/temporal/job-client.ts'
import { createTestDatabase } from '../setup/database.ts'
import { findSecrets, type Text } from '../setup/secrets.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { noPressure } from './http/no-pressure.ts'

export const mediaUrl = 'https://media.example/interview.mp4'

const errorBody = z.object({
  code: z.string(),
  message: z.string(),
  request_id: z.string().regex(/^req_[a-zA-Z0-9]{24}$/),
  docs_url: z.url(),
  job_id: z.string().optional(),
})
const errorEnvelope = z.union([
  z.object({ error: errorBody }),
  // The 401 of POST /mcp.
  z
    .object({
      jsonrpc: z.literal('2.0'),
      error: z.object({ code: z.literal(401), message: z.string(), data: errorBody }),
    })
    .transform(({ error: { data } }) => ({ error: data })),
])

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** Untyped, because tests check its fields. */
  readonly body: z.output<z.ZodAny>
  readonly text: string
}

/** Settings of an API that only this machine reaches, which embedded billing needs. */
export const onLoopback = {
  HOST: '127.0.0.1',
  BASE_URL: 'http://127.0.0.1:3000',
  FALLBACK_BASE_URL: 'http://127.0.0.1:3000',
}

/** The API until the tests of the file have ended. */
export async function useApi(...given: Parameters<typeof startApi>): Promise<Api> {
  const api = await startApi(...given)
  afterAll(() => api.close())
  return api
}

/**
 * The real API with its own database and storage folder, in the namespace that all API tests share. No worker runs.
 */
export async function startApi(
  variables: Partial<Record<keyof Config, string>> = {},
  replaced: Partial<ApiDependencies> = {},
) {
  const [database, directory] = await Promise.all([
    createTestDatabase(),
    mkdtemp(path.join(tmpdir(), 'media timeline api ')),
  ])
  const config = readConfig({
    NODE_ENV: 'test',
    BASE_URL: 'http://api.test',
    FALLBACK_BASE_URL: 'http://fallback.test',
    SIGNING_SECRET: 'a secret of the tests, 32 characters',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '5',
    TEMPORAL_ADDRESS: temporalAddress,
    DATA_DIR: directory,
    ...noQuotas,
    ...variables,
  })
  const db = openDatabase(database.url, apiDatabaseOptionsOf(config))
  const logLines: string[] = []
  const logger = pino(
    { level: 'info' },
    new Writable({
      write: (chunk, _encoding, done) => {
        logLines.push(String(chunk))
        done()
      },
    }),
  )
  const waits = new Set<string>()
  const deps = {
    config,
    db,
    announcements: watchWaits(
      listenForAnnouncements(database.url, () => {}),
      waits,
    ),
    jobs: createJobClient(config),
    storage: await openStorage(config),
    signer: storageSigner(config),
    models: new Set(modelNames),
    pressureLimits: noPressure,
    billing: await openBillingProvider(config, db),
    mailer: openMailer(config, logger),
    logger,
    metrics: createMetrics(),
    tracing: noTracing,
    ...replaced,
  }
  const app = await buildApp(deps)
  const tokens: string[] = []
  const errors: Text[] = []

  const call = async (options: InjectOptions, token?: string): Promise<Answer> => {
    const response = await app.inject({
      ...options,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...options.headers },
    })
    const isJson = String(response.headers['content-type']).startsWith('application/json') && response.body !== ''
    if (response.statusCode >= 400) errors.push({ source: `answer ${response.statusCode}`, text: response.body })
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? response.json() : undefined,
      text: response.body,
    }
  }

  const newAccount = async () => accountOf(await createAccount(db, newId('acct')))

  /** An account by a new key of it. */
  const accountOf = async (accountId: string) => {
    const { token, keyId } = await createKey(db, { accountId, name: 'test', mayRaiseLimits: true })
    tokens.push(token)
    const send = (
      method: 'GET' | 'POST' | 'PATCH',
      url: string,
      payload?: object | string,
      headers: Record<string, string> = {},
    ) => call({ method, url, ...(payload === undefined ? {} : { payload }), headers }, token)
    return {
      accountId,
      token,
      keyId,
      get: (url: string) => send('GET', url),
      patch: (url: string, payload: object) => send('PATCH', url, payload),
      post: (url: string, payload?: object | string, headers?: Record<string, string>) =>
        send('POST', url, payload, headers),
      /** Creates a queued job. */
      create: async (fields: Record<string, unknown> = {}): Promise<string> => {
        const body = { endpoint: 'audio/detect-silence', media_url: mediaUrl, ...fields }
        const created = await send('POST', '/v1/jobs', body)
        if (created.status !== 202) throw new Error(`create answered ${created.text} ${logLines.at(-2)}`)
        return z.string().parse(created.body.job_id)
      },
      /** Uploads bytes; returns the media_url. */
      upload: async (filename = 'interview.mp4', bytes: string | Buffer = 'bytes'): Promise<string> => {
        const { body } = await send('POST', '/v1/uploads/presign', { filename })
        const { objectKey, contentType } = await db.upload.findUniqueOrThrow({ where: { id: body.upload.id } })
        await deps.storage.write(objectKey, Readable.from([bytes]), contentType)
        return body.upload.media_url
      },
    }
  }

  return {
    ...deps,
    app,
    call,
    newAccount,
    accountOf,
    logLines,
    /** The jobs that requests are waiting for. */
    waits,
    /** Listens on 127.0.0.1, for tests that need a real connection; returns the port. */
    listen: async (): Promise<number> => {
      if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
      return z.object({ port: z.number() }).parse(app.server.address()).port
    },
    /** Drops the database. */
    loseDatabase: () => database.drop(),
    close: async () => {
      // A connection that a test leaves open would be waited for until its keep-alive ends, after more than a minute.
      app.server.closeAllConnections()
      await app.close()
      await Promise.all([deps.announcements.close(), deps.jobs.close(), db.$disconnect()])
      await Promise.all([database.drop(), rm(directory, { recursive: true, force: true })])
      const logged = logLines.map((text) => ({ source: 'log', text }))
      const leaks = findSecrets([...logged, ...errors], [...tokens, mediaUrl])
      if (leaks.length > 0) throw new Error(`secrets were written down: ${JSON.stringify(leaks.slice(0, 5), null, 2)}`)
    },
  }
}

function watchWaits(announcements: Announcements, waits: Set<string>): Announcements {
  return {
    ...announcements,
    next: async (id, milliseconds, signal) => {
      // Each wait also listens for its own id and its key.
      if (!/^(wait|key|con)_/.test(id)) waits.add(id)
      await announcements.next(id, milliseconds, signal)
      waits.delete(id)
    },
  }
}

export type Api = Awaited<ReturnType<typeof startApi>>
export type TestAccount = Awaited<ReturnType<Api['newAccount']>>

/** The code of an error response, which must be the error envelope with the request's id. */
export function codeOf({ body, headers }: Answer): string {
  const { error } = errorEnvelope.parse(body)
  if (error.request_id !== headers['x-request-id'])
    throw new Error('the envelope has another request id than the header')
  if (!error.docs_url.endsWith(`/docs/errors#${error.code}`)) throw new Error('docs_url does not name the code')
  return error.code
}
