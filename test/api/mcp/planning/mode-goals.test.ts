import { describe, expect, it } from 'vitest'
import { clip, jobsOf, near, planGoal, warningsOf } from './planned-goals.ts'

const window = { start: '1:00', end: '2:00' }
const whole = { start: '0' }

/** What may be encoded again, and the job that keeps to it. */
const jobs: readonly (readonly [goal: string, job: object])[] = [
  ['cut 1:00 to 2:00, it must not be re-encoded', clip({ mode: 'smart' }, window)],
  ['lossless cut from 1:00 to 2:00', clip({ mode: 'smart' }, window)],
  ['cut 1:00-2:00 with no re-encode', clip({ mode: 'smart' }, window)],
  ["don't transcode, just cut 1:00 to 2:00", clip({ mode: 'smart' }, window)],
  ['lossless clip at 12:34', near({ mode: 'smart' }, { start: '12:34' })],
  [
    'remove 1:00 to 2:00 and keep the rest without re-encoding',
    clip({ ranges: [window], ranges_mode: 'remove', mode: 'smart' }),
  ],
  ['cut 1:00 to 2:00 without re-encoding at all', clip({ mode: 'copy' }, window)],
  ['cut 1:00 to 2:00 without re-encoding, keyframes are fine', clip({ mode: 'copy' }, window)],
  ['stream copy 1:00 to 2:00', clip({ mode: 'copy' }, window)],
  ['stream copy 1:00 to 2:00 at -14 lufs', clip({ loudness: -14, mode: 'smart' }, window)],
  ['cut without re-encoding', clip({ mode: 'smart' }, { start: '<start>', end: '<end>' })],
  ['vertical cut 1:00 to 2:00 without re-encoding', clip({ aspect: '9:16' }, window)],
  ['extract the audio as lossless flac', clip({ format: 'flac' }, whole)],
  ['cut 1:00 to 2:00 without losing quality', clip({}, window)],
]

describe('a plan that may not encode', () => {
  it.each(jobs)('for "%s" has this job', (goal, job) => {
    expect(jobsOf(goal)).toEqual([job])
  })

  it.each(jobs.map(([goal]) => goal))('for "%s" sends requests that are accepted', (goal) => {
    expect(warningsOf(goal)).toEqual([])
  })

  it('says what its mode encodes, or why all of it is encoded', () => {
    expect(planGoal('lossless cut from 1:00 to 2:00').notes).toEqual([
      expect.stringContaining('To encode nothing, send "copy"'),
    ])
    expect(planGoal('stream copy 1:00 to 2:00').notes).toEqual([
      expect.stringContaining('"mode": "copy" encodes nothing'),
    ])
    expect(planGoal('vertical, 1:00 to 2:00, not re-encoded').notes).toEqual([
      expect.stringContaining('The file is encoded again'),
    ])
  })

  it('cuts the pauses of a chain in that mode', () => {
    const { chain, steps } = planGoal('remove the silences without re-encoding')
    const settings = { 'video/clip-window': { mode: 'smart' } }
    expect([chain?.id, steps[0]?.arguments['settings']]).toEqual(['remove-dead-space', settings])
  })
})
