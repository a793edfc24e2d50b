// The loudness that a goal states for a file, and how the goal changes it.

const loudnessName = String.raw`(?:loudness|normali[sz]\w*|lufs)`
const number = String.raw`(\d{1,2}(?:\.\d)?)`
const stated = new RegExp(
  String.raw`\b${number}\s*lufs\b` +
    String.raw`|\b${loudnessName}\b(?:(?!\b(?:above|over|below|under|than|exceeds?)\b)[^.,;\d]){0,30}?(?:[-–−]|\bminus )\s?${number}(?![\d:])`,
)

/** The loudness in LUFS: -14 of "loudness to -14" and of "14 LUFS". */
export function loudnessIn(text: string): number | undefined {
  const [, ofUnit, ofName] = stated.exec(text) ?? []
  const lufs = ofUnit ?? ofName
  return lufs === undefined || !isLoudness(Number(lufs)) ? undefined : -Number(lufs)
}

/** What `settings.loudness` takes. */
function isLoudness(lufs: number): boolean {
  return lufs >= 5 && lufs <= 40
}

const standard =
  /\b(?:podcast|broadcast|youtube|spotify|streaming|industry|apple)(?:['’]s)? (?:(?:loudness|volume|audio) )?(?:standards?|levels?|loudness|specs?|targets?)\b|\bstandard (?:loudness|volume|level)s?\b/

/** Whether the goal names a standard of loudness: "level the volume to podcast standard". */
export function namesLoudnessStandard(text: string): boolean {
  return standard.test(text)
}

const whose = '(?:(?:the|my|our|its|this|that) )?(?:[a-z]+ ){0,2}?'
const level = '(?:volume|sound|audio|levels?|loudness|gain|voices?|speech)'
const turned = `(?:it|this|that|everything|${whose}${level})`
/** "It gets louder" and "the louder parts" are found, and not made. */
const compared = (words: string) =>
  String.raw`(?<!\b(?:gets?|got|becomes?|is|are|goes|the) )(?:${words})\b(?! (?:parts?|moments?|bits?|ones?|sections?)\b)`
const askedFor = (change: { readonly words: string; readonly turn: string; readonly raise: string }) => [
  compared(change.words),
  String.raw`\b(?:turn|crank|pump|bring) (?:${change.turn} ${whose}${level}|${turned} ${change.turn})\b`,
  String.raw`\b(?:${change.raise}) ${whose}${level}\b`,
]

const louder = new RegExp(
  [
    ...askedFor({ words: 'louder', turn: 'up', raise: 'raise|increase|boost|amplify' }),
    String.raw`\bamplify (?:it|this|that)\b|\btwice as loud|\bdouble ${whose}(?:volume|loudness)`,
  ].join('|'),
)
const quieter = new RegExp(
  [
    ...askedFor({ words: 'quieter|softer', turn: 'down', raise: 'lower|reduce|decrease|halve' }),
    String.raw`\b(?:less|half as) loud\b|\bhalf the (?:volume|loudness)`,
  ].join('|'),
)

const tooQuiet = new RegExp(
  String.raw`\btoo (?:quiet|soft|faint)\b|\bnot loud enough\b|\b(?:volume|sound|audio|levels?|voices?) (?:is|are|was) (?:[a-z]+ )?(?:low|weak|quiet|faint)\b` +
    String.raw`|\b(?:can(?:not|['’]t| not| hardly| barely)|hardly|barely|hard to|difficult to) hear\b`,
)
const tooLoud = /\btoo loud\b|\b(?:volume|sound|audio|levels?) (?:is|are|was) (?:[a-z]+ )?(?:high|loud)\b/
/** Goals that look for such parts, or take them out. */
const ofParts =
  /^\W*(?:is|are|how|why|does)\b|\b(where|when|find|detect|list|which|remove|cut|delete|skip|drop|trim|parts?|moments?)\b/

/** How the goal changes the loudness, where it may state no number. */
export function loudnessChangeIn(text: string): 'louder' | 'quieter' | undefined {
  const isOfWhole = !ofParts.test(text)
  if (louder.test(text)) return 'louder'
  if (quieter.test(text)) return 'quieter'
  if (isOfWhole && tooQuiet.test(text)) return 'louder'
  return isOfWhole && tooLoud.test(text) ? 'quieter' : undefined
}

const amount =
  /\b\d{1,3}(?:\.\d)? ?(?:db\b|decibels?\b|%|percent\b)|\btwice as loud\b|\b(?:double|halve|half) the (?:volume|loudness)\b|\bhalf as loud\b/

/** Whether the goal changes the loudness by an amount, such as "6 dB louder". */
export function changesByAmount(text: string): boolean {
  return loudnessChangeIn(text) !== undefined && amount.test(text)
}
