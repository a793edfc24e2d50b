import { describe, expect, it } from 'vitest'
import { clip, find, jobsOf, near, planGoal } from './planned-goals.ts'

const half = (seconds: number) => ({ before_seconds: seconds / 2, after_seconds: seconds / 2 })

describe('a clip around a time', () => {
  it.each([
    ['cut 30 seconds around 1:30', '1:30', half(30)],
    ['cut 2 minutes around 10:00', '10:00', half(120)],
    ['clip 20 seconds of video near 0:45', '0:45', half(20)],
    ['clip the 30 second moment at 4:00', '4:00', half(30)],
    ['give me a 10 second clip around 1:30', '1:30', half(10)],
    ['give me a clip around 1:30 for 40 seconds', '1:30', half(40)],
    ['a clip around 1:30, about 20 seconds long', '1:30', half(20)],
    ["cut 10 seconds around 1:30 but don't cut anybody off mid sentence", '1:30', half(10)],
    ['cut 5 seconds before and after 1:30', '1:30', half(10)],
    ['a clip with 15 seconds on either side of 2:00', '2:00', half(30)],
    ['a clip around 1:30', '1:30', {}],
  ])('has the length of "%s"', (goal, start, settings) => {
    expect(jobsOf(goal)).toEqual([near(settings, { start })])
  })

  it.each([
    "cut 10 seconds around 1:30 but don't cut anybody off mid sentence",
    'a clip around 1:30 that does not end in the middle of a sentence',
    'a clip at 2:00, whole sentences please',
  ])('for "%s" says that its edges know no sentences', (goal) => {
    expect(planGoal(goal).notes).toContainEqual(expect.stringContaining('not to the ends of sentences'))
  })
})

describe('clips around several times', () => {
  it.each([
    [
      'clip 10 seconds before and 5 after 12:34, 45:10 and 88:02, vertical for instagram',
      ['12:34', '45:10', '88:02'],
      { aspect: '9:16' },
    ],
    ['10 seconds before and 5 after each of 1:00, 2:00 and 120:30', ['1:00', '2:00', '120:30'], {}],
    ['cut from 10s before to 5s after 1:00 and 2:00', ['1:00', '2:00'], {}],
  ])('have the reach and the times of "%s"', (goal, moments, settings) => {
    expect(jobsOf(goal)).toEqual([near({ moments, before_seconds: 10, after_seconds: 5, ...settings })])
  })

  it.each(['cut 10 seconds before and 5 after 12:34', 'clip 10 seconds before 12:34 and 5 after'])(
    'reach as far before and after one time as "%s" says',
    (goal) => {
      expect(jobsOf(goal)).toEqual([near({ before_seconds: 10, after_seconds: 5 }, { start: '12:34' })])
    },
  )
})

describe('the length of the media', () => {
  it.each([
    'split my 90 minute lecture into one video per topic',
    'a clip of each topic of my 2 hour talk',
    'split my 90 minute video into one clip per topic',
  ])('is not that of the clips of "%s"', (goal) => {
    const clips = clip({ ranges: '<segments of audio/semantic-chunks>', join: false })
    expect(jobsOf(goal)).toEqual([find('audio/semantic-chunks'), clips])
  })

  it('is not that of the pieces', () => {
    expect(planGoal('split my 90 minute episode by topic').endpoint?.id).toBe('audio/semantic-chunks')
    const shorts = jobsOf('make three 60 second vertical shorts from my 2 hour interview')
    expect(shorts[0]).toEqual(find('audio/semantic-chunks', { target_seconds: 60 }))
  })
})

describe('several media', () => {
  it.each(['search all my past recordings for rocket fuel', 'search all of my old podcast episodes for rocket fuel'])(
    '"%s" searches for the words that it names',
    (goal) => {
      const { steps, notes } = planGoal(goal)
      expect([steps.map((step) => [step.tool, step.arguments]), notes]).toEqual([
        [['svc.list_jobs', { query: 'rocket fuel' }]],
        [],
      ])
    },
  )

  it.each([
    'I have 40 recordings, find every place somebody mentions rocket fuel',
    'we have dozens of interviews, find where they say "rocket fuel"',
    'find where they mention rocket fuel in each of these videos',
  ])('for "%s" repeats the plan, and then searches the jobs', (goal) => {
    expect(jobsOf(goal)).toEqual([find('audio/find-words', { queries: ['rocket fuel'] })])
    expect(planGoal(goal).notes.join(' ')).toMatch(/one file: repeat it for each.*svc\.list_jobs/)
  })

  it.each(['make 3 videos of the topics', 'find the laughs in my recording'])('"%s" is about one file', (goal) => {
    expect(planGoal(goal).notes.join()).not.toContain('repeat it for each')
  })
})

describe('a smaller file', () => {
  it.each([
    'make the video smaller so I can email it',
    'make it smaller',
    'compress my file',
    'get it under 25 MB',
    'my video is too big, I want to email it',
    'how do I shrink this film',
  ])('for "%s" has a lower height and quality', (goal) => {
    const { notes } = planGoal(goal)
    expect(jobsOf(goal)).toEqual([clip({ height: '<pixels>', quality: 'fast' }, { start: '0' })])
    expect(notes).toEqual([
      expect.stringContaining('Replace <pixels>'),
      expect.stringContaining('No setting chooses the size of a file'),
    ])
  })

  it('has the height, the times and the format that the goal names', () => {
    expect(jobsOf('make it smaller, 480p')).toEqual([clip({ height: 480, quality: 'fast' }, { start: '0' })])
    expect(jobsOf('compress my podcast to mp3')).toEqual([clip({ format: 'mp3', quality: 'fast' }, { start: '0' })])
    expect(jobsOf('cut 1:00 to 2:00, below 25 MB')).toMatchObject([{ start: '1:00', settings: { quality: 'fast' } }])
  })

  it.each(['is my file too big', 'what is the file size'])('for the question "%s" cuts nothing', (goal) => {
    expect(jobsOf(goal)).toEqual([])
  })
})

describe('a plan', () => {
  it.each(['detect when the crowd cheers', 'find the applause', 'a reel of the moments when people scream'])(
    'for "%s" says that loudness is all that is found',
    (goal) => {
      expect(planGoal(goal).notes).toContainEqual(expect.stringContaining('finds what is loud, whatever the sound'))
    },
  )

  it('says no such thing of what is only loud', () => {
    expect(planGoal('find the loudest moments').notes).toEqual([])
  })

  it.each(['the funniest bit as a vertical clip with subtitles', 'cut the funniest moment of my show, with captions'])(
    'for "%s" finds laughter before it transcribes, and says how to choose',
    (goal) => {
      const { notes } = planGoal(goal)
      const endpoints = ['audio/detect-laughter', 'audio/find-words', 'video/clip-near']
      expect(jobsOf(goal)).toMatchObject(endpoints.map((endpoint) => ({ endpoint })))
      expect(notes).toContain('Choose 1 of what was found.')
      expect(notes).toContainEqual(expect.stringContaining('The score of a segment'))
    },
  )

  it.each([
    ['cut at 00:90 to 2:00', '00:90'],
    ['a clip around 3:75', '3:75'],
    ['cut from 1:61:00 to 2:00:00', '1:61:00'],
  ])('for "%s" says that one is not a time', (goal, time) => {
    expect(planGoal(goal).notes).toContainEqual(expect.stringContaining(`${time} is not a time`))
  })

  it.each(['cut from 90:00 to 91:30', 'keep the last 90 seconds'])('takes the times of "%s"', (goal) => {
    expect(planGoal(goal).notes.join()).not.toContain('is not a time')
  })
})
