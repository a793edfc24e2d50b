import { countPattern } from './units.ts'

// Lengths and numbers that a goal states, in a text that `withUnits` returned.

const length = `(${countPattern}) seconds`
const splitVerb = '(?:split|divide|chop|break|cut|slice|separate)'
const partNoun = '(?:pieces?|parts?|chunks?|segments?|sections?|clips?|files?|videos?|mp3s?|episodes?)'
const equal = '(?:equal(?:ly)?|even|same)'
const fewWords = '(?:[a-z-]+ ){0,4}?'
/** "My 90 minute lecture" and "a 2 hour video into clips" say how long the media is. */
const noMedia = String.raw`(?<!\b(?:my|our|your|his|her|their|this|that)(?: [a-z]+)? )(?<!\b(?:from|of|in) (?:an?|the) )`
const notDivided = String.raw`(?! (?:in|into|by|per)\b)`
const fewWordsOrNumbers = '(?:[a-z0-9-]+ ){0,6}?'

/** "Into two parts at the break" are no equal parts. */
const notWhere = '(?! (?:[a-z]+ )?(?:at|where|when|before|after|by) )'

const lengthOfPart = new RegExp(
  String.raw`\b(?:every ${length}|${noMedia}${length}[ -](?:long )?${partNoun}${notDivided}|(?:each|${partNoun} of) ${length})\b`,
)
const numberOfParts = new RegExp(
  String.raw`\b(?:${splitVerb} ${fewWordsOrNumbers}(?:in|into|to) (\d{1,3}) ?(?:${equal}[ -]?(?:long |sized )?)?(?:${partNoun}\b|$|[.,!])${notWhere}` +
    String.raw`|(\d{1,3}) ${equal}[ -]?(?:long |sized )?${partNoun})`,
)
const namedParts = new RegExp(
  String.raw`\b${splitVerb} ${fewWords}(?:in|into) (half|halves|2|thirds|quarters)\b${notWhere}`,
)
const partsByName: Readonly<Record<string, number>> = { half: 2, halves: 2, '2': 2, thirds: 3, quarters: 4 }

/** How the goal divides the media: into a number of equal parts, or into parts of a number of seconds. */
export type EqualParts = { readonly parts: number } | { readonly seconds: number }

export function equalPartsIn(text: string): EqualParts | undefined {
  const parts = numberIn(numberOfParts, text) ?? partsByName[namedParts.exec(text)?.[1] ?? '']
  if (parts !== undefined) return parts > 1 ? { parts } : undefined
  const seconds = /\b(?:split|divide|chop|break|cut|slice|pieces|chunks)\b/.test(text)
    ? numberIn(lengthOfPart, text)
    : undefined
  return seconds ? { seconds } : undefined
}

/** The interval of "every 10 seconds", in seconds. */
export function intervalIn(text: string): number | undefined {
  return numberIn(new RegExp(String.raw`\b(?:every|each|per) ${length}\b`), text) || undefined
}

/** The first length that the goal states, in seconds. */
export function statedLengthIn(text: string): number | undefined {
  return numberIn(new RegExp(String.raw`\b${length}`), text)
}

const shortestPause = new RegExp(
  String.raw`\b(?:(?:longer|more|greater) than|over|above|exceeding|at least|of) ${length}\b`,
)
const longestPause = new RegExp(
  String.raw`\b(?:shorten|cut|reduce|trim|tighten|limit|cap)(?:ing)?\b.{0,60}?\bto ${length}\b`,
)

/** The length below which pauses stay, such as "longer than 2 seconds", in seconds. */
export function shortestPauseIn(text: string): number | undefined {
  return numberIn(shortestPause, text)
}

/** The length to which pauses are shortened, such as "down to half a second", in seconds. */
export function longestPauseIn(text: string): number | undefined {
  return numberIn(longestPause, text)
}

/** Words between a length and its clip, and none that begins another phrase. */
const fewWordsOfClip = '(?:(?!(?:in|into|to|from|of|for|by|per|and|or|at|on|with)\\b)[a-z-]+ ){0,4}?'
const clipNoun = '(?:clip|teaser|trailer|highlight|snippet|excerpt|short|reel|video|preview|promo|cut)'
const lengthOfClip = new RegExp(
  String.raw`\b(?:${noMedia}${length}[ -](?:long )?${fewWordsOfClip}${clipNoun}s?\b${notDivided}|${clipNoun}s? (?:of|with) ${length}\b)`,
)
/** "30 seconds around 1:30", "at 1:30 for 30 seconds". */
const lengthAtTime = new RegExp(
  String.raw`\b${length} (?:[a-z]+ ){0,5}?(?:around|near|at|about) {1,3}<time>` +
    `|<time> {0,3}(?:, )?(?:for |of |lasting )(?:about |around )?${length}` +
    String.raw`|<time>[^.;<]{0,40}?\b${length} long\b`,
)
const before = new RegExp(String.raw`\b${length} (?:before|ahead)\b`)
const afterwards = new RegExp(String.raw`\b${length} (?:before and )?after(?:wards?)?\b`)
const eachSide = new RegExp(String.raw`\b${length} (?:on |to |of it )?(?:either|each|both) sides?\b`)

/** How much of the media a clip has on both sides of its moment, in seconds. */
export interface ClipReach {
  readonly before_seconds?: number
  readonly after_seconds?: number
}

/** The reach of a clip whose length, or whose part before or after the moment, the goal states. */
export function clipReachIn(text: string): ClipReach {
  const sides = sidesIn(text)
  const all = numberIn(lengthAtTime, text) ?? numberIn(lengthOfClip, text)
  const isOpen = Object.keys(sides).length === 0
  return isOpen && all !== undefined ? { before_seconds: all / 2, after_seconds: all / 2 } : sides
}

/** What the goal states of the parts before and after a moment. */
export function sidesIn(text: string): ClipReach {
  const side = numberIn(eachSide, text)
  const [ahead, behind] = [side ?? numberIn(before, text), side ?? numberIn(afterwards, text)]
  return {
    ...(ahead === undefined ? {} : { before_seconds: ahead }),
    ...(behind === undefined ? {} : { after_seconds: behind }),
  }
}

const joinedNoun = '(?:teaser|trailer|promo|recap|reel|compilation|montage|supercut|mashup|video|film|file|cut)'
const lengthOfJoined = new RegExp(
  String.raw`\b(?:${noMedia}${length}[ -](?:long )?${fewWordsOfClip}${joinedNoun}\b(?! clips)${notDivided}|${joinedNoun},? (?:of|with|lasting|that (?:is|lasts))? ?(?:about |around )?${length}\b)`,
)

/** The length that the goal states of one file of many clips, in seconds. */
export function joinedLengthIn(text: string): number | undefined {
  return numberIn(lengthOfJoined, text)
}

/** The length of each clip that the goal states, in seconds. */
export function clipLengthIn(text: string): number | undefined {
  return numberIn(lengthOfClip, text)
}

/** Whether the goal asks for the one thing that is first of its kind: "the funniest bit". */
export function asksForTop(text: string, things: readonly string[]): boolean {
  return new RegExp(
    String.raw`\b(?:the|my|our|its) (?:best|[a-z]+est) (?:[a-z-]+ ){0,2}?(?:${things.join('|')})\b`,
  ).test(text)
}

/** How many of the things the goal asks for: 3 of "three short vertical videos", if `things` has "video", and 4 of "four of them". */
export function numberOf(text: string, things: readonly string[]): number | undefined {
  const many = new RegExp(String.raw`\b(\d{1,3}) +(?!seconds)(?:(?:[a-z'-]+|<\d+x\d+>) +){0,3}?(?:${things.join('|')})`)
  return numberIn(many, text) ?? numberIn(/\b(\d{1,3}) of (?:them|those|these)\b/, text)
}

function numberIn(form: RegExp, text: string): number | undefined {
  const found = (form.exec(text) ?? []).slice(1).find((part) => part !== undefined)
  return found === undefined ? undefined : Number(found)
}
