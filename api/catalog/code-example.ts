import { type BaseAddresses, basesOf } from '../../src/core/urls.ts'
import { exampleOf } from '../../src/endpoints/catalog.ts'
import type { LiveEndpoint } from '../../src/endpoints/define-endpoint.ts'

/** What a program creates and waits for. */
interface ExampleSubject {
  /** The field of the response that has it. */
  readonly kind: 'job' | 'run'
  readonly createPath: string
  /** Followed by its id. */
  readonly readPath: string
}

/** The content of an example, from declarations; each language renders it. */
interface ExamplePlan extends ExampleSubject {
  /** Tried in order. */
  readonly baseUrls: readonly string[]
  /** The body as JSON, without media_url. */
  readonly requestJson: string
  /** Whether it uploads a file, names a URL, or the endpoint reads no media. */
  readonly source: ExampleSource | 'none'
}

export const exampleLanguages = ['nodejs', 'python', 'curl'] as const
export const exampleSources = ['url', 'file'] as const
export type ExampleLanguage = (typeof exampleLanguages)[number]
type ExampleSource = (typeof exampleSources)[number]

const languages = {
  nodejs: { fileName: 'example.mjs', command: 'node example.mjs', render: nodeExample },
  python: { fileName: 'example.py', command: 'python3 example.py', render: pythonExample },
  curl: { fileName: 'example.sh', command: 'bash example.sh', render: curlExample },
}

/** A complete program, with the name of its file and the command that runs it. */
export interface CodeExample {
  readonly fileName: string
  readonly command: string
  readonly code: string
}

interface ExampleInput {
  readonly endpoint: LiveEndpoint
  readonly language: ExampleLanguage
  /** Ignored if the endpoint reads no media. */
  readonly source: ExampleSource
}

/** A program that creates a job, waits for its end and prints the result as JSON. */
export function codeExample(config: BaseAddresses, { endpoint, language, source }: ExampleInput): CodeExample {
  return renderExample(config, language, {
    ...{ kind: 'job', createPath: '/v1/jobs', readPath: '/v1/jobs' },
    request: exampleOf(endpoint),
    source: endpoint.readsMedia ? source : 'none',
  })
}

interface RunExampleInput {
  readonly language: ExampleLanguage
  /** Of the request that creates a run. */
  readonly createPath: string
  readonly request: object
}

/** The same for a run of a chain on media with a URL. */
export function runExample(config: BaseAddresses, { language, ...input }: RunExampleInput): CodeExample {
  return renderExample(config, language, { ...input, kind: 'run', readPath: '/v1/workflow-runs', source: 'url' })
}

const mediaVariables = { url: 'MEDIA_URL=https://… ', file: 'MEDIA_FILE=interview.mp4 ', none: '' }

function renderExample(
  config: BaseAddresses,
  language: ExampleLanguage,
  { request, ...content }: Omit<ExamplePlan, 'baseUrls' | 'requestJson'> & { readonly request: object },
): CodeExample {
  const { fileName, command, render } = languages[language]
  const requestJson = JSON.stringify({ ...request, media_url: undefined })
  const code = render({ ...content, baseUrls: basesOf(config), requestJson })
  return { fileName, command: `API_KEY=… ${mediaVariables[content.source]}${command}`, code }
}

/** bash with curl 7.71 or newer, and sed. */
function curlExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
  const hasSecond = baseUrls.length > 1
  // An address that cannot be reached is tried again only if there is no other.
  const retries = `--retry 5 --retry-max-time 120${hasSecond ? '' : ' --retry-all-errors'}`
  return `set -euo pipefail
${hasSecond ? '# The second address serves the same API.\n' : ''}bases=(${baseUrls.map((url) => `'${url}'`).join(' ')})
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

call() { # method path curl-options…
  local status=000
  for base in "\${bases[@]}"; do
    status=$(curl --silent --show-error --max-time 60 ${retries} \\
      --output "$answer" --write-out '%{http_code}' --request "$1" "$base$2" \\
      --header "Authorization: Bearer $API_KEY" --header 'Content-Type: application/json' "\${@:3}") || status=000
    [[ $status == [1-4]* || $status == 501 ]] && break
${hasSecond ? `    bases=("\${bases[@]:1}" "$base")\n` : ''}  done
  [[ $status == 2* ]] || { cat "$answer" >&2; exit 1; }
}

field() { # the first text field of this name
  local text
  text=$(<"$answer")
  text=\${text#*"\\"$1\\":\\""}
  echo "\${text%%\\"*}"
}

${bringMediaInBash[source]}# The key makes a retry safe: it returns the ${kind} that the first request created.
call POST ${createPath} --header "Idempotency-Key: example-$$-$RANDOM$RANDOM" \\
  --data '${source === 'none' ? inQuotes(requestJson) : withMedia(requestJson)}'
id=$(field id)
until [[ $(field status) == completed ]]; do
  if [[ $(field status) == failed ]]; then cat "$answer" >&2; exit 1; fi
  call GET "${readPath}/$id?wait=20"
done
cat "$answer"
`
}

function withMedia(requestJson: string): string {
  return `${inQuotes(requestJson.slice(0, -1))},"media_url":"'"$media_url"'"}`
}

/** Escapes text for single quotes in a shell. */
function inQuotes(text: string): string {
  return text.replaceAll("'", String.raw`'\''`)
}

const uploadInBash = `call POST /v1/uploads/presign \\
  --data '{"filename":"'"$(basename "$MEDIA_FILE")"'","bytes":'"$(wc -c <"$MEDIA_FILE" | tr -d ' ')"'}'
media_url=$(field media_url)
upload_url=$(field upload_url)
headers=$(sed -n 's/.*"upload_headers":{\\([^}]*\\)}.*/\\1/p' "$answer" | sed $'s/","/"\\\\\\n"/g' |
  sed 's/^"\\([^"]*\\)":"\\(.*\\)"$/header = "\\1: \\2"/')
curl --silent --fail --output /dev/null --upload-file "$MEDIA_FILE" --config <(echo "$headers") "$upload_url"
`

const bringMediaInBash = { file: `${uploadInBash}\n`, url: 'media_url=$MEDIA_URL\n\n', none: '' }

/** Node.js 18 or newer, without packages. */
function nodeExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
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

${bringMediaInNode[source]}// The key makes a retry safe: it returns the ${kind} that the first request created.
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

const uploadInNode = `const bytes = await readFile(process.env.MEDIA_FILE)
const { upload } = await call('POST', '/v1/uploads/presign', {
  filename: path.basename(process.env.MEDIA_FILE),
  bytes: bytes.length,
})
const put = await fetch(upload.upload_url, { method: 'PUT', headers: upload.upload_headers, body: bytes })
if (!put.ok) throw new Error(\`the upload answered \${put.status}\`)
const mediaUrl = upload.media_url
`

const bringMediaInNode = { file: `${uploadInNode}\n`, url: 'const mediaUrl = process.env.MEDIA_URL\n\n', none: '' }

/** Python 3.8 or newer, without packages. */
function pythonExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
  return `import json
import os
import time
import urllib.error
import urllib.request
import uuid

${baseUrls.length > 1 ? '# The second address serves the same API.\n' : ''}BASES = ${JSON.stringify(baseUrls)}


def call(method, path, body=None, headers=None):
    wait = 0
    for backoff in (1, 2, 4, 8, 16, 32):
        time.sleep(wait)
        wait = backoff
        request = urllib.request.Request(BASES[0] + path, method=method)
        request.add_header("Authorization", "Bearer " + os.environ["API_KEY"])
        for name, value in (headers or {}).items():
            request.add_header(name, value)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            wait = int(error.headers.get("Retry-After", wait))
            is_passing = error.code == 429 or (error.code >= 500 and error.code != 501)
            if not is_passing or wait > 60:
                raise SystemExit(error.read().decode())
        except OSError:
            pass
        BASES.append(BASES.pop(0))
    raise SystemExit("the service is busy or cannot be reached: try again later")


${bringMediaInPython[source]}# The key makes a retry safe: it returns the ${kind} that the first request created.
body = json.loads('${escaped(requestJson)}')
created = call("POST", "${createPath}", ${source === 'none' ? 'body' : '{**body, "media_url": media_url}'}, {"Idempotency-Key": str(uuid.uuid4())})
${kind} = created["${kind}"]
while ${kind}["status"] not in ("completed", "failed"):
    ${kind} = call("GET", "${readPath}/" + ${kind}["id"] + "?wait=20")["${kind}"]
if ${kind}["status"] == "failed":
    raise SystemExit(${kind}["error"]["code"] + ": " + ${kind}["error"]["message"])
print(json.dumps(${kind}["result"], indent=2))
`
}

/** Escapes text for a literal in single quotes. */
function escaped(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)
}

const uploadInPython = `path = os.environ["MEDIA_FILE"]
with open(path, "rb") as file:
    content = file.read()
upload = call("POST", "/v1/uploads/presign", {"filename": os.path.basename(path), "bytes": len(content)})["upload"]
put = urllib.request.Request(upload["upload_url"], data=content, headers=upload["upload_headers"], method="PUT")
urllib.request.urlopen(put, timeout=600).close()
media_url = upload["media_url"]
`

const bringMediaInPython = { file: `${uploadInPython}\n`, url: 'media_url = os.environ["MEDIA_URL"]\n\n', none: '' }
