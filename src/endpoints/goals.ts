// What people call the work of endpoints and chains, and how a goal in words finds it.

/** A goal matches if it contains a beginning of a word from each list. `<time>` is a time, `<window>` two of them. */
export type Goal = readonly (readonly string[])[]

export interface GoalWindow {
  readonly start: string
  readonly end: string
}

export interface ReadGoal {
  /** In lower case, with its times as `<time>` and `<window>`. */
  readonly text: string
  readonly times: readonly string[]
  readonly windows: readonly GoalWindow[]
}

const clock = String.raw`\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?`
const count = String.raw`\d+(?:\.\d+)?`
const secondsUnit = '(?:s|secs?|seconds?)'
const minutesUnit = '(?:m|mins?|minutes?)'
const until = String.raw`\s*(?:to|until|till|and|-|–)\s*`

/** Each form of times, with the times that it names. The longest come first. */
const forms: readonly { readonly pattern: RegExp; readonly times: (...parts: string[]) => readonly string[] }[] = [
  { pattern: new RegExp(`(${clock})${until}(${clock})`, 'g'), times: (start, end) => [start ?? '', end ?? ''] },
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
  { pattern: new RegExp(`\\bfirst (${count}) ?${secondsUnit}\\b`, 'g'), times: (end = '') => ['0', end] },
  { pattern: new RegExp(`\\bfirst (${count}) ?${minutesUnit}\\b`, 'g'), times: (end) => ['0', minutes(end)] },
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

/** Finds the times of a goal. */
export function readGoal(goal: string): ReadGoal {
  const times: string[] = []
  const windows: GoalWindow[] = []
  const text = forms.reduce(
    (before, form) =>
      before.replaceAll(form.pattern, (_whole, ...parts: unknown[]) => {
        const [start = '', end] = form.times(...parts.filter((part) => typeof part === 'string').slice(0, 2))
        if (end === undefined) times.push(start)
        else windows.push({ start, end })
        return end === undefined ? ' <time> ' : ' <window> '
      }),
    goal.toLowerCase(),
  )
  return { text, times, windows }
}

/** How specific the best of the goals is that the text matches: the number of its lists. 0 without any. */
export function matchOf({ text }: ReadGoal, goals: readonly Goal[]): number {
  const matching = goals.filter((goal) => goal.every((words) => words.some((word) => hasWord(text, word))))
  return Math.max(0, ...matching.map(({ length }) => length))
}

/** Whether a word of the text begins with it. */
function hasWord(text: string, word: string): boolean {
  const at = ` ${text.replaceAll(/[^\p{L}\p{N}<>'-]+/gu, ' ')}`
  return at.includes(` ${word}`)
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
  ...['edit out', 'take out', 'clean out'],
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
export const silenceWords = ['silence', 'silent', 'dead air', 'dead space', 'pause', 'quiet', 'gap', 'awkward']
