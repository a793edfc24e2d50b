// What people call kinds of work, for the goals of several declarations.

import type { Goal } from './goals.ts'

export const cutWords = [
  ...['cut', 'clip', 'trim', 'extract', 'export', 'snippet', 'excerpt', 'highlight', 'teaser', 'short', 'keep'],
  ...['grab', 'make', 'get', 'pull', 'save', 'moment', 'crop out'],
]
/** Words that take out of the media what they name. */
export const removalWords = [
  ...[
    'remove',
    'delete',
    'drop',
    'strip',
    'skip',
    'get rid',
    'eliminate',
    'lose ',
    'discard',
    'throw away',
    'throw out',
  ],
  ...['cut out', 'edit out', 'take out', 'clean out', 'leave out'],
]
export const dropWords = [...removalWords, 'without', 'shorten', 'tighten', 'trim', 'cut', 'shorter', 'tighter']
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
export const swearWords = ['swear', 'curse', 'cursing', 'cuss', 'profan', 'expletive', 'obscen', 'bad word']
/** "Cut" alone is also to cut clips. */
const removeWords = [...removalWords, 'cut all']
/** Goals that cut words out of speech. */
export const wordCutGoals: readonly Goal[] = [
  [[...removeWords, 'cut', 'without'], swearWords],
  [removeWords, ['the word', 'the phrase', 'these words', 'those words', 'certain words']],
  [
    ['remove', 'delete', 'get rid', 'eliminate', 'edit out'],
    [...sayingWords, 'sentence'],
  ],
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
  ...['reel ', 'compilation', 'montage', 'supercut', 'mashup', 'joined', 'join them', 'stitch'],
  ...['one file', 'one video', 'one clip', 'single file', 'single video', 'single clip'],
]
/** Several clips of one media, for which nobody named moments. */
export const clipsWords = [
  ...['clips', 'shorts ', 'reels ', 'snippets', 'short videos', 'short vertical', 'vertical videos', 'portrait videos'],
  ...['square videos', 'videos for', 'bite-size', 'repurpose'],
]
/** The ends of media, and not "to the end". */
export const endWords = [
  ...[
    'at the beginning',
    'at the start',
    'at the end',
    'from the beginning',
    'from the start',
    'start and',
    'both ends',
  ],
  ...['beginning and', 'leading', 'trailing', 'at start', 'at both'],
]
export const frameWords = ['frame', 'screenshot', 'still', 'photo', 'picture', 'image', 'thumbnail', 'cover', 'poster']
