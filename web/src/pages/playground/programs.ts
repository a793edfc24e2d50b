import type { JobRequest } from './request.ts'

/** Programs that send the request, with the API key in the environment. */
export function programsFor(address: string, request: JobRequest) {
  const json = JSON.stringify(request, null, 2)
  const { endpoint, ...named } = request
  const python = Object.entries(named).map(([name, value]) => `, ${name}=${inPython(value)}`)
  return {
    curl: `curl --fail-with-body "${address}/v1/jobs?wait=20" \\
  --header "Authorization: Bearer $MEDIA_TIMELINE_API_KEY" \\
  --header 'Content-Type: application/json' \\
  --data '${json.replaceAll("'", String.raw`'\''`)}'
`,
    TypeScript: `import { MediaTimeline } from 'media-timeline'

const client = new MediaTimeline({ baseUrl: '${address}' })
const job = await client.jobs.run(${json})
console.log(job.result)
`,
    Python: `from media_timeline import MediaTimeline

with MediaTimeline(base_url="${address}") as client:
    job = client.jobs.run(${JSON.stringify(endpoint)}${python.join('')})
    print(job["result"])
`,
  }
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
