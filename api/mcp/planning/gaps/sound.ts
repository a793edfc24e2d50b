import { type Gap, goalOf, listed } from './gap.ts'

const changes = 'make, turn, bring, get , boost, lower, raise, reduce, <louder>, <quieter>'
const partsOfSound =
  'part, where, moment, section, passage, bit, guest, host, interviewer, caller, quiet speaker, speakers, mic , microphone, <window>, <time>'
const ofWholeFile = 'settings.loudness of a clip sets the loudness of the whole file.'
const levelWords = listed('louder, quieter, softer, <louder>, <quieter>, volume, loud, quiet, too soft')
const cutsOut =
  'The chain clean-speech cuts words out, with settings["timeline/suggest-ranges"].remove_words. video/clip-window cuts times out, with settings.ranges and "ranges_mode": "remove".'
const swearing = 'swear, curs, cuss, profan, expletive, bad word, word, name'

export const soundGaps: readonly Gap[] = [
  {
    what: 'translates or dubs',
    goals: [goalOf('translat, dub into, dubbing, <translated>')],
    instead: 'settings.captions.text of a clip takes subtitles that you have translated, as SubRip or WebVTT.',
  },
  {
    what: 'cleans or mixes sound',
    goals: [
      goalOf('noise, denois, echo, reverb, hum , hiss, equaliz, plosive, mouth click, mouth sound'),
      goalOf('remove, reduce, cut, delete, get rid, without', 'breath, cough, sneez, clicks, crackl, wind '),
      goalOf('add, mix, put', 'music, soundtrack, song, sound effect, voice-over, voiceover'),
      goalOf(
        'remove, isolate, separate, extract, delete, strip, without',
        'the music, background music, copyrighted music, vocals, instrumental',
      ),
      goalOf('<louder>, <quieter>, louder, quieter, softer', 'music, background, soundtrack'),
      goalOf('turn, bring, lower, raise', 'music, background, soundtrack', 'up , down , volume, lower'),
      goalOf('enhance, clean up, improve', 'audio, sound, voice, speech'),
    ],
    asks: listed('<louder>, <quieter>'),
  },
  {
    what: 'changes voices',
    goals: [
      goalOf('disguise, anonymi, pitch, autotune, auto-tune, voice changer, deeper voice'),
      goalOf('change, distort, alter', 'his voice, her voice, their voice, the voice, my voice'),
    ],
  },
  {
    what: 'makes voices equally loud',
    goals: [goalOf('level the, level out, even out, equally, same volume, balance', 'volume, voice, loud, speaker')],
    unless: listed('<standard>, <loudness>, normali'),
    asks: levelWords,
    instead: ofWholeFile,
  },
  {
    what: 'changes the level of parts',
    goals: [
      goalOf(changes, 'louder, quieter, softer', partsOfSound),
      goalOf(
        'turn down, turn up, turn the, turn it, lower the, raise the, reduce the, boost the',
        'volume, level, down , up , loud, quiet, mic , microphone',
        partsOfSound,
      ),
      goalOf('<louder>, <quieter>', '<window>, <time>'),
      goalOf('fade', 'music, volume, voice'),
    ],
    // A clip has a loudness of its own.
    unless: listed('cut , clip, keep, extract, trim, teaser, short '),
    asks: [...levelWords, ...listed('where, part, moment, section, <window>, <time>')],
    instead: ofWholeFile,
  },
  {
    what: 'changes the level by an amount',
    goals: [goalOf('<by-amount>')],
    asks: [...levelWords, ...listed('sound, audio, voice')],
    instead: `${ofWholeFile} It takes a level in LUFS, such as -16 for podcasts and -14 for video sites.`,
  },
  {
    what: 'removes the sound of a video',
    goals: [
      goalOf(
        'remove, strip, delete, drop, mute, without, get rid of',
        'the audio, the sound , audio track, sound track, the video, any sound, its sound',
        'audio, sound, mute',
      ),
      goalOf('silent version, silent video, no sound , muted version'),
    ],
    unless: listed(
      'where, when, silence, pause, part, section, bit, <window>, word, swear, keep the audio, keep audio, keep the sound, video track',
    ),
  },
  {
    what: 'bleeps or mutes words',
    goals: [
      goalOf('bleep, beep out, censor'),
      goalOf('redact, black out', `${swearing}, audio, sound, say, said, speech, voice, recording, podcast, <quoted>`),
      goalOf('mute', `${swearing}, every, part, where, when, bit, section, moment, <window>, <time>, <quoted>`),
      goalOf('silence the, silence all, silence every, silence out', swearing),
      goalOf(
        'remove, strip, delete, drop, no ',
        'the audio, the sound , audio track, its sound',
        'part, where, section, bit, <window>, <time>',
      ),
    ],
    asks: listed(
      `mute, silence, redact, ${swearing}, part, where, when, bit, section, moment, <window>, <time>, say, said`,
    ),
    instead: cutsOut,
  },
  {
    what: 'bleeps or mutes words',
    goals: [goalOf('mute, add a beep')],
    unless: listed('the video, my video, muted version'),
    asks: listed('<window>, <time>'),
    instead: cutsOut,
  },
]
