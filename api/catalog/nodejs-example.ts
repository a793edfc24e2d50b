import type { ExamplePlan } from './code-example.ts'

/** Node.js 18 or newer, without packages. */
export function nodeExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
  return `import { setTimeout } from 'node:timers/promises'
${source === 'file' ? fileImports : ''}
${baseUrls.length > 1 ? '// The second address serves the same API.\n' : ''}const bases = ${JSON.stringify(baseUrls)}

async function call(method, path, body, headers = {}) {
  let wait = 0
  for (const backoff of [1, 2, 4, 8, 16, 32]) {
    await setTimeout(wait * 1000)
    const response = await fetch(bases[0] + path, {
      method,
      headers: { authorization: \`Bearer \${process.env.API_KEY}\`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(60_000),
    }).catch(() => undefined)
    wait = Number(response?.headers.get('retry-after') ?? backoff)
    const isPassing = !response || response.status === 429 || (response.status >= 500 && response.status !== 501)
    if (!isPassing || wait > 60) {
      const answer = await response.json()
      if (!response.ok) throw new Error(\`\${answer.error.code}: \${answer.error.message}\`)
      return answer
    }
    bases.push(bases.shift())
  }
  throw new Error('the service is busy or cannot be reached: try again later')
}

${bringMedia[source]}// The key makes a retry safe: it returns the ${kind} that the first request created.
const request = ${requestJson}
const idempotency = { 'idempotency-key': crypto.randomUUID() }
let { ${kind} } = await call('POST', '${createPath}', ${source === 'none' ? 'request' : '{ ...request, media_url: mediaUrl }'}, idempotency)
while (${kind}.status !== 'completed' && ${kind}.status !== 'failed') {
  ;({ ${kind} } = await call('GET', \`${readPath}/\${${kind}.id}?wait=20\`))
}
if (${kind}.status === 'failed') throw new Error(\`\${${kind}.error.code}: \${${kind}.error.message}\`)
console.log(JSON.stringify(${kind}.result, null, 2))
`
}

const fileImports = `import { readFile } from 'node:fs/promises'
import path from 'node:path'
`

const upload = `const bytes = await readFile(process.env.MEDIA_FILE)
const { upload } = await call('POST', '/v1/uploads/presign', {
  filename: path.basename(process.env.MEDIA_FILE),
  bytes: bytes.length,
})
const put = await fetch(upload.upload_url, { method: 'PUT', headers: upload.upload_headers, body: bytes })
if (!put.ok) throw new Error(\`the upload answered \${put.status}\`)
const mediaUrl = upload.media_url
`

const bringMedia = { file: `${upload}\n`, url: 'const mediaUrl = process.env.MEDIA_URL\n\n', none: '' }
