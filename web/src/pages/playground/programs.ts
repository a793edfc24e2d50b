import type { PlaygroundRequest } from './request.ts'

/** Programs that send the request, with the API key in the environment. */
export function programsFor(address: string, { kind, id, body }: PlaygroundRequest) {
  const isChain = kind === 'chain'
  const path = isChain ? `/v1/workflows/${id}/runs?wait=60` : '/v1/jobs?wait=20'
  const json = inJson(isChain ? { mode: 'run_all', ...body } : { endpoint: id, ...body })
  const typescript = isChain
    ? `const run = await client.workflowRuns.run(${JSON.stringify(id)}, ${inJson(body)})
console.log(run.result)`
    : `const job = await client.jobs.run(${inJson({ endpoint: id, ...body })})
console.log(job.result)`
  const [made, method] = isChain ? ['run', 'workflow_runs'] : ['job', 'jobs']
  const named = Object.entries(body).map(([name, value]) => `, ${name}=${inPython(value)}`)
  return {
    curl: `curl --fail-with-body "${address}${path}" \\
  --header "Authorization: Bearer $MEDIA_TIMELINE_API_KEY" \\
  --header 'Content-Type: application/json' \\
  --data '${json.replaceAll("'", String.raw`'\''`)}'
`,
    TypeScript: `import { MediaTimeline } from 'media-timeline'

const client = new MediaTimeline({ baseUrl: '${address}' })
${typescript}
`,
    Python: `from media_timeline import MediaTimeline

with MediaTimeline(base_url="${address}") as client:
    ${made} = client.${method}.run(${JSON.stringify(id)}${named.join('')})
    print(${made}["result"])
`,
  }
}

function inJson(value: object): string {
  return JSON.stringify(value, null, 2)
}

function inPython(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${inPython(each)}`)
    .join(', ')}}`
}
