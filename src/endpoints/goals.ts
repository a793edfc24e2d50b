import { markShapes } from './shapes.ts'

// What people call the work of endpoints and chains, and how a goal in words finds it.

/**
 * A text matches a goal if, for each list, it has a word that begins with one of the list's entries. `<time>` stands for a
 * time, `<window>` for a start and an end.
 */
export type Goal = readonly (readonly string[])[]

/** Times as a job takes them; a blank end is the end of the media. */
export interface GoalWindow {
  readonly start: string
  readonly end: string
}

export interface ReadGoal {
  /** The goal in lower case, with `<time>` and `<window>` in place of its times, and such as `<9x16>` of its ratios. */
  readonly text: string
  /** The text as words, each between spaces. */
  readonly words: string
  readonly times: readonly string[]
  readonly windows: readonly GoalWindow[]
  /** The phrases in quotes, as they are written. */
  readonly phrases: readonly string[]
}

/** `"…"`, `“…”`, `«…»`, and `'…'` where the quotes are no apostrophes. */
const quotedPhrase = /["“”«]([^"“”«»]{1,200})["“”»]|(?<![\p{L}\p{N}])['‘]([^'‘’]{1,200})['’](?![\p{L}\p{N}])/gu

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?`
const count = String.raw`\d+(?:\.\d+)?`
const secondsUnit = '(?:s|secs?|seconds?)'
const minutesUnit = '(?:m|mins?|minutes?)'
const until = String.raw`\s*(?:to|until|till|and|-|–)\s*`
/** Between clocks, "and" is also that of several moments. */
const untilClock = String.raw`\s*(?:to|until|till|-|–)\s*`
const after = '(?:after|past|since)(?: the)?'

const numberWords: Readonly<Record<string, number>> = {
  ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
  ...{ fifteen: 15, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90 },
}
const spelled = `(${Object.keys(numberWords).join('|')})`
const spelledTimes = [
  new RegExp(`\\b${spelled}(?= (?:${secondsUnit}|${minutesUnit})\\b)`, 'g'),
  new RegExp(`(?<=\\bminutes? )${spelled}\\b`, 'g'),
]
/** `1h02m`, `2 min 30 s`. */
const next = String.raw`,? ?(?:and )?(\d{1,2}) ?`
const hoursAndMinutes = new RegExp(
  `\\b(\\d{1,2}) ?(?:h|hrs?|hours?)${next}${minutesUnit}(?:${next}${secondsUnit})?\\b`,
  'g',
)
const minutesAndSeconds = new RegExp(`\\b(\\d{1,2}) ?${minutesUnit}${next}${secondsUnit}\\b`, 'g')

/** Writes spelled numbers as digits, and times of several units with colons. */
function withDigits(goal: string): string {
  const digits = spelledTimes.reduce((text, form) => text.replaceAll(form, (word) => String(numberWords[word])), goal)
  const colons = (...parts: readonly string[]) => parts.map((part) => part.padStart(2, '0')).join(':')
  return digits
    .replaceAll(hoursAndMinutes, (_whole, hour: string, minute: string, second = '0') =>
      colons(hour, minute, String(second)),
    )
    .replaceAll(minutesAndSeconds, (_whole, minute: string, second: string) => colons(minute, second))
}

/** Each form of times, with the times that it names. The longest come first. */
const forms: readonly { readonly pattern: RegExp; readonly times: (...parts: string[]) => readonly string[] }[] = [
  { pattern: new RegExp(`(${clock})${untilClock}(${clock})`, 'g'), times: (start = '', end = '') => [start, end] },
  { pattern: new RegExp(`\\bbetween (${clock}) and (${clock})`, 'g'), times: (start = '', end = '') => [start, end] },
  {
    pattern: new RegExp(`\\b(?:minutes? )?(${count})${until}(?:minutes? )?(${count}) ?${minutesUnit}\\b`, 'g'),
    times: (start, end) => [minutes(start), minutes(end)],
  },
  {
    pattern: new RegExp(`\\bminutes? (${count})${until}(?:minutes? )?(${count})\\b`, 'g'),
    times: (a, b) => [minutes(a), minutes(b)],
  },
  {
    pattern: new RegExp(`\\b(${count}) ?${secondsUnit}?${until}(${count}) ?${secondsUnit}\\b`, 'g'),
    times: (a = '', b = '') => [a, b],
  },
  { pattern: new RegExp(`\\bbetween (${count}) and (${count})\\b`, 'g'), times: (a = '', b = '') => [a, b] },
  { pattern: new RegExp(`\\bfirst (${count}) ?${secondsUnit}\\b`, 'g'), times: (end = '') => ['0', end] },
  { pattern: new RegExp(`\\bfirst (${count}) ?${minutesUnit}\\b`, 'g'), times: (end) => ['0', minutes(end)] },
  { pattern: new RegExp(`\\blast (${count}) ?${secondsUnit}\\b`, 'g'), times: (length) => [beforeEnd(length), ''] },
  {
    pattern: new RegExp(`\\blast (${count}) ?${minutesUnit}\\b`, 'g'),
    times: (length) => [beforeEnd(minutes(length)), ''],
  },
  { pattern: new RegExp(`\\b${after} (${clock})`, 'g'), times: (start = '') => [start, ''] },
  { pattern: new RegExp(`\\b${after} minute (${count})\\b`, 'g'), times: (start) => [minutes(start), ''] },
  { pattern: new RegExp(`\\b${after} (${count}) ?${minutesUnit}\\b`, 'g'), times: (start) => [minutes(start), ''] },
  {
    pattern: new RegExp(`\\b${after} (?:second (${count})|(${count}) ?${secondsUnit})\\b`, 'g'),
    times: (start = '') => [start, ''],
  },
  { pattern: new RegExp(`(${clock})`, 'g'), times: (time = '') => [time] },
  { pattern: new RegExp(`\\bminute (${count})\\b`, 'g'), times: (time) => [minutes(time)] },
  {
    pattern: new RegExp(`\\b(?:at|around|near|second) (${count})(?: ?${secondsUnit})\\b`, 'g'),
    times: (time = '') => [time],
  },
]

function minutes(text = ''): string {
  return String(Number(text) * 60)
}

/** What to put in place of a time before the end of media whose length is unknown. */
export const fromTheEnd = '<media_seconds - '

function beforeEnd(seconds = ''): string {
  return `${fromTheEnd}${seconds}>`
}

/** Puts two times in order: people also name the later one first. */
function inOrder(start: string, end: string): GoalWindow {
  const seconds = (time: string) => time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return end !== '' && seconds(start) > seconds(end) ? { start: end, end: start } : { start, end }
}

/** Finds the times of a goal. */
export function readGoal(goal: string): ReadGoal {
  const times: string[] = []
  const windows: GoalWindow[] = []
  const text = forms.reduce(
    (before, form) =>
      before.replaceAll(form.pattern, (_whole, ...parts: unknown[]) => {
        const [start = '', end] = form.times(...parts.filter((part) => typeof part === 'string').slice(0, 2))
        if (end === undefined) times.push(start)
        else windows.push(inOrder(start, end))
        return end === undefined ? ' <time> ' : ' <window> '
      }),
    withDigits(markShapes(goal.toLowerCase())),
  )
  const quoted = [...goal.matchAll(quotedPhrase)].map(([, double, single]) => (double ?? single ?? '').trim())
  return { text, words: spaced(text), times, windows, phrases: quoted.filter((phrase) => phrase !== '') }
}

/** The goal with another text. */
export function withText(goal: ReadGoal, text: string): ReadGoal {
  return { ...goal, text, words: spaced(text) }
}

/** The number of lists of the most specific goal that the text matches, where a time counts twice; 0 if it matches none. */
export function matchOf({ words }: ReadGoal, goals: readonly Goal[]): number {
  const matching = goals.filter((goal) => goal.every((list) => list.some((word) => hasWord(words, word))))
  const hasTime = hasWord(words, '<time>')
  return Math.max(0, ...matching.map((goal) => goal.length + (hasTime && goal.flat().includes('<time>') ? 1 : 0)))
}

/** Whether one of the words begins with `word`, or is it if `word` ends with a space. */
function hasWord(words: string, word: string): boolean {
  return words.includes(` ${word}`)
}

function spaced(text: string): string {
  return ` ${text.replaceAll(/[^\p{L}\p{N}<>'-]+/gu, ' ')} `
}

/** The goal without the words that begin with one of the entries. */
export function withoutWords(goal: ReadGoal, words: readonly string[]): ReadGoal {
  const text = words.reduce((rest, word) => rest.replaceAll(new RegExp(` ${word}[^ ]*`, 'g'), ' '), goal.words)
  return withText(goal, text)
}

// Lists that several declarations use.

export const cutWords = [
  ...['cut', 'clip', 'trim', 'extract', 'export', 'snippet', 'excerpt', 'highlight', 'teaser', 'short', 'keep'],
  ...['grab', 'make', 'get', 'pull', 'save', 'moment', 'crop out'],
]
export const dropWords = [
  ...[
    'remove',
    'delete',
    'drop',
    'strip',
    'skip',
    'shorten',
    'tighten',
    'trim',
    'cut',
    'get rid',
    'without',
    'eliminate',
  ],
  ...['edit out', 'take out', 'clean out', 'shorter', 'tighter'],
]
export const findWords = [
  'find',
  'detect',
  'list',
  'where',
  'when',
  'mark',
  'show',
  'locate',
  'timestamp',
  'how many',
  'get',
]
export const fillerWords = [
  ...['um ', 'ums', 'uh ', 'uhs', 'uhm', 'umm', 'erm', 'filler', 'hesitation', 'verbal tic', 'crutch word'],
  ...['stutter', 'stammer', 'false start', 'repeated word', 'repetition', 'retake', 'mistake', 'you know'],
]
export const silenceWords = [
  'silence',
  'silent',
  'dead air',
  'dead space',
  'pause',
  'quiet',
  'gap',
  'awkward',
  'nobody speak',
  'nobody talk',
  'no one speak',
  'no one talk',
  'no speech',
]
export const funnyWords = ['funny', 'funnie', 'laugh', 'joke', 'humor', 'humour', 'comedy', 'hilarious']
export const sayingWords = ['word', 'phrase', 'quote', 'say', 'said', 'spoken', 'mention']
/** "Cut" alone is also to cut clips. */
const removeWords = ['remove', 'delete', 'get rid', 'eliminate', 'cut out', 'cut all', 'edit out', 'take out']
/** Goals that cut words out of speech. */
export const wordCutGoals: readonly Goal[] = [
  [
    [...removeWords, 'cut', 'without'],
    ['swear', 'curse', 'cursing', 'cuss', 'profan', 'expletive', 'obscen', 'bad word'],
  ],
  [removeWords, ['the word', 'the phrase', 'these words', 'those words', 'certain words']],
  [removeWords, ['every time', 'each time', 'whenever', 'all the times'], sayingWords],
]
export const transcriptWords = [
  ...['transcri', 'subtitle', 'caption', 'srt', 'vtt', 'speech to text', 'speech-to-text'],
]
/** What people call one file of many clips. */
export const joinWords = [
  ...['reel ', 'compilation', 'montage', 'supercut', 'mashup', 'joined', 'join them'],
  ...['one file', 'one video', 'one clip', 'single file', 'single video', 'single clip'],
]
