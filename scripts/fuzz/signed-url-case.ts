import { createClient, presignResponse } from '../client.ts'
import type { FuzzAccount } from './account.ts'
import type { SignedUrlCase } from './case-types.ts'
import { type CaseLog, exchange } from './exchange.ts'
import { wellFormed } from './request-cases.ts'
import type { FuzzWorld } from './run-case.ts'

/** Sends a signed URL with changes. Success is a finding, unless the URL still says the same. */
export async function runSignedUrlCase(
  { baseUrl }: Pick<FuzzWorld, 'baseUrl'>,
  { token, outputUrl }: FuzzAccount,
  { method, edits }: SignedUrlCase,
  log: CaseLog,
): Promise<void> {
  const original = method === 'PUT' ? await presign() : outputUrl
  const changed = edits.reduce(edit, original)
  if (!URL.canParse(changed) || new URL(changed).origin !== new URL(baseUrl).origin) return
  const body = method === 'PUT' ? Buffer.from('x') : undefined
  const answer = await exchange({ method, url: changed, headers: { 'content-type': 'video/mp4' }, body }, log)
  if (answer && answer.status < 300 && meaningOf(changed) !== meaningOf(original)) {
    log.problem(`a changed signed URL was accepted with ${answer.status}: ${original} became ${changed}`)
  }

  async function presign(): Promise<string> {
    const { body: answered } = await createClient(baseUrl, token).send('POST', '/v1/uploads/presign', {
      filename: 'a.mp4',
      bytes: 10,
    })
    return presignResponse.parse(answered).upload.upload_url
  }
}

function edit(url: string, { op, name, value }: SignedUrlCase['edits'][number]): string {
  const given = wellFormed(value)
  if (op === 'character') {
    const at = url.indexOf('/storage/') + ((name.length * 31 + value.length * 17) % 200)
    return url.slice(0, at) + (url[at] === 'A' ? 'B' : 'A') + url.slice(at + 1)
  }
  if (!URL.canParse(url)) return url
  const parsed = new URL(url)
  if (op === 'path') parsed.pathname += given
  else if (op === 'delete') parsed.searchParams.delete(name)
  else parsed.searchParams[op](name, given)
  return parsed.href
}

/** What the server reads from a URL: its path, and each parameter whatever their order. */
function meaningOf(url: string): string {
  const { pathname, searchParams } = new URL(url)
  return JSON.stringify([pathname, [...searchParams].map((parameter) => parameter.join()).sort()])
}
