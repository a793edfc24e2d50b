/** Whether PostgreSQL can store every text of a JSON document: it accepts no NUL and no half of a surrogate pair. */
export function isPostgresText(json: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(json)
}

export const notPostgresText = 'a text contains a NUL character, or half of a surrogate pair. Remove it.'

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

/** Escapes text for the content and the quoted attributes of HTML and SVG. */
export function escapeMarkup(text: string): string {
  return escapeContent(text).replaceAll('"', '&quot;')
}

/** Escapes text for content alone, such as that of WebVTT, whose players show `&quot;` as it is. */
export function escapeContent(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Combining marks, and the characters that `NFKC` and `NFKD` make combining marks. */
const mark = '[\\p{M}\\uFF9E\\uFF9F]'
const marks = new RegExp(`(${mark}{1,10})${mark}*`, 'gu')

/**
 * The text in a normal form of Unicode, with at most ten combining marks after a letter: sorting a run of marks takes the time of its
 * length squared, and no script needs more.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string {
  return text.replaceAll(marks, '$1').normalize(form)
}

/** Joins emoji into one, such as the people of a family; each may have a variation or a skin tone. */
const joiner = /(?<=\p{ExtPict}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{ExtPict})/u.source
/** Scripts that spell with joiners (Unicode 17.0, 23.2). In others, joiners between letters can only hide text. */
const joinedScripts =
  'Arab Syrc Mand Nkoo Mong Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt'.split(' ')
/** A letter or mark of these scripts. */
const joined = `[[${joinedScripts.map((script) => `\\p{scx=${script}}`).join('')}]&&[\\p{L}\\p{M}]]`
const letterJoiner = `(?<=${joined})[\\u200C\\u200D](?=${joined})`
/** A tag in a flag of the emoji, such as that of England. */
const flagTag = '(?=\\p{RGI_Emoji_Tag_Sequence})\\u{1F3F4}[\\u{E0020}-\\u{E007F}]{1,6}'
/** Controls, invisible and bidirectional characters, unassigned ones, and variation selectors that can carry hidden text. */
const hidden = new RegExp(`[\\p{C}\\p{Zl}\\p{Zp}\\u{E0100}-\\u{E01EF}](?<!${joiner}|${letterJoiner}|${flagTag})`, 'gv')

export function removeHidden(text: string): string {
  return text.replaceAll(hidden, '')
}

/** Writes the characters that can change how a text is shown, or hide text from people, as escapes such as `\u{202e}`. Keeps line breaks. */
export function showHidden(text: string): string {
  return text.replaceAll(hidden, (each) => (each === '\n' ? each : `\\u{${each.codePointAt(0)?.toString(16)}}`))
}

/** JSON to read in a terminal. The characters that `showHidden` shows are escapes of JSON. */
export function readableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(hidden, (each) => (each === '\n' ? each : jsonEscapes(each)))
}

function jsonEscapes(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

/** A name from outside within a sentence: in quotes, on one line, with nothing hidden. */
export function quoted(name: string): string {
  return showHidden(JSON.stringify(name))
}

interface QuotedListOptions {
  readonly maxListed: number
  /** Of each text, in characters. */
  readonly maxLength: number
}

/** The text, or its beginning and an ellipsis if it is longer. */
export function shortened(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length > maxLength ? `${characters.slice(0, maxLength).join('').trimEnd()}…` : text
}

/** The first texts in quotes, each cut to the length, and the number of the others: `"a", "b", and 3 more`. */
export function quotedList(texts: readonly string[], { maxListed, maxLength }: QuotedListOptions): string {
  const listed = texts.slice(0, maxListed).map((text) => quoted(shortened(text, maxLength)))
  const left = texts.length - listed.length
  return `${listed.join(', ')}${left > 0 ? `, and ${left} more` : ''}`
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A number with its noun: `1 job`, `2 jobs`, `2 entries`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** A size as people read it, such as `5 GiB` or `6.1 GiB`. */
export function describeBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const unit = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)))
  if (unit === 0) return counted(bytes, 'byte')
  return `${Number((bytes / 1024 ** unit).toFixed(1))} ${units[unit]}`
}

/** "The file has 6.1 GiB, and the limit is 5 GiB", in bytes where rounding would make them equal. `bytes` is unknown while they arrive. */
export function describeExcess(what: string, bytes: number | undefined, limit: number): string {
  if (bytes === undefined) return `${what} is larger than the limit, ${describeBytes(limit)}.`
  const [has, may] = [describeBytes(bytes), describeBytes(limit)]
  return has === may
    ? `${what} has ${counted(bytes, 'byte')}, and the limit is ${counted(limit, 'byte')}.`
    : `${what} has ${has}, and the limit is ${may}.`
}

/** A message about the settings of a job, with the paths that the request of its run has: `settings["video/clip-near"].aspect`. */
export function asOfStep(message: string, endpoint: string): string {
  return message.replaceAll(/\bsettings\.(?=[a-z_])/g, () => `settings["${endpoint}"].`)
}
