import type { Requests } from './requests.ts'

export function describeRequests(requests: Requests, machine: string): string {
  const { listsPerSecond, callsPerSecond, listBytes, inFlight, authenticateMs, withKeyMs } = requests
  return `## Requests

Written by \`npm run bench\`. ${machine}. One API process, ${inFlight} requests in flight, the database and the client on the same cores.

| | | goal |
|---|---|---|
| \`tools/list\`, ${(listBytes / 1000).toFixed(0)} kB each | ${Math.round(listsPerSecond)} a second | at least 2000 |
| \`tools/call\` of a public tool | ${Math.round(callsPerSecond)} a second | at least 1500 |
| authenticating a request, p50 | ${authenticateMs.toFixed(2)} ms | under 1 ms |
| a key on a request, with the count of its account, p50 | ${withKeyMs.toFixed(2)} ms | |
`
}
