const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const quoted = (text: string) => JSON.stringify(text)

/** Replacements for any value, as raw JSON. */
export const hostileJson: readonly string[] = [
  'null',
  'true',
  '[]',
  '{}',
  ...['-1', '-0', '0.5', '1e-400', '1e308', '1e999', '9007199254740993', '123456789012345678901234567890'],
  ...[deep(20), deep(20_000)],
  '{"__proto__": {"isAdmin": true}}',
  '{"constructor": {"prototype": {"isAdmin": true}}}',
  '{"toString": "x", "length": -1}',
  '{"$ne": null}',
  '[{"start": 0}]',
  String.raw`"\u0000"`,
  String.raw`"a\ud800b"`,
  ...['', ' ', 'NaN', '-Infinity', '0x10', '__proto__', 'constructor', '{{7*7}}', '\u202e\ufeff'].map(quoted),
  ...["' OR 1=1; DROP TABLE jobs; --", '$(reboot)`reboot`|reboot', '../../../etc/passwd', 'a'.repeat(50_000)].map(
    quoted,
  ),
  ...['http://169.254.169.254/latest/', 'http://[::1]/a.mp4', 'file:///etc/passwd'].map(quoted),
  ...['job_', 'run_', 'key_', 'ses_'].map((prefix) => quoted(prefix + 'a'.repeat(24))),
]

/** The same for URLs: the texts, and bytes that are not text. */
export const hostileInUrl: readonly string[] = [
  ...hostileJson.flatMap((json) => (json.startsWith('"') && !json.includes('ud800') ? [String(JSON.parse(json))] : [])),
  ...['-1', '0.01', '1e308', '9007199254740993', '[]', 'a\r\nb: c'],
]
  .map(encodeURIComponent)
  .concat('%ed%a0%80', '%ff', '%', '%zz', '%2e%2e%2f', 'a&b=c', '[]=1')

const place = '\u0001'

/** The object as JSON with a hostile value for a field; a dot names a nested field. */
export function withHostile(given: object, field: string, json: string): string {
  const [name = '', inner] = field.split('.', 2)
  const fields: Record<string, unknown> = { ...given }
  const value = inner === undefined ? place : { ...Object(fields[name]), [inner]: place }
  return JSON.stringify({ ...fields, [name]: value }).replace(JSON.stringify(place), () => json)
}

/** Sends a few values at a time; a request that hangs makes the test fail by its time-out. */
export async function tryEach<T>(values: readonly T[], send: (value: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < values.length; at += 10) await Promise.all(values.slice(at, at + 10).map(send))
}
