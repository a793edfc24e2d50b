import { type Goal, matchOf } from '../../../src/goals/goals.ts'
import { type ReadGoal, withoutWords } from '../../../src/goals/read-goal.ts'

interface NotOffered {
  /** Completes "There is no endpoint that …". */
  readonly what: string
  readonly goals: readonly Goal[]
}

/** Work that people expect of media services, and that no endpoint does. */
const notOffered: readonly NotOffered[] = [
  { what: 'translates or dubs', goals: [[['translat', 'dub into', 'dubbing']]] },
  {
    what: 'cleans or mixes sound',
    goals: [
      [['noise', 'denois', 'echo', 'reverb', 'hum ', 'equaliz']],
      [
        ['add', 'mix', 'put'],
        ['music', 'soundtrack', 'voice-over', 'voiceover'],
      ],
      [
        ['quieter', 'softer'],
        ['part', 'sound', 'audio', 'voice', 'music'],
      ],
      [
        ['enhance', 'clean up', 'improve'],
        ['audio', 'sound', 'voice', 'speech'],
      ],
    ],
  },
  {
    what: 'retouches or enlarges the picture, or changes the speed or the size of the file',
    goals: [
      [['upscale', 'rotat', 'stabili', 'shaky', 'colour', 'color', 'bright', 'watermark', 'logo']],
      [
        ['blur', 'pixelat'],
        ['face', 'plate', 'people', 'person'],
      ],
      [
        [
          'compress',
          'bitrate',
          'smaller file',
          'speed up',
          'slow motion',
          'slow down',
          'revers',
          'time-lapse',
          'timelapse',
        ],
      ],
    ],
  },
  {
    what: 'generates media or speech',
    goals: [
      [['generat'], ['video', 'image', 'speech', 'music', 'voice', 'audio', 'picture']],
      [['text to speech', 'text-to-speech', 'avatar', 'animat', 'deepfake']],
    ],
  },
  {
    what: 'recognizes people',
    goals: [
      [
        [
          ...['diari', 'by speaker', 'each speaker', 'per speaker', 'which speaker', 'speaker change'],
          ...['detect speaker', 'detect the speaker', 'find the speaker', 'speaker detect', 'speaker recogni'],
          ...['who is speak', "who's speak", 'who speak', 'who spoke', 'who is talk', "who's talk", 'who talk'],
        ],
      ],
      [
        ['face', 'facial'],
        ['recogni', 'identify', 'whose', 'search', 'match'],
      ],
      [
        ['identify', 'label', 'separate', 'recogni'],
        ['speaker', 'people', 'person', 'voice'],
      ],
    ],
  },
  {
    what: 'downloads from or publishes to video sites',
    goals: [
      [
        ['youtube', 'tiktok', 'instagram', 'vimeo'],
        ['download', 'publish', 'post', 'upload', 'share'],
      ],
      [['publish', 'live stream', 'livestream']],
    ],
  },
  {
    what: 'joins several media files',
    goals: [
      [
        ['merge', 'join', 'combine', 'concat', 'append', 'stitch'],
        ['videos', 'files', 'recordings', 'episodes', 'songs'],
      ],
    ],
  },
  { what: 'bleeps or mutes words', goals: [[['bleep', 'beep out', 'censor', 'mute ']]] },
  { what: 'makes GIFs', goals: [[['gif ', 'gifs ']]] },
  { what: 'calls webhooks', goals: [[['webhook', 'callback url']]] },
  { what: 'summarizes or judges what is said', goals: [[['summar', 'sentiment', 'emotion', 'mood', 'fact-check']]] },
  {
    what: 'judges which moments are the best',
    goals: [
      [
        ['best', 'interesting', 'viral', 'engaging', 'exciting', 'most important'],
        ['moment', 'part', 'highlight', 'clip', 'bit'],
      ],
    ],
  },
]

/** What the goal asks for that no endpoint does. */
export function missingIn(goal: ReadGoal): string[] {
  return notOffered.filter(({ goals }) => matchOf(goal, goals) > 0).map(({ what }) => what)
}

/** What is left to plan: words that alone ask for what no endpoint does ask for nothing else. */
export function offeredIn(goal: ReadGoal): ReadGoal {
  const alone = notOffered.flatMap(({ goals }) => goals.filter(({ length }) => length === 1).flat(2))
  return withoutWords(goal, alone)
}
