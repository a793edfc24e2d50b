import { describe, expect, it } from 'vitest'
import { find, jobsOf, type PlannedGoal, planGoal } from './planned-goals.ts'

const words = (...queries: string[]) => find('audio/find-words', { queries })
const topics = find('audio/semantic-chunks')

/** What people look for, and the jobs that find it. */
const jobs: readonly PlannedGoal[] = [
  // What is shown.
  ['find when the scoreboard shows 2-1', find('video/text-frames', { queries: ['2-1'] })],
  ['find when the score is 3:0', find('video/text-frames', { queries: ['3:0'] })],
  ['when does the banner read Final', find('video/text-frames', { queries: ['Final'] })],
  ['find where the sign says "Exit"', find('video/text-frames', { queries: ['Exit'] })],
  ['find where the screen shows Goal', find('video/text-frames', { queries: ['Goal'] })],
  // Frames.
  ['ten screenshots', find('video/best-frames', { count: 10 })],
  ['a screenshot at the start', find('video/thumbnail-score', { times: ['0'] })],
  ['extract the first frame of the video', find('video/thumbnail-score', { times: ['0'] })],
  ['a still from the end', find('video/best-frames', { count: 1 }, { start: '<media_seconds - 5>', end: '' })],
  ['what do they say 10 seconds around 1:30', find('audio/find-words', {}, { start: '75', end: '105' })],
  ['5 pictures from my video', find('video/best-frames', { count: 5 })],
  ['extract the slides as images', find('video/best-frames')],
  ['give me 50 screenshots', find('video/best-frames', { count: 20 })],
  [
    'a screenshot every 10 seconds',
    find('video/thumbnail-score', { times: [0, 10, 20, '<and so on, before media_seconds>'] }),
  ],
  [
    'extract a frame every half a minute',
    find('video/thumbnail-score', { times: [0, 30, 60, '<and so on, before media_seconds>'] }),
  ],
  ['which of my two pictures is the better thumbnail', find('video/thumbnail-score', { upload_ids: ['<upload_id>'] })],
  ['rank these images as thumbnails', find('video/thumbnail-score', { upload_ids: ['<upload_id>'] })],
  [
    'a screenshot every 5 minutes as 16:9',
    find('video/thumbnail-score', { times: [0, 300, 600, '<and so on, before media_seconds>'], crops: ['16:9'] }),
  ],
  // Finds.
  ['which slides mention revenue', find('video/text-frames', { queries: ['revenue'] })],
  ['find the silences', find('audio/detect-silence')],
  ['find where they say apples and oranges', words('apples', 'oranges')],
  ['find where they mention pricing, refunds and the budget', words('pricing', 'refunds', 'budget')],
  ['where do we talk about Kubernetes or Docker', words('Kubernetes', 'Docker')],
  ['find where he says yes and no', words('yes', 'no')],
  ['find where she mentions pricing and tell me when', words('pricing')],
  ['when do they discuss the roadmap and the audience laughs', words('roadmap')],
  ['how many times is the word budget mentioned', words('budget')],
  ['find where she says "cut the silence at 1:00"', words('cut the silence at 1:00')],
  ['transcribe "My Talk.mp4"', find('audio/find-words')],
  ['export the interview as text', find('audio/find-words')],
  ['what is this video about', topics],
  ['what topics are covered', topics],
  ['find "GOAL" on the screen', find('video/text-frames', { queries: ['GOAL'] })],
  ['what does the slide say', find('video/text-frames')],
  ['where do people clap', find('audio/detect-energy')],
  ['where is the swearing', find('audio/find-words', { queries: ['<what is said>'] })],
  ['what do they say at 12:30', { endpoint: 'audio/find-words', start: '735', end: '765', settings: {} }],
  ['what does he say around 0:05', { endpoint: 'audio/find-words', start: '0', end: '20', settings: {} }],
  ['where is the loudness above -14', find('audio/detect-energy')],
  ['find where it gets louder', find('audio/detect-energy')],
  ['find the slides', find('video/text-frames')],
  [
    'which of the two jobs overlap',
    find('timeline/merge', {
      job_ids: ['<job_id of an earlier job>', '<job_id of another job>'],
      mode: 'intersection',
    }),
  ],
]

/** Work that no endpoint does, and what comes near. */
const refused: readonly (readonly [goal: string, note: string])[] = [
  ['mute the swearing', 'bleeps or mutes words. The chain clean-speech'],
  ['make it a GIF', 'makes GIFs'],
  ['translate the subtitles', 'translates or dubs. settings.captions.text'],
  ['add music', 'cleans or mixes sound'],
  ['speed it up', 'changes the speed'],
  ['play it twice as fast', 'changes the speed'],
  ['change the frame rate to 30 fps', 'changes the speed or the frame rate'],
  ['strip the audio', 'removes the sound of a video'],
  ['mute the video', 'removes the sound of a video'],
  ['make the video black and white', 'retouches or enlarges the picture'],
  ['add an intro', 'adds titles, pictures or other media'],
  ['remove the ads', 'finds scenes, music, advertisements'],
  ['a clip of each slide', 'finds where slides begin and end'],
  ['clip each slide', 'finds where slides begin and end'],
  ['detect scene changes', 'finds scenes, music, advertisements'],
  ['remove the music', 'cleans or mixes sound'],
  ['make it 30 seconds long', 'shortens media to a length'],
  ['cut it down to 10 minutes', 'shortens media to a length'],
  ['write show notes for the episode', 'summarizes or judges what is said, or writes about it'],
  ['turn the volume down where it is too loud', 'changes the level of parts. settings.loudness'],
  ['make the quiet parts louder', 'changes the level of parts. settings.loudness'],
  ['make the loud parts quieter', 'changes the level of parts. settings.loudness'],
  ['Spanish subtitles', 'translates or dubs. settings.captions.text'],
  ['make every voice equally loud', 'makes voices equally loud. settings.loudness'],
  ['what is the resolution of my video', 'reports the codecs, the resolution'],
  ['combine clip1.mp4 and clip2.mp4', 'joins several media files'],
]
describe('a plan that does not cut', () => {
  it.each(jobs.map(([goal, ...expected]) => [goal, expected] as const))('for "%s" has these jobs', (goal, expected) => {
    expect(jobsOf(goal)).toEqual(expected)
  })

  it.each(refused)('for "%s" says what is not offered', (goal, note) => {
    const { steps, notes } = planGoal(goal)
    expect([steps, notes[0]]).toEqual([[], expect.stringContaining(`There is no endpoint that ${note}`)])
  })

  it.each([
    ['find where we talk about pricing in my uploaded files', 'pricing'],
    ['in which of my videos do we mention refunds', 'refunds'],
    ['search all my videos for "climate"', 'climate'],
  ])('for "%s" searches what earlier jobs read, and says that other media is not searched', (goal, query) => {
    const [step, ...others] = planGoal(goal).steps
    expect([step?.tool, step?.arguments, others]).toEqual(['svc.list_jobs', { query }, []])
    expect(step?.note).toContain('is not searched')
  })

  it.each(['put Spanish subtitles on my video', 'put subtitles on my video in Spanish'])(
    'for "%s" captions the video, and says that nothing translates',
    (goal) => {
      const { endpoint, notes } = planGoal(goal)
      expect(endpoint?.id).toBe('video/clip-window')
      expect(notes).toContainEqual(expect.stringContaining('There is no endpoint that translates'))
    },
  )

  it.each([
    ['set a spend cap of 20 dollars', 20],
    ['lower my spending limit to 20 dollars', 20],
    ['set my limit to 20 dollars a month', 20],
    ['set my limit to twenty dollars a month', 20],
    ['set my limit to $20', 20],
    ['set my monthly limit', '<USD a month>'],
  ])('for "%s" sets the cap', (goal, amount) => {
    const calls = planGoal(goal).steps.map((step) => [step.tool, step.arguments])
    expect(calls).toEqual([['svc.set_spend_cap', { monthly_cap_usd: amount }]])
  })

  it.each([
    ['what would it cost to transcribe a two hour recording', 'audio/find-words', 7200],
    ['how much would it cost to find the silences of a 30 minute podcast', 'audio/detect-silence', 1800],
    ['how much would it cost to transcribe my talk', 'audio/find-words', '<seconds of the media>'],
    ['how much would an hour cost', '<endpoint>', 3600],
  ])('for "%s" estimates that work', (goal, endpoint, media_seconds) => {
    const calls = planGoal(goal).steps.map((step) => [step.tool, step.arguments])
    expect(calls).toEqual([['svc.estimate_cost', { endpoint, media_seconds }]])
  })

  it.each(['cancel everything that is running', 'stop all my jobs'])('for "%s" lists what runs first', (goal) => {
    const calls = planGoal(goal).steps.map((step) => [step.tool, step.arguments])
    expect(calls).toEqual([
      ['svc.list_jobs', { status: 'running' }],
      ['svc.cancel_job', { job_id: '<job_id>' }],
    ])
  })

  it('for the length of media reads it, and creates no job', () => {
    const isRead = (goal: string) => planGoal(goal).steps.some(({ arguments: { start } }) => start === 0)
    expect(planGoal('how long is my video').steps.map(({ tool }) => tool)).toEqual(['svc.check_job_readiness'])
    expect([isRead('how long is my video'), isRead('how long is each pause in my video')]).toEqual([true, false])
  })

  it('for the length and the format of media reads the length, and says that nothing reports the format', () => {
    const { steps, notes } = planGoal('how long is my video and what format is it')
    expect(steps.map(({ tool }) => tool)).toEqual(['svc.check_job_readiness'])
    expect(notes).toEqual([expect.stringContaining('There is no endpoint that reports the codecs')])
  })

  it.each([
    ['find the laughter and the applause', 'audio/detect-laughter'],
    ['find silences and loud moments', 'audio/detect-energy'],
    ['transcribe it and find the silences', 'audio/find-words'],
  ])('for "%s" plans one search, and names %s for the other', (goal, other) => {
    expect(planGoal(goal).notes).toContainEqual(`If the user also wants what ${other} finds, create a job of it.`)
  })

  it.each([
    ['search all my videos for refunds and pricing', 'refunds OR pricing'],
    ['search all my videos for "carbon tax" and "climate"', '"carbon tax" OR climate'],
  ])('for "%s" searches for each of the words', (goal, query) => {
    expect(planGoal(goal).steps.map((step) => step.arguments)).toEqual([{ query }])
  })

  it('uploads pictures, and sends no media beside them', () => {
    const { steps } = planGoal('rank my 3 images as thumbnails')
    expect(steps[0]).toMatchObject({ tool: 'svc.create_upload', arguments: { filename: '<name of the picture>' } })
    expect(JSON.stringify(steps)).not.toContain('media_url>')
  })

  it('says where its reading of the goal may not be what is meant', () => {
    expect(planGoal('cut at 0:10 and 0:20').notes).toEqual([expect.stringContaining('into 3 files')])
    expect(planGoal('give me 50 screenshots').notes).toEqual([expect.stringContaining('at most 20 frames')])
    expect(planGoal('a screenshot at 1:15').notes).toEqual([expect.stringContaining('crops of the frames')])
    expect(planGoal('find "GOAL"').notes).toEqual([expect.stringContaining('video/text-frames takes the same queries')])
    expect(planGoal('find where they say salt and pepper').notes).toEqual([
      expect.stringContaining('a phrase with "and"'),
    ])
    expect(planGoal('take a screenshot of the title').notes).toEqual([expect.stringContaining('For its picture, send')])
    expect(planGoal('extract the slides as images').notes).toEqual([expect.stringContaining('does not know slides')])
    expect(planGoal('screenshots at 1280x720').notes).toEqual([expect.stringContaining('no setting scales them')])
    const ofPart = planGoal('delete the part where he says "secret"')
    expect(ofPart.notes).toEqual(['Only these words are cut, and not what is said around them.'])
  })

  it('is complete, or names what the caller replaces', () => {
    for (const [goal] of jobs) {
      const { steps, notes } = planGoal(goal)
      const left = JSON.stringify(steps.map((step) => step.arguments['settings'] ?? {})).includes('"<')
      if (left) expect([goal, notes.join()]).toEqual([goal, expect.stringContaining('Replace <')])
    }
  })
})
