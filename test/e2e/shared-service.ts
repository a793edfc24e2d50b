import { afterAll, inject } from 'vitest'
import { choosePort } from '../../scripts/stack/ports.ts'
import { openDatabase } from '../../src/db/database.ts'
import { leftFiles, makeAccount, type Service, startService } from './service.ts'

/** The suites that serve media to the shared service, each on a port of its own, which the service may read. */
const mediaServers = ['agents', 'estimate', 'fuzz', 'ranged sources', 'sources'] as const
type MediaServer = (typeof mediaServers)[number]

declare module 'vitest' {
  interface ProvidedContext {
    readonly sharedService: {
      readonly environment: Readonly<Record<string, string>>
      readonly mediaPorts: Readonly<Record<MediaServer, number>>
      /** Where the OAuth client `test-client` listens. */
      readonly callbackPort: number
    }
  }
}

/** Starts the service that suites share: default variables but one, and an OAuth client, one API and one worker. The set-up of all tests calls it. */
export async function startSharedService() {
  const port = (index: number) => choosePort({ variable: 'PORT', preferred: firstMediaPort() + index }, {})
  const mediaPorts = {
    agents: await port(0),
    estimate: await port(1),
    fuzz: await port(2),
    'ranged sources': await port(3),
    sources: await port(4),
  }
  const hosts = Object.values(mediaPorts).map((each) => `127.0.0.1:${each}`)
  const callbackPort = await port(mediaServers.length)
  const redirect_uris = [`http://127.0.0.1:${callbackPort}/callback`]
  const client = { client_id: 'test-client', client_name: 'Test client', redirect_uris }
  const variables = {
    ...{ MEDIA_ALLOW_HOSTS: hosts.join(','), OAUTH_CLIENTS: JSON.stringify([client]) },
    // All suites sign up and in from one address.
    SIGN_IN_TRIES_PER_ADDRESS: '1000000',
  }
  const service = await startService(variables)
  return { stop: service.stop, provided: { environment: service.environment, mediaPorts, callbackPort } }
}

/** Below the range that the system gives to outgoing connections, so that the ports are free until their suites begin. */
const firstMediaPort = () => 11_000 + (process.pid % 240) * (mediaServers.length + 1)

export type SharedService = Pick<
  Service,
  'baseUrl' | 'db' | 'dataDir' | 'environment' | 'newAccount' | 'accountId' | 'client' | 'token'
> & {
  /** Files in the making of the file's own jobs and probes. */
  leftFiles(): Promise<string[]>
}

/** The running service that suites share, with an account for the file that asks. */
export async function useSharedService(): Promise<SharedService> {
  const { environment } = inject('sharedService')
  const { BASE_URL: baseUrl = '', DATABASE_URL: databaseUrl = '', DATA_DIR: dataDir = '' } = environment
  const db = openDatabase(databaseUrl)
  afterAll(() => db.$disconnect())
  const newAccount = () => makeAccount({ db, dataDir, baseUrl })
  const own = await newAccount()
  const left = async () => {
    const where = { accountId: own.accountId }
    const [jobs, probes] = await Promise.all([db.job.findMany({ where }), db.probe.findMany({ where })])
    const files = await leftFiles({ dataDir })
    return files.filter((file) => [...jobs, ...probes].some(({ id }) => file.includes(id)))
  }
  return { baseUrl, db, dataDir, environment, newAccount, ...own, leftFiles: left }
}

/** The port of 127.0.0.1 on which the suite serves media to the shared service. */
export function mediaPort(suite: MediaServer): number {
  return inject('sharedService').mediaPorts[suite]
}

/** The redirect address of the OAuth client `test-client`. */
export function oauthCallback(): string {
  return `http://127.0.0.1:${inject('sharedService').callbackPort}/callback`
}
