import { describe, expect, it } from 'vitest'
import { clip, jobsOf, type PlannedGoal, planGoal, warningsOf } from './planned-goals.ts'

const split = clip({
  ranges: [{ start: 0, end: 900 }, { start: 900, end: 1800 }, '<and so on, to media_seconds>'],
  join: false,
  format: 'mp3',
})
const whole = (settings: object) => clip(settings, { start: '0' })

/** What is done to a whole file, and the job that does it. */
const jobs: readonly PlannedGoal[] = [
  // Formats.
  ['make it mp3', whole({ format: 'mp3' })],
  ['convert to mp3', whole({ format: 'mp3' })],
  ['mp3 please', whole({ format: 'mp3' })],
  ['make my podcast an mp3', whole({ format: 'mp3' })],
  ['I need this interview as an mp3', whole({ format: 'mp3' })],
  ['extract the audio as wav', whole({ format: 'wav' })],
  ['convert my avi to mp4', whole({ format: 'mp4' })],
  ['split my two hour mp4 into 15 minute mp3s', split],
  ['opus version', whole({ format: 'opus' })],
  ['change the format', whole({ format: '<format>' })],
  ['give me just the audio', whole({ format: 'm4a' })],
  ['turn the video into audio', whole({ format: 'm4a' })],
  ['remove the video and keep the audio', whole({ format: 'm4a' })],
  ['the first 10 minutes as audio', clip({ format: 'm4a' }, { start: '0', end: '600' })],
  ['make an mp3 of the first minute', clip({ format: 'mp3' }, { start: '0', end: '60' })],
  // Loudness.
  ['turn the volume up', whole({ loudness: -16 })],
  ['turn up the volume', whole({ loudness: -16 })],
  ['it is too quiet, make it louder', whole({ loudness: -16 })],
  ['I can barely hear it', whole({ loudness: -16 })],
  ['increase the volume of my video', whole({ loudness: -16 })],
  ['make it louder for YouTube', whole({ loudness: -14 })],
  ['normalise the audio for broadcast', whole({ loudness: -23 })],
  ['level the volume to podcast standard', whole({ loudness: -16 })],
  ['level the audio to broadcast standard', whole({ loudness: -23 })],
  ['bring my episode to Spotify loudness', whole({ loudness: -14 })],
  ['louder and in mp3', whole({ format: 'mp3', loudness: -16 })],
  ['cut 1:00 to 2:00 and make it louder', clip({ loudness: -16 }, { start: '1:00', end: '2:00' })],
  ['turn the volume down', whole({ loudness: '<LUFS>' })],
  ['make the sound quieter', whole({ loudness: '<LUFS>' })],
  ['it is too loud', whole({ loudness: '<LUFS>' })],
  // Sizes.
  ['resize to 1080x1920', whole({ aspect: '9:16', height: 1920 })],
  ['resize it to 1920 x 1080', whole({ aspect: '16:9', height: 1080 })],
  ['make it 1080 by 1350', whole({ aspect: '4:5', height: 1350 })],
  ['scale it to 854x480', whole({ aspect: '16:9', height: 480 })],
  ['make it full HD', whole({ height: 1080 })],
  ['vertical 1080p', whole({ aspect: '9:16', height: 1920 })],
  ['make it 4k', whole({ height: 2160 })],
  ['resize the video', whole({ height: '<pixels>' })],
]

describe('a plan for a whole file', () => {
  it.each(jobs.map(([goal, ...expected]) => [goal, expected] as const))('for "%s" has this job', (goal, expected) => {
    expect(jobsOf(goal)).toEqual(expected)
  })

  it.each(jobs.map(([goal]) => goal))('for "%s" sends requests that are accepted', (goal) => {
    expect(warningsOf(goal)).toEqual([])
  })

  it.each(['transcribe an mp3', 'find the laughs in an mp4', 'which of my mp3s mention refunds'])(
    'for "%s" converts nothing: it names the format of the source',
    (goal) => {
      expect(JSON.stringify(planGoal(goal).steps)).not.toContain('"format"')
    },
  )

  it.each([
    ['remove the silences and make it louder', 'remove-dead-space'],
    ['remove the ums and turn the volume up', 'clean-speech'],
    ['clips where she says "hello", louder', 'find-exact-words'],
  ])('for "%s" changes the loudness in the chain %s', (goal, id) => {
    const { chain, steps } = planGoal(goal)
    expect([chain?.id, JSON.stringify(steps[0]?.arguments)]).toEqual([id, expect.stringContaining('"loudness":-16')])
  })

  it.each(['find where it gets louder', 'is the audio too quiet', 'which part is louder'])(
    'for "%s" measures, and changes nothing',
    (goal) => {
      expect(planGoal(goal).endpoint?.id).toBe('audio/detect-energy')
    },
  )

  it('says which loudness was chosen, and that a goal with a number chose its own', () => {
    expect(planGoal('make it louder').notes).toEqual([expect.stringContaining('-16 LUFS is usual for podcasts')])
    expect(planGoal('make it -14 LUFS').notes).toEqual([])
    expect(planGoal('make it quieter').notes).toEqual([expect.stringContaining('Replace <LUFS>')])
  })

  it('says how a picture gets a size', () => {
    expect(planGoal('resize to 1080x1920').notes).toEqual([expect.stringContaining('cropped, or padded')])
  })
})
