import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts'
import { pythonPackages } from '../setup/mcp-clients.ts'
import type { Received } from './receiver.ts'

type Signed = Pick<Received, 'headers' | 'body'>

/** Whether the secret signed the request. */
export function isSignedWith(secret: string, { headers, body }: Signed): boolean {
  try {
    verifyWebhook(body, headers, secret)
    return true
  } catch {
    return false
  }
}

/** Programs that print whether the library of Standard Webhooks accepts each request. */
const programs = {
  node: [
    process.execPath,
    '-e',
    `const { Webhook, WebhookVerificationError } = require('standardwebhooks')
const [secret, requests] = JSON.parse(process.argv[1])
const accepts = ({ body, headers }) => {
  try {
    return Boolean(new Webhook(secret).verify(body, headers))
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false
    throw error
  }
}
console.log(JSON.stringify(requests.map(accepts)))`,
  ],
  python: [
    'python3',
    '-c',
    `import json, sys
from standardwebhooks import Webhook, WebhookVerificationError
secret, requests = json.loads(sys.argv[1])
def accepts(request):
    try:
        return bool(Webhook(secret).verify(request["body"], request["headers"]))
    except WebhookVerificationError:
        return False
print(json.dumps([accepts(request) for request in requests]))`,
  ],
} as const

export async function acceptedByLibrary(
  language: keyof typeof programs,
  secret: string,
  requests: readonly Signed[],
): Promise<boolean[]> {
  const [file, ...options] = programs[language]
  const given = JSON.stringify([secret, requests.map(({ headers, body }) => ({ headers, body }))])
  const modules = path.join(path.dirname(pythonPackages), 'node_modules')
  const env = { PATH: process.env['PATH'], PYTHONPATH: pythonPackages, PYTHONUTF8: '1', NODE_PATH: modules }
  const { stdout } = await promisify(execFile)(file, [...options, given], { env })
  return z.array(z.boolean()).parse(JSON.parse(stdout))
}
