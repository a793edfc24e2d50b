import { type ClipFormat, clipFormats, mediaFormats } from '../core/media.ts'

// The format that a goal names for a file, and not that of its source.

/** Formats that no clip has. GIF is a picture. */
const otherFormats = [
  ...mediaFormats.filter((format) => !clipFormats.some((each) => each === format)),
  ...['avi', 'wmv', 'wma', 'flv', 'mpg', 'mpeg', '3gp', 'ogv', 'm2ts', 'vob', 'prores', 'ac3', 'mp2', 'caf', 'midi'],
]

const source = '(?:my|our|your|his|her|their|the|this|that|these|those|of|from)'
/** Words between a verb and a format, and none that begins another phrase. */
const fewWords = String.raw`(?:(?!(?:${source}|in|on|with|off|to|for|than|as)\b)[a-z0-9'’-]+\s+){0,3}?`
const verb = '(?:save|want|need|give|make|get|export|output|create|produce|render|send|turn|deliver)'

function nameOf(formats: readonly string[]): string {
  return String.raw`(?<!\b${source}\s)\.?(${formats.join('|')})s?\b`
}

function formOf(formats: readonly string[]): RegExp {
  const name = nameOf(formats)
  return new RegExp(
    [
      String.raw`\bin\s+${name}`,
      // "Make this talk mp3".
      String.raw`\b${verb}\s+(?:(?:the|this|that|my|our)\s+)?${fewWords}${name}`,
      // What stands before a comma, or is a mark.
      String.raw`(?:^|[,>])\s*(?:an?\s+)?${name}`,
      String.raw`\b(?:and|plus|own|separate|seconds)\s+(?:an?\s+)?${name}`,
      String.raw`\b(${formats.join('|')})\s+(?:version|copy)\b`,
    ].join('|'),
  )
}

const clipFormat = formOf(clipFormats)
const otherFormat = formOf(otherFormats)

/** "Convert an mp3 to wav" names the source first. */
function targetOf(formats: readonly string[]): RegExp {
  return new RegExp(String.raw`\b(?:as|to|into)\s+${fewWords}${nameOf(formats)}`)
}

const clipTarget = targetOf(clipFormats)
const otherTarget = targetOf(otherFormats)

/** The format that the goal asks for. */
export function formatIn(text: string): ClipFormat | undefined {
  if (otherTarget.test(text)) return undefined
  const [, ...groups] = clipTarget.exec(text) ?? clipFormat.exec(text) ?? []
  return clipFormats.find((format) => groups.includes(format))
}

/** Whether the goal asks for a format that no clip has. */
export function asksForOtherFormat(text: string): boolean {
  return otherTarget.test(text) || (!clipTarget.test(text) && otherFormat.test(text))
}
