import type { Goal } from '../../../src/goals/goals.ts'
import { silenceWords } from '../../../src/goals/words.ts'

export interface NotOffered {
  /** Completes "There is no endpoint that …". */
  readonly what: string
  readonly goals: readonly Goal[]
  /** Words with which the goal asks for something else. */
  readonly unless?: readonly string[]
  /** Words that, in such a goal, ask for nothing else. */
  readonly asks?: readonly string[]
  /** What comes near to it. */
  readonly instead?: string
}

/** A clip of that length exists. */
const clipWords = ['a clip', 'teaser', 'trailer', 'highlight', 'short ', 'snippet', 'excerpt', 'reel', 'max', 'every ']

const levelWords = ['louder', 'quieter', 'softer']
const partWords = [
  'part',
  'where',
  'moment',
  'section',
  'passage',
  'bit',
  'too loud',
  'too quiet',
  '<window>',
  '<time>',
]

/** Files that people expect of media services, and that no endpoint makes. */
export const notMade: readonly NotOffered[] = [
  {
    what: 'translates or dubs',
    goals: [[['translat', 'dub into', 'dubbing', '<translated>']]],
    instead: 'settings.captions.text of a clip takes subtitles that you have translated, as SubRip or WebVTT.',
  },
  {
    what: 'cleans or mixes sound',
    goals: [
      [['noise', 'denois', 'echo', 'reverb', 'hum ', 'equaliz']],
      [
        ['add', 'mix', 'put'],
        ['music', 'soundtrack', 'voice-over', 'voiceover'],
      ],
      [
        ['remove', 'isolate', 'separate', 'extract'],
        ['the music', 'background music', 'vocals', 'instrumental'],
      ],
      [
        ['quieter', 'softer'],
        ['sound', 'audio', 'voice', 'music'],
      ],
      [
        ['enhance', 'clean up', 'improve'],
        ['audio', 'sound', 'voice', 'speech'],
      ],
    ],
  },
  {
    what: 'makes voices equally loud',
    goals: [
      [
        ['level the', 'level out', 'even out', 'equally', 'same volume'],
        ['volume', 'voice', 'loud', 'speaker'],
      ],
    ],
    instead: 'settings.loudness of a clip sets the loudness of the whole file.',
  },
  {
    what: 'changes the level of parts',
    goals: [
      [['make', 'turn', 'bring', 'get '], levelWords, partWords],
      [
        ['turn down', 'turn up', 'turn the', 'turn it', 'lower the', 'raise the', 'reduce the', 'boost the'],
        ['volume', 'level', 'down ', 'up '],
        partWords,
      ],
      [['turn down', 'turn up', 'boost', 'lower the', 'raise the'], ['loud', 'quiet'], partWords],
    ],
    asks: [...levelWords, 'volume', 'loud', 'quiet'],
    instead: 'settings.loudness of a clip sets the loudness of the whole file.',
  },
  {
    what: 'removes the sound of a video',
    goals: [
      [
        ['remove', 'strip', 'delete', 'drop', 'mute', 'without', 'get rid of'],
        ['the audio', 'the sound ', 'audio track', 'sound track', 'the video', 'any sound', 'its sound'],
        ['audio', 'sound', 'mute'],
      ],
      [['silent version', 'silent video', 'no sound ', 'muted version']],
    ],
    unless: ['where', 'when', 'silence', 'pause', 'part', 'section', 'bit', '<window>', 'word', 'swear'],
  },
  {
    what: 'retouches or enlarges the picture',
    goals: [
      [
        [
          ...['upscale', 'rotat', 'stabili', 'shaky', 'colour', 'color', 'bright', 'watermark', 'logo'],
          ...['black and white', 'grayscale', 'greyscale'],
        ],
      ],
      [
        ['blur', 'pixelat'],
        ['face', 'plate', 'people', 'person'],
      ],
      [['zoom'], ['in ', 'out ', 'on ', 'into']],
    ],
  },
  {
    what: 'changes the speed or the frame rate',
    goals: [
      [
        [
          ...[
            'slow motion',
            'slow down',
            'slow it',
            'speed up',
            'speed it',
            'speed the',
            'faster',
            'as fast',
            'revers',
          ],
          ...['double speed', 'playback speed', 'time-lapse', 'timelapse', 'loop it', 'loop the'],
          ...['frame rate', 'framerate', 'fps '],
        ],
      ],
    ],
    unless: ['what', 'which'],
  },
  {
    what: 'makes a file of the size that you choose',
    goals: [[['compress', 'bitrate', 'smaller file', 'file size', 'megabyte', 'mb ']]],
    instead: 'settings.height and settings.quality of a clip make its file smaller.',
  },
  {
    what: 'adds titles, pictures or other media',
    goals: [
      [
        ['add', 'insert', 'overlay', 'put', 'attach', 'with an'],
        [
          'intro',
          'outro',
          'title',
          'image',
          'graphic',
          'overlay',
          'banner',
          'lower third',
          'emoji',
          'sticker',
          'progress bar',
        ],
      ],
      [
        [
          'picture in picture',
          'picture-in-picture',
          'split screen',
          'split-screen',
          'b-roll',
          'transition',
          'fade in',
          'fade out',
          'fade to',
        ],
      ],
      [['audiogram']],
    ],
    instead: 'settings.captions of a clip burns captions into its picture.',
  },
  {
    what: 'generates media or speech',
    goals: [
      [['generat'], ['video', 'image', 'speech', 'music', 'voice', 'audio', 'picture']],
      [['text to speech', 'text-to-speech', 'avatar', 'animat', 'deepfake']],
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
        ['videos', 'files', 'recordings', 'episodes', 'songs', 'mp4 and', 'mp3 and', 'mov and', 'wav and'],
      ],
    ],
  },
  {
    what: 'bleeps or mutes words',
    goals: [
      [['bleep', 'beep out', 'censor']],
      [['mute'], ['swear', 'curs', 'word', 'profan', 'name', 'every', 'part', 'where', '<window>', '<time>']],
    ],
    instead: 'The chain clean-speech cuts words out, with settings["timeline/suggest-ranges"].remove_words.',
  },
  { what: 'makes GIFs', goals: [[['gif ', 'gifs ']]] },
  {
    what: 'calls webhooks',
    goals: [[['webhook', 'callback url']]],
    instead: 'svc.get_job with wait_seconds waits for the end of a job.',
  },
  {
    what: 'shortens media to a length of your choice',
    goals: [
      [
        [
          'make',
          'cut it',
          'cut the',
          'cut my',
          'cut this',
          'shorten',
          'get it',
          'trim',
          'reduce',
          'condense',
          'edit',
          'bring',
        ],
        ['to ', 'long ', 'shorter than', 'under ', 'at most', 'less than', 'fit in', 'into '],
        ['second'],
      ],
    ],
    unless: [
      ...silenceWords,
      '<parts>',
      '<time>',
      '<window>',
      'clips',
      'pieces',
      'parts',
      'mp3s',
      'files',
      ...clipWords,
    ],
    instead: 'remove-dead-space and clean-speech shorten speech, by as much as its pauses and fillers take.',
  },
]
