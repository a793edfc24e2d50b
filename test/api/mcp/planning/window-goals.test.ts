import { describe, expect, it } from 'vitest'
import { refusePlaceholders } from '../../../../api/mcp/planning/placeholders.ts'
import { clip, find, jobsOf, near, type PlannedGoal, planGoal, warningsOf } from './planned-goals.ts'

const ranges = '<ranges of timeline/suggest-ranges>'
const suggest = (finder: string, settings: object = {}) =>
  find('timeline/suggest-ranges', { job_id: `<job_id of ${finder}>`, ...settings })
const silencesIn = (start: string, end: string, settings: object = {}) => [
  find('audio/detect-silence', settings, { start, end }),
  suggest('audio/detect-silence'),
]
const before = (end: string) => ({ start: '0', end })
const after = (start: string) => ({ start, end: '' })
const remove = (...windows: object[]) => clip({ ranges: windows, ranges_mode: 'remove' })

/** Work on a part of the media, and the jobs that do it. */
const jobs: readonly PlannedGoal[] = [
  // The rest of the media stays.
  ['cut the silence in the first 5 minutes', ...silencesIn('0', '300'), clip({ ranges: [ranges, after('300')] })],
  [
    'remove the silences of the first five minutes',
    ...silencesIn('0', '300'),
    clip({ ranges: [ranges, after('300')] }),
  ],
  [
    'remove the pauses between 1:00 and 5:00, as mp3',
    ...silencesIn('1:00', '5:00'),
    clip({ ranges: [before('1:00'), ranges, after('5:00')], format: 'mp3' }),
  ],
  ['shorten the pauses from 10:00 to the end', ...silencesIn('10:00', ''), clip({ ranges: [before('10:00'), ranges] })],
  [
    'remove silences longer than two seconds from the first half',
    ...silencesIn('0', '<media_seconds / 2>', { min_silence_seconds: 2 }),
    clip({ ranges: [ranges, after('<media_seconds / 2>')] }),
  ],
  [
    'remove the word "basically" in the first minute',
    find('audio/find-words', {}, before('60')),
    suggest('audio/find-words', { remove_words: ['basically'] }),
    clip({ ranges: [ranges, after('60')] }),
  ],
  // What is taken out, and not clipped.
  ['cut the first 10 seconds of silence', remove(before('10'))],
  ['cut the intro, the first 45 seconds', remove(before('45'))],
  ['cut everything after 45:00', remove(after('45:00'))],
  ['remove the part at 12:30', remove({ start: '<start>', end: '<end>' })],
  ['remove the mistake from 1:00 to 1:05', remove({ start: '1:00', end: '1:05' })],
  ['from 1:00 to 2:00, delete it', remove({ start: '1:00', end: '2:00' })],
  [
    'my talk without the laughs',
    find('audio/detect-laughter'),
    clip({ ranges: '<segments of audio/detect-laughter>', ranges_mode: 'remove' }),
  ],
  // What is clipped, and not taken out.
  ['cut 1:00 to 2:00 and remove the noise', clip({}, { start: '1:00', end: '2:00' })],
  ['cut 1:00 to 2:00 without captions', clip({}, { start: '1:00', end: '2:00' })],
  ['keep the joke from 1:00 to 1:20', clip({}, { start: '1:00', end: '1:20' })],
  ['clip 10 seconds after 4:20', clip({}, { start: '4:20', end: '270' })],
  ['clip the 20 seconds before 4:20', clip({}, { start: '240', end: '4:20' })],
  ['start the video at 1:30', clip({}, after('1:30'))],
  ['end the recording at 20:00', clip({}, before('20:00'))],
  ['start at 1:30 and end at 2:45', clip({}, { start: '1:30', end: '2:45' })],
  [
    'cut my lecture into two parts at the break',
    clip({ ranges: [{ start: '<start>', end: '<end>' }, '<and so on>'], join: false }),
  ],
  ['clip "GOAL" at 12:30', near({}, { start: '12:30' })],
  // What is found in a window, or around a time.
  ['find "GOAL" at 12:30', find('audio/find-words', { queries: ['GOAL'] }, { start: '735', end: '765' })],
  ['what does he say at 12:30', find('audio/find-words', {}, { start: '735', end: '765' })],
  [
    'find "budget" between 1:00 and 5:00',
    find('audio/find-words', { queries: ['budget'] }, { start: '1:00', end: '5:00' }),
  ],
  ['what is on the screen at 12:30', find('video/text-frames', {}, { start: '735', end: '765' })],
  ['is there laughter at 0:05', find('audio/detect-laughter', {}, { start: '0', end: '20' })],
  ['grab 5 screenshots from the first minute', find('video/best-frames', { count: 5 }, before('60'))],
]

/** The part of the media that a run covers. */
const runs: readonly (readonly [goal: string, chain: string, window: object])[] = [
  ['cut 1:00 to 5:00 and remove the silences', 'remove-dead-space', { start: '1:00', end: '5:00' }],
  ['keep the first 5 minutes without the pauses', 'remove-dead-space', { start: '0', end: '300' }],
  ['remove the first 30 seconds and the silences', 'remove-dead-space', { start: '30' }],
  ['cut a clip of each laugh in the first 10 minutes', 'find-funny-clips', { start: '0', end: '600' }],
  ['best thumbnail between 1:00 and 2:00', 'pick-thumbnails', { start: '1:00', end: '2:00' }],
]

describe('a plan on a part of the media', () => {
  it.each(jobs.map(([goal, ...expected]) => [goal, expected] as const))('for "%s" has these jobs', (goal, expected) => {
    expect(jobsOf(goal)).toEqual(expected)
  })

  it.each(jobs.map(([goal]) => goal))('for "%s" sends requests that are accepted', (goal) => {
    expect(warningsOf(goal)).toEqual([])
  })

  it.each(runs)('for "%s" runs %s on that part', (goal, id, window) => {
    const { chain, steps } = planGoal(goal)
    const { start, end } = steps[0]?.arguments ?? {}
    expect([chain?.id, { start, end }]).toEqual([id, { start: undefined, end: undefined, ...window }])
  })

  it('says how much is looked at around a time, and what stays beside a part', () => {
    expect(planGoal('what does he say at 12:30').notes).toEqual([
      expect.stringContaining('15 seconds before and after'),
    ])
    expect(planGoal('cut the silence in the first 5 minutes').notes).toEqual([
      expect.stringContaining('keep the rest of the media'),
    ])
  })

  it('leaves ranges open that no job takes', () => {
    expect(() => refusePlaceholders({ settings: { ranges: [ranges, after('300')] } })).toThrow(`Replace ${ranges}`)
  })

  it('says that a job covers one window, and that a run leaves no middle out', () => {
    const { notes } = planGoal('find the laughs in 1:00-2:00 and 5:00-6:00')
    expect(notes).toContainEqual(expect.stringContaining('create a job for each'))
    const run = planGoal('remove 1:00 to 2:00 and the silences')
    expect([run.chain?.id, run.notes]).toEqual([
      'remove-dead-space',
      [expect.stringContaining('does not take the window out')],
    ])
  })

  it('says that the first seconds stay, where "cut" may mean the opposite', () => {
    expect(planGoal('trim the first 30 seconds').notes).toEqual([expect.stringContaining('To take it out instead')])
  })
})
