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
/** Without those that also cut clips. */
export const takenOutWords = [...removalWords, 'without', 'shorten', 'tighten', 'no ']
/** Silences and fillers of which there are many: a single one is a place. */
export const manySilences = ['silences', 'silence ', 'pauses', 'gaps', 'dead air', 'dead space']
export const manyFillers = ['um ', 'ums ', 'uh ', 'uhs ', 'filler', 'stutters', 'repetitions']
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
  'how often',
  'count ',
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
export const sayingWords = ['word', 'phrase', 'quote', 'say', 'said', 'spoken', 'mention', 'explain', '<quoted>']
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
  [
    ['cut', 'take', 'edit', 'leave'].flatMap((verb) => ['it', 'them', 'that', 'this'].map((it) => `${verb} ${it} out`)),
    sayingWords,
  ],
  [removeWords, ['every time', 'each time', 'whenever', 'all the times'], sayingWords],
]
/** Goals for the sound of media without its picture. */
export const soundGoals: readonly Goal[] = [
  [
    ['extract', 'only', 'just the', 'just audio', 'rip', 'pull', 'save'],
    ['audio', 'sound ', 'soundtrack'],
  ],
  [
    [...removalWords, 'without'],
    ['the video ', 'the picture ', 'video track', 'the image '],
    ['keep the audio', 'keep audio', 'keep the sound', 'keep sound', 'video track', 'the picture '],
  ],
  [['as audio', 'as an audio', 'into audio', 'into an audio', 'to audio', 'to an audio', 'audio only', 'audio-only']],
]
export const transcriptWords = [
  ...['transcri', 'subtitle', 'caption', 'srt', 'vtt', 'speech to text', 'speech-to-text'],
]
/** What people call speech that is written down. */
export const textWords = ['as text', 'into text', 'to text', 'text version', 'text file']
/** What people call one file of many clips. */
export const joinWords = [
  ...['reel ', 'compilation', 'montage', 'supercut', 'mashup', 'joined', 'join them', 'stitch'],
  ...['teaser ', 'trailer ', 'promo ', 'recap '],
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
/** What text is read on. */
export const textSurfaces = [
  ...[
    'scoreboard',
    'score board',
    'scorebug',
    'score',
    'screen',
    'slide',
    'sign',
    'banner',
    'title',
    'ticker',
    'display',
  ],
  ...['whiteboard', 'blackboard', 'board', 'caption', 'label', 'lower third'],
]
export const frameWords = ['frame', 'screenshot', 'still', 'photo', 'picture', 'image', 'thumbnail', 'cover', 'poster']
