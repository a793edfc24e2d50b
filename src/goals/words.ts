// What people call kinds of work, for the goals of several declarations.

import type { Goal } from './goals.ts'

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
  [
    ['take', 'leave'],
    ['the word', 'the phrase'],
    ['out of', 'out from', 'out '],
  ],
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
