import type { ExamplePlan } from './code-example.ts'

/** bash with curl 7.71 or newer, and sed. */
export function curlExample({ kind, createPath, readPath, baseUrls, requestJson, source }: ExamplePlan): string {
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

${bringMedia[source]}# The key makes a retry safe: it returns the ${kind} that the first request created.
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

const upload = `call POST /v1/uploads/presign \\
  --data '{"filename":"'"$(basename "$MEDIA_FILE")"'","bytes":'"$(wc -c <"$MEDIA_FILE" | tr -d ' ')"'}'
media_url=$(field media_url)
upload_url=$(field upload_url)
headers=$(sed -n 's/.*"upload_headers":{\\([^}]*\\)}.*/\\1/p' "$answer" | sed $'s/","/"\\\\\\n"/g' |
  sed 's/^"\\([^"]*\\)":"\\(.*\\)"$/header = "\\1: \\2"/')
curl --silent --fail --output /dev/null --upload-file "$MEDIA_FILE" --config <(echo "$headers") "$upload_url"
`

const bringMedia = { file: `${upload}\n`, url: 'media_url=$MEDIA_URL\n\n', none: '' }
