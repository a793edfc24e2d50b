import type { ExamplePlan } from './code-example.ts'

/** bash with curl and sed. */
export function curlExample({ baseUrls, requestJson, source }: ExamplePlan): string {
  return `set -euo pipefail
${baseUrls.length > 1 ? '# The second address serves the same API.\n' : ''}bases=(${baseUrls.map((url) => `'${url}'`).join(' ')})
answer=$(mktemp)
trap 'rm -f "$answer"' EXIT

call() { # method path curl-options…
  local status=000
  for base in "\${bases[@]}"; do
    status=$(curl --silent --output "$answer" --write-out '%{http_code}' --request "$1" "$base$2" \\
      --header "Authorization: Bearer $API_KEY" --header 'Content-Type: application/json' "\${@:3}") || status=000
    [[ $status == [1-4]* || $status == 501 ]] && break
  done
  [[ $status == 2* ]] || { cat "$answer" >&2; exit 1; }
}

field() { # the last text field of this name
  sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p" "$answer"
}

${bringMedia[source]}# The key makes a retry safe: it returns the job that the first request created.
call POST /v1/jobs --header "Idempotency-Key: example-$$-$RANDOM$RANDOM" \\
  --data '${source === 'none' ? inQuotes(requestJson) : withMedia(requestJson)}'
job_id=$(field job_id)
until grep --quiet '"status":"completed"' "$answer"; do
  if grep --quiet '"status":"failed"' "$answer"; then cat "$answer" >&2; exit 1; fi
  call GET "/v1/jobs/$job_id?wait=20"
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

const upload = `call POST /v1/uploads/presign \\
  --data '{"filename":"'"$(basename "$MEDIA_FILE")"'","bytes":'"$(wc -c <"$MEDIA_FILE" | tr -d ' ')"'}'
media_url=$(field media_url)
upload_url=$(field upload_url)
headers=$(sed -n 's/.*"upload_headers":{\\([^}]*\\)}.*/\\1/p' "$answer" | sed $'s/","/"\\\\\\n"/g' |
  sed 's/^"\\([^"]*\\)":"\\(.*\\)"$/header = "\\1: \\2"/')
curl --silent --fail --output /dev/null --upload-file "$MEDIA_FILE" --config <(echo "$headers") "$upload_url"
`

const bringMedia = { file: `${upload}\n`, url: 'media_url=$MEDIA_URL\n\n', none: '' }
