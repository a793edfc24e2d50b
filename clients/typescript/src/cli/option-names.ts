import type { Option } from 'commander'

/** Fields of requests that a command calls by another name. */
const ownNames: Readonly<Record<string, string>> = { start: 'from', end: 'to' }

/** The option that sends a field of requests: `--min-silence-seconds`, `--from` for `start`, `--max-price` for `max_price_usd`. */
export function flagOf(field: string): string {
  const name = ownNames[field] ?? field.replace(/_usd$/, '')
  return `--${name.replaceAll('_', '-')}`
}

/** Where a message of the service names a field, with its value if it says one. */
const mentions: readonly RegExp[] = [
  // settings.mode, and of a chain settings["video/clip-window"].mode
  /\bsettings(?:\["[^"]+"\])?\.(\w+)(?:: (true|false)\b)?/g,
  // "mode": "exact"
  /"(\w+)": "?([\w.:-]+)"?/g,
  // as=csv
  /(?<![?&])\b(\w+)=([\w.]*)/g,
  // max_price_usd, and the field that a sentence begins with: list: this result has no words.
  /(?<![\w.["?&/-])(\w+_\w+|(?<=^|; )\w+(?=: ))(?![\w"=])/g,
  // start and end, but not the end of the media.
  new RegExp(String.raw`(?<![\w."-]|\b(?:an?|its|the) )(${Object.keys(ownNames).join('|')})(?![\w"-])`, 'g'),
]

/** What only requests can do, and prices: as the command says it. */
const phrases: readonly (readonly [RegExp, string])[] = [
  [/, or send media_seconds\b/g, ''],
  [/, or create its next jobs yourself from the jobs of its completed steps\b/g, ''],
  [/\bUse a current one\./g, 'Log in again with "media-timeline login", or set a current MEDIA_TIMELINE_API_KEY.'],
  [/\bSend media_seconds, or upload the file\b/g, 'Download it, and give the file'],
  [/\bSend media_seconds, or wait\b/g, 'Wait'],
  [/\bupload the file\b/g, 'give the file'],
  [/\b([\d.]+) USD\b/g, '$$$1'],
]

/**
 * A message of the service with the names of options in place of the fields of requests, which a person did not type. Fields that
 * the command has no option for keep their names.
 */
export function namingOptions(message: string, options: readonly Pick<Option, 'long'>[]): string {
  const known = new Set(options.map(({ long }) => long))
  const named = (mention: string, field: string, value: unknown) => {
    const flag = flagOf(field)
    if (!known.has(flag)) return mention
    return typeof value === 'string' && value !== '' ? `${flag} ${value}` : flag
  }
  const spoken = phrases.reduce((text, [phrase, own]) => text.replaceAll(phrase, own), message)
  return mentions.reduce((text, mention) => text.replaceAll(mention, named), spoken)
}
