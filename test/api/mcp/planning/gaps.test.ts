import { describe, expect, it } from 'vitest'
import { jobsOf, planGoal } from './planned-goals.ts'

/** What no endpoint does: the plan has no steps, and says what comes near. */
const refused: readonly (readonly [goal: string, note: string])[] = [
  ['mute the part where she swears', 'bleeps or mutes words. The chain clean-speech'],
  ['mute 1:00 to 2:00', 'bleeps or mutes words. The chain clean-speech'],
  ['mute the part where he says "secret"', 'bleeps or mutes words. The chain clean-speech'],
  ['silence the swear words', 'bleeps or mutes words. The chain clean-speech'],
  ['mute the intro', 'bleeps or mutes words. The chain clean-speech'],
  ['remove the audio from 1:00 to 2:00', 'bleeps or mutes words. The chain clean-speech'],
  ['make it 6 dB louder', 'changes the level by an amount. settings.loudness'],
  ['make it twice as loud', 'changes the level by an amount. settings.loudness'],
  ['make the guest louder', 'changes the level of parts. settings.loudness'],
  ['turn up the volume from 1:00 to 2:00', 'changes the level of parts. settings.loudness'],
  ['turn the music down', 'cleans or mixes sound'],
  ['remove coughs and breaths', 'cleans or mixes sound'],
  ['disguise the voice of my source', 'changes voices'],
  ['convert it to avi', 'writes this format. settings.format of a clip takes mp4'],
  ['turn a mov into mkv', 'writes this format. settings.format'],
  ['resize to 640x480', 'gives the picture this shape. settings.aspect of a clip takes 9:16'],
  ['crop the video to 4:3', 'gives the picture this shape. settings.aspect'],
  ['make it 1280 pixels wide', 'sets the width of the picture. settings.height'],
  ['flip the video', 'retouches or enlarges the picture'],
  ['blur the background', 'retouches or enlarges the picture'],
  ['play it backwards', 'changes the speed'],
  ['swap the first and second half', 'changes the order of parts. The ranges'],
  ['put 1:00-1:10 before 0:10-0:20', 'changes the order of parts. The ranges'],
  ['make a 10 minute version', 'shortens media to a length'],
  ['email it to my boss', 'sends email'],
  ['redact the name Smith from the audio', 'bleeps or mutes words. The chain clean-speech'],
  ['redact the phone number that he says', 'bleeps or mutes words. The chain clean-speech'],
  ['redact the faces', 'retouches or enlarges the picture'],
  ['clip my live stream', 'reads live streams. A job reads a file that is complete'],
  ['find the laughs in a livestream', 'reads live streams. A job reads a file that is complete'],
  ['clips from YouTube', 'reads pages of video sites. A page is no media'],
  ['level the volume of the speakers', 'makes voices equally loud. settings.loudness'],
  ...[
    'join first half and second half into one video',
    'merge the two halves of my recording',
    'join these two videos',
    'combine two clips into one video',
    'merge video a and video b',
    'append talk.mp4 to intro.mp4',
    'make one video out of these two recordings',
  ].map((goal) => [goal, 'joins several media files. A job reads one file'] as const),
  ['email me when it is done', 'sends email'],
  ['make a quiz from the lecture', 'summarizes or judges what is said, or writes about it. audio/find-words'],
  ['action items from the meeting', 'summarizes or judges what is said, or writes about it. audio/find-words'],
  ['turn the lecture into notes', 'summarizes or judges what is said, or writes about it. audio/find-words'],
  ['pull the best quotes', 'judges which quotes are the best. audio/find-words'],
  ['who said what', 'recognizes people'],
  ['how long did each person talk', 'recognizes people'],
  ['find my kills', 'finds scenes, music, advertisements, people or things'],
  ['how big is my file', 'reports the codecs'],
]

/** What no endpoint does, in a goal whose other work is of use without it. */
const besides: readonly (readonly [goal: string, endpoint: string, note: string])[] = [
  ['transcript with speaker names', 'audio/find-words', 'recognizes people'],
  ['the transcript as a Word document', 'audio/find-words', 'writes documents. audio/find-words'],
  ['caption the video in yellow', 'video/clip-window', 'chooses the colour, the font or the position of captions'],
  ['make the captions smaller', 'audio/find-words', 'chooses the colour, the font or the position of captions'],
  ['5 screenshots as png', 'video/best-frames', 'writes PNG pictures'],
  ['find the laughs in a YouTube link', 'audio/detect-laughter', 'reads pages of video sites. A page is no media'],
  ['cut 1:00 to 2:00 of https://www.youtube.com/watch?v=abc', 'video/clip-window', 'reads pages of video sites'],
  ['cut 1:00 to 2:00 without the music', 'video/clip-window', 'cleans or mixes sound'],
]

describe('a plan', () => {
  it.each([
    ['cut 1:00-2:00 and 3:00-4:00 and merge these clips', 'video/clip-window'],
    ['join the first minute and the last minute', 'video/clip-window'],
    ['the first half and the second half as separate files', 'video/clip-window'],
    ['find the laughs and merge them into one video', 'find-funny-clips'],
    ['merge two timelines', 'timeline/merge'],
  ])('for "%s", which joins parts of one media, is %s', (goal, id) => {
    const { chain, endpoint, notes } = planGoal(goal)
    expect([(chain ?? endpoint)?.id, notes.join()]).toEqual([id, expect.not.stringContaining('joins several')])
  })

  it.each(refused)('for "%s" says what is not offered, and what is', (goal, note) => {
    const { steps, notes } = planGoal(goal)
    expect([steps, notes[0]]).toEqual([[], expect.stringContaining(`There is no endpoint that ${note}`)])
  })

  it.each(besides)('for "%s" is %s, and says what it leaves out', (goal, id, note) => {
    const { endpoint, notes } = planGoal(goal)
    expect(endpoint?.id).toBe(id)
    expect(notes).toContainEqual(expect.stringContaining(`There is no endpoint that ${note}`))
  })

  it.each(['what is shown between 1:00 and 2:00', 'who was there from 1:00 to 2:00'])(
    'for the question "%s" cuts nothing',
    (goal) => {
      expect(jobsOf(goal)).toEqual([])
    },
  )
})
