import { describe, expect, it } from 'vitest'
import { clip, find, jobsOf, near, type PlannedGoal, planGoal } from './planned-goals.ts'

const ofTopics = '<segments of audio/semantic-chunks>'
const ofSilence = '<segments of audio/detect-silence>'
const captioned = (style: object = {}) => [
  { endpoint: 'audio/find-words' },
  clip({ captions: { job_id: '<job_id of audio/find-words>', as: 'burn', ...style } }, { start: '0' }),
]
const topics = (settings: object = {}) => find('audio/semantic-chunks', settings)

/** What editors and podcasters cut, and the jobs that do it. */
const jobs: readonly PlannedGoal[] = [
  // Cuts of what is found.
  [
    'a highlight reel of the 5 loudest moments',
    find('audio/detect-energy', { top: 5 }),
    clip({ ranges: '<segments of audio/detect-energy>' }),
  ],
  [
    'a highlight reel of the loudest moments',
    find('audio/detect-energy', { top: '<how many>' }),
    clip({ ranges: '<segments of audio/detect-energy>' }),
  ],
  [
    'a clip of the loudest moment',
    find('audio/detect-energy', { top: 1 }),
    clip({ ranges: '<segments of audio/detect-energy>' }),
  ],
  [
    'make a montage of the moments where the crowd cheers',
    find('audio/detect-energy'),
    clip({ ranges: '<segments of audio/detect-energy>' }),
  ],
  ['cut the talk at each topic', topics(), clip({ ranges: ofTopics, join: false })],
  ['one file per topic', topics(), clip({ ranges: ofTopics, join: false })],
  ['split my audiobook into chapters as mp3', topics(), clip({ ranges: ofTopics, join: false, format: 'mp3' })],
  ['cut out the part about taxes', topics(), clip({ ranges: ofTopics, ranges_mode: 'remove' })],
  ['keep only the part about taxes', topics(), clip({ ranges: ofTopics })],
  ['export each chapter as its own video', topics(), clip({ ranges: ofTopics, join: false })],
  ['15 seconds either side of 2:00', near({ before_seconds: 15, after_seconds: 15 }, { start: '2:00' })],
  ['cut at every silence', find('audio/detect-silence'), clip({ ranges: ofSilence, join: false })],
  ['split at every pause', find('audio/detect-silence'), clip({ ranges: ofSilence, join: false })],
  [
    'trim silence from the start and end',
    find('audio/detect-silence'),
    clip({}, { start: '<first start of audio/detect-silence>', end: '<last end of audio/detect-silence>' }),
  ],
  [
    'remove the silence at the beginning',
    find('audio/detect-silence'),
    clip({}, { start: '<first start of audio/detect-silence>', end: '' }),
  ],
  // Some clips of many.
  [
    'three short vertical videos',
    topics({ target_seconds: 60 }),
    clip({ ranges: ofTopics, join: false, aspect: '9:16' }),
  ],
  [
    'make 3 shorts for TikTok from my podcast',
    topics({ target_seconds: 60 }),
    clip({ ranges: ofTopics, join: false, aspect: '9:16' }),
  ],
  [
    'five 30 second clips of my interview for Instagram',
    topics({ target_seconds: 30 }),
    clip({ ranges: ofTopics, join: false, aspect: '9:16' }),
  ],
  [
    'make 5 clips of the funniest moments',
    find('audio/detect-laughter'),
    near({ moments: '<times of audio/detect-laughter>' }),
  ],
  [
    'find where they talk about pricing and give me a clip of each',
    find('audio/find-words', { queries: ['pricing'] }),
    near({ moments: '<times of audio/find-words>' }),
  ],
  [
    'cut a clip each time "GOAL" appears on the screen',
    find('video/text-frames', { queries: ['GOAL'] }),
    clip({ ranges: '<segments of video/text-frames>', join: false }),
  ],
  [
    'clips of the laughs, four of them, square',
    find('audio/detect-laughter'),
    near({ moments: '<times of audio/detect-laughter>', aspect: '1:1' }),
  ],
  ['pull 4 clips from my webinar for LinkedIn', topics(), clip({ ranges: ofTopics, join: false })],
  // Parts of the media.
  [
    'cut the film into 3 equal parts',
    clip({
      ranges: [
        { start: '0', end: '<media_seconds / 3>' },
        { start: '<media_seconds / 3>', end: '<media_seconds * 2 / 3>' },
        { start: '<media_seconds * 2 / 3>', end: '' },
      ],
      join: false,
    }),
  ],
  [
    'split it in half',
    clip({
      ranges: [
        { start: '0', end: '<media_seconds / 2>' },
        { start: '<media_seconds / 2>', end: '' },
      ],
      join: false,
    }),
  ],
  [
    'split my two hour recording into 15 minute mp3s',
    clip({
      ranges: [{ start: 0, end: 900 }, { start: 900, end: 1800 }, '<and so on, to media_seconds>'],
      join: false,
      format: 'mp3',
    }),
  ],
  [
    'trim 10 seconds from the end',
    clip({ ranges: [{ start: '<media_seconds - 10>', end: '' }], ranges_mode: 'remove' }),
  ],
  ['take out the first 30 seconds', clip({ ranges: [{ start: '0', end: '30' }], ranges_mode: 'remove' })],
  ['take the first 30 seconds of my video out', clip({ ranges: [{ start: '0', end: '30' }], ranges_mode: 'remove' })],
  ['take out the intro from 0:00 to 0:30', clip({ ranges: [{ start: '0:00', end: '0:30' }], ranges_mode: 'remove' })],
  ["I don't want the first 10 seconds", clip({ ranges: [{ start: '0', end: '10' }], ranges_mode: 'remove' })],
  ['lose the last 10 seconds', clip({ ranges: [{ start: '<media_seconds - 10>', end: '' }], ranges_mode: 'remove' })],
  ['cut out a clip from 1:00 to 2:00', clip({}, { start: '1:00', end: '2:00' })],
  ['cut from 1:00 to 2:00 without losing quality', clip({}, { start: '1:00', end: '2:00' })],
  ['take the first 30 seconds', clip({}, { start: '0', end: '30' })],
  // Files of the whole media.
  ['set the loudness to -14', clip({ loudness: -14 }, { start: '0' })],
  ['loudness -14', clip({ loudness: -14 }, { start: '0' })],
  ['convert an mp3 to wav', clip({ format: 'wav' }, { start: '0' })],
  ['put subtitles on my video', ...captioned()],
  ['add subtitles to a video', ...captioned()],
  ['caption my video, with big captions', ...captioned({ style: 'large' })],
  ['keep the middle third', clip({}, { start: '<media_seconds / 3>', end: '<media_seconds * 2 / 3>' })],
  [
    'two clips: 0:10-0:20 and 1:00-1:10',
    clip({
      ranges: [
        { start: '0:10', end: '0:20' },
        { start: '1:00', end: '1:10' },
      ],
      join: false,
    }),
  ],
  ['the first half of the film', clip({}, { start: '0', end: '<media_seconds / 2>' })],
  ['keep the last third', clip({}, { start: '<media_seconds * 2 / 3>', end: '' })],
  [
    'cut at 0:10 and 0:20',
    clip({
      ranges: [
        { start: '0', end: '0:10' },
        { start: '0:10', end: '0:20' },
        { start: '0:20', end: '' },
      ],
      join: false,
    }),
  ],
  [
    'split the podcast into two files at 20:00',
    clip({
      ranges: [
        { start: '0', end: '20:00' },
        { start: '20:00', end: '' },
      ],
      join: false,
    }),
  ],
  [
    'remove the first 5 seconds and the last 3',
    clip({
      ranges: [
        { start: '0', end: '5' },
        { start: '<media_seconds - 3>', end: '' },
      ],
      ranges_mode: 'remove',
    }),
  ],
  [
    'keep the first and the last minute',
    clip({
      ranges: [
        { start: '0', end: '60' },
        { start: '<media_seconds - 60>', end: '' },
      ],
    }),
  ],
  ['cut the last 3 seconds off', clip({ ranges: [{ start: '<media_seconds - 3>', end: '' }], ranges_mode: 'remove' })],
  ['remove everything except 1:00-2:00', clip({}, { start: '1:00', end: '2:00' })],
  ['the first minute as mp3', clip({ format: 'mp3' }, { start: '0', end: '60' })],
  ['cut from the start to 1:30', clip({}, { start: '0', end: '1:30' })],
  ['keep from 10:00 to the end', clip({}, { start: '10:00', end: '' })],
  ['trim it from twenty-five minutes to the end', clip({}, { start: '1500', end: '' })],
  ['split a film into parts', clip({ ranges: [{ start: '<start>', end: '<end>' }, '<and so on>'], join: false })],
  // Lengths of clips.
  ['a 15 second clip starting at 2:00', clip({}, { start: '2:00', end: '135' })],
  ['from 1:00, 30 seconds', clip({}, { start: '1:00', end: '90' })],
  ['make a 20 second clip around 1:15', near({ before_seconds: 10, after_seconds: 10 }, { start: '1:15' })],
  [
    'clip the goal at 12:30, 10 seconds before and five seconds after',
    near({ before_seconds: 10, after_seconds: 5 }, { start: '12:30' }),
  ],
  ['a 30 second teaser', near({ before_seconds: 15, after_seconds: 15 }, { start: '<moment>' })],
]

/** Settings of the chain that a goal states. */
const runs: readonly (readonly [goal: string, chain: string, settings: object | undefined])[] = [
  ['shorten the pauses to 0.3 seconds', 'remove-dead-space', { 'timeline/suggest-ranges': { max_pause_seconds: 0.3 } }],
  [
    'cut pauses longer than 1.5 seconds down to half a second',
    'remove-dead-space',
    { 'audio/detect-silence': { min_silence_seconds: 1.5 }, 'timeline/suggest-ranges': { max_pause_seconds: 0.5 } },
  ],
  [
    'delete the part where he says "secret"',
    'clean-speech',
    { 'timeline/suggest-ranges': { remove_words: ['secret'] } },
  ],
  [
    'remove the sentence "I am not sure"',
    'clean-speech',
    { 'timeline/suggest-ranges': { remove_words: ['I am not sure'] } },
  ],
  [
    'stitch together the parts where she mentions pricing',
    'find-exact-words',
    { 'audio/find-words': { queries: ['pricing'] }, 'video/clip-near': { join: true } },
  ],
  [
    '5 square screenshots',
    'pick-thumbnails',
    { 'video/best-frames': { count: 5 }, 'video/thumbnail-score': { crops: ['1:1'] } },
  ],
  [
    'three vertical stills',
    'pick-thumbnails',
    { 'video/best-frames': { count: 3 }, 'video/thumbnail-score': { crops: ['9:16'] } },
  ],
  [
    'three 16:9 thumbnails',
    'pick-thumbnails',
    { 'video/best-frames': { count: 3 }, 'video/thumbnail-score': { crops: ['16:9'] } },
  ],
  [
    'find where he mentions layoffs and cut it out',
    'clean-speech',
    { 'timeline/suggest-ranges': { remove_words: ['layoffs'] } },
  ],
  [
    'remove the words basically and literally',
    'clean-speech',
    { 'timeline/suggest-ranges': { remove_words: ['basically', 'literally'] } },
  ],
  ['clips of "thank you"', 'find-exact-words', { 'audio/find-words': { queries: ['thank you'] } }],
  ['pull the soundbite where she says budget', 'find-exact-words', { 'audio/find-words': { queries: ['budget'] } }],
  ['keep only the parts where someone speaks', 'remove-dead-space', undefined],
  [
    'square thumbnails, four of them',
    'pick-thumbnails',
    { 'video/best-frames': { count: 4 }, 'video/thumbnail-score': { crops: ['1:1'] } },
  ],
  [
    'give me the exact time where she says thank you with the clip',
    'find-exact-words',
    { 'audio/find-words': { queries: ['thank you'] } },
  ],
  ['10 thumbnails', 'pick-thumbnails', { 'video/best-frames': { count: 10 } }],
  ['pick the three best thumbnails', 'pick-thumbnails', { 'video/best-frames': { count: 3 } }],
  ['three thumbnails', 'pick-thumbnails', { 'video/best-frames': { count: 3 } }],
  [
    'the best 3 thumbnails, square',
    'pick-thumbnails',
    { 'video/best-frames': { count: 3 }, 'video/thumbnail-score': { crops: ['1:1'] } },
  ],
  [
    'remove silence, then normalise loudness to -14 and give me mp3',
    'remove-dead-space',
    { 'video/clip-window': { format: 'mp3', loudness: -14 } },
  ],
  [
    'make it mp3 at -14 LUFS without silence',
    'remove-dead-space',
    { 'video/clip-window': { format: 'mp3', loudness: -14 } },
  ],
  ['make it shorter but do not remove any speech', 'remove-dead-space', undefined],
]
describe('a plan that cuts', () => {
  it.each(jobs.map(([goal, ...expected]) => [goal, expected] as const))('for "%s" has these jobs', (goal, expected) => {
    expect(jobsOf(goal)).toEqual(expected)
  })

  it.each(runs)('for "%s" runs %s with what the goal states', (goal, id, settings) => {
    const { chain, steps } = planGoal(goal)
    expect([chain?.id, steps[0]?.arguments['settings']]).toEqual([id, settings])
  })
  it('reads the length of the media before the ranges that follow from it', () => {
    const [first] = planGoal('cut the film into 3 equal parts').steps
    expect(first).toMatchObject({ tool: 'svc.check_job_readiness', arguments: { start: 0 } })
    expect(first?.note).toContain('media_seconds')
  })

  it('transcribes once where the words that it finds are also captions', () => {
    const given = JSON.stringify(jobsOf('find where they talk about pricing and give me a clip of each, with captions'))
    expect(given.split('"endpoint":"audio/find-words"')).toHaveLength(2)
  })

  it('names the chain that does the rest of the goal', () => {
    const { chain, notes } = planGoal('remove filler words and silences')
    expect([chain?.id, notes]).toEqual(['remove-dead-space', [expect.stringContaining('run the chain clean-speech')]])
  })

  it('says which shape pictures of frames do not have', () => {
    expect(planGoal('5 screenshots in 4:5').notes).toEqual([expect.stringContaining('and not to 4:5')])
  })

  it('names the job whose segments the clip gets', () => {
    const { endpoint, steps } = planGoal('a highlight reel of the 5 loudest moments')
    const waits = steps.filter(({ tool }) => tool === 'svc.get_job').map(({ arguments: { job_id } }) => job_id)
    expect(endpoint?.id).toBe('audio/detect-energy')
    expect(waits).toEqual(['<job_id of audio/detect-energy>', '<job_id of video/clip-window>'])
  })

  it.each(['three short vertical videos', 'clip the best 3 jokes'])(
    'for "%s" says that nothing judges moments',
    (goal) => {
      const { notes } = planGoal(goal)
      expect(notes).toContain('Choose 3 of what was found.')
      expect(notes.filter((note) => note.includes('judges which moments'))).toHaveLength(1)
    },
  )

  it('is complete, or names what the caller replaces', () => {
    for (const [goal] of jobs) {
      const { steps, notes } = planGoal(goal)
      const left = JSON.stringify(steps.map((step) => step.arguments['settings'] ?? {})).includes('"<')
      if (left) expect([goal, notes.join()]).toEqual([goal, expect.stringContaining('Replace <')])
    }
  })
})
