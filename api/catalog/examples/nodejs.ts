import type { ExamplePlan } from './code-example.ts'

/** Node.js 18 or newer, without packages. */
export function nodeExample({ baseUrls, requestJson, source }: ExamplePlan): string {
  return `${source === 'file' ? fileImports : ''}${baseUrls.length > 1 ? '// The second address serves the same API.\n' : ''}const bases = ${JSON.stringify(baseUrls)}

async function call(method, path, body, headers = {}) {
  for (const base of bases) {
    const response = await fetch(base + path, {
      method,
      headers: { authorization: \`Bearer \${process.env.API_KEY}\`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch(() => undefined)
    if (!response || (response.status >= 500 && response.status !== 501)) continue
    const answer = await response.json()
    if (!response.ok) throw new Error(\`\${answer.error.code}: \${answer.error.message}\`)
    return answer
  }
  throw new Error('no address answered: try again later')
}

${bringMedia[source]}// The key makes a retry safe: it returns the job that the first request created.
const request = ${requestJson}
const idempotency = { 'idempotency-key': crypto.randomUUID() }
let { job } = await call('POST', '/v1/jobs', ${source === 'none' ? 'request' : '{ ...request, media_url: mediaUrl }'}, idempotency)
while (job.status !== 'completed' && job.status !== 'failed') {
  ;({ job } = await call('GET', \`/v1/jobs/\${job.id}?wait=20\`))
}
if (job.status === 'failed') throw new Error(\`\${job.error.code}: \${job.error.message}\`)
console.log(JSON.stringify(job.result, null, 2))
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
