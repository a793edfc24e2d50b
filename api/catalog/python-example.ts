import type { ExamplePlan } from './code-example.ts'

/** Python 3.8 or newer, without packages. */
export function pythonExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
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


${bringMedia[source]}# The key makes a retry safe: it returns the ${kind} that the first request created.
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

const upload = `path = os.environ["MEDIA_FILE"]
with open(path, "rb") as file:
    content = file.read()
upload = call("POST", "/v1/uploads/presign", {"filename": os.path.basename(path), "bytes": len(content)})["upload"]
put = urllib.request.Request(upload["upload_url"], data=content, headers=upload["upload_headers"], method="PUT")
urllib.request.urlopen(put, timeout=600).close()
media_url = upload["media_url"]
`

const bringMedia = { file: `${upload}\n`, url: 'media_url = os.environ["MEDIA_URL"]\n\n', none: '' }
