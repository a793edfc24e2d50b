import { describe, expect, it } from 'vitest'
import { clip, find, jobsOf, near, planGoal } from './planned-goals.ts'

const short = { before_seconds: 4, after_seconds: 2, join: true }
const settingsOf = (goal: string) => planGoal(goal).steps[0]?.arguments['settings']

describe('one file of many clips', () => {
  it.each([
    ['find the funniest moments and make a 60 second trailer', 'find-funny-clips'],
    ['a 30 second teaser of the laughs', 'find-funny-clips'],
    ['make a 90 second supercut of every time he says pricing', 'find-exact-words'],
    ['all the jokes in one reel of 2 minutes', 'find-funny-clips'],
  ])('of "%s" has short clips, and no length', (goal, id) => {
    const { chain, notes } = planGoal(goal)
    expect([chain?.id, settingsOf(goal)]).toEqual([id, expect.objectContaining({ 'video/clip-near': short })])
    expect(notes).toContainEqual(
      expect.stringMatching(/^No setting fixes the length of the file at \d+ seconds.*lower before_seconds/),
    )
  })

  it('has the reach, and the length of each clip, that the goal states', () => {
    expect(settingsOf('a 60 second trailer of the jokes, 8 seconds before and 3 after each')).toEqual({
      'video/clip-near': { before_seconds: 8, after_seconds: 3, join: true },
    })
    expect(settingsOf('5 second clips of the laughs in one reel')).toEqual({
      'video/clip-near': { before_seconds: 2.5, after_seconds: 2.5, join: true },
    })
  })

  it('is asked for around moments that only the user knows', () => {
    const goal = 'find all the goals and make a highlight reel'
    const moments = ['<moment>', '<and so on, for each moment>']
    expect(jobsOf(goal)).toEqual([near({ moments, join: true })])
    expect(planGoal(goal).notes.join(' ')).toMatch(/Replace <moment>.*Replace <and so on, for each moment>/)
    expect(jobsOf('a montage of 1:00, 2:00 and 3:00')).toEqual([
      near({ moments: ['1:00', '2:00', '3:00'], join: true }),
    ])
  })

  it('of ranges says so too, and looks for no topics of its length', () => {
    const goal = 'a 2 minute compilation of the topics'
    expect(jobsOf(goal)).toEqual([
      find('audio/semantic-chunks'),
      clip({ ranges: '<segments of audio/semantic-chunks>' }),
    ])
    expect(planGoal(goal).notes).toContainEqual(expect.stringMatching(/at 120 seconds.*shorter ranges/))
  })

  it.each(['trailer of the funniest moment', 'a 30 second teaser', 'clips of the laughs'])(
    'is not made for "%s"',
    (goal) => {
      const { steps, notes } = planGoal(goal)
      expect(JSON.stringify([steps, notes])).not.toMatch(/"join":true|No setting fixes/)
    },
  )
})
