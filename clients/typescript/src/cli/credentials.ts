import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { trusted } from '../http.ts'
import { MediaTimeline, MediaTimelineError } from '../index.ts'
import { MissingKeyError } from './output.ts'

interface Credentials {
  readonly url?: string
  readonly apiKey?: string
}

const defaultUrl = 'http://127.0.0.1:3000'

/** The folder of what the command keeps: credentials, and which files of a folder it has seen. */
export function keptFolder(name: string, variable: string, usual: string): string {
  return path.join(process.env[variable] || path.join(homedir(), usual), 'media-timeline', name)
}

const file = () => keptFolder('credentials.json', 'XDG_CONFIG_HOME', '.config')

async function readCredentials(): Promise<Credentials> {
  const text = await readFile(file(), 'utf8').catch(() => '{}')
  try {
    const { url, apiKey } = trusted<Record<string, unknown>>(JSON.parse(text))
    return { ...(typeof url === 'string' && { url }), ...(typeof apiKey === 'string' && { apiKey }) }
  } catch {
    return {}
  }
}

/** Keeps a key so that only this user can read it. */
export async function keepCredentials(credentials: Required<Credentials>): Promise<string> {
  await mkdir(path.dirname(file()), { recursive: true, mode: 0o700 })
  // A file that was there would keep its mode.
  const part = `${file()}.${process.pid}`
  await writeFile(part, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(part, file())
  return file()
}

export async function forgetCredentials(): Promise<void> {
  await rm(file(), { force: true })
}

const withoutSlash = (url = '') => url.replace(/\/+$/, '')

/** The service that a command calls: that of its option, of the environment, of the last login, or of this machine. */
export async function urlOf(given: string | undefined): Promise<string> {
  const url = given ?? (process.env['MEDIA_TIMELINE_URL'] || (await readCredentials()).url || defaultUrl)
  if (URL.canParse(url) && /^https?:/i.test(url)) return withoutSlash(url)
  throw new MediaTimelineError(`"${url}" is no address of a service. Give one such as ${defaultUrl}.`)
}

/** The client of a command. A key that is kept is sent to the service that it is of, and to no other. */
export async function connect(givenUrl: string | undefined): Promise<MediaTimeline> {
  const [kept, baseUrl] = [await readCredentials(), await urlOf(givenUrl)]
  const apiKey = process.env['MEDIA_TIMELINE_API_KEY'] || (withoutSlash(kept.url) === baseUrl ? kept.apiKey : undefined)
  if (apiKey) return new MediaTimeline({ apiKey, baseUrl })
  throw new MissingKeyError(
    `You are not logged in at ${baseUrl}. Run "media-timeline login", with --api-key-stdin where no browser is, or set MEDIA_TIMELINE_API_KEY.`,
  )
}
