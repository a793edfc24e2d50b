import { describe, expect, it } from 'vitest'
import { planGoal as planGoalWith } from '../../../../api/mcp/planning/plan-goal.ts'
import type { MediaPlace } from '../../../../api/mcp/planning/tool-calls.ts'
import { modelNames } from '../../../../src/models/models.ts'

const planGoal = (goal: string, media: MediaPlace) => planGoalWith(goal, media, new Set(modelNames))

const queries = (...phrases: string[]) => ({ settings: { queries: phrases } })

/** What people ask for, and the chain or endpoint that does it. */
const possible: readonly (readonly [goal: string, id: string, wanted?: object])[] = [
  ['cut a highlight at 3:20 without cutting words', 'video/clip-near', { start: '3:20' }],
  ['make a clip around 1:15', 'video/clip-near', { start: '1:15' }],
  ['clip the moment near 00:12:30', 'video/clip-near', { start: '00:12:30' }],
  ['extract a snippet around minute 5', 'video/clip-near', { start: '05:00' }],
  ['a teaser at 40 seconds that does not start in the middle of a word', 'video/clip-near', { start: '40' }],
  ['make a short around 2:05 that begins and ends on a pause', 'video/clip-near', { start: '2:05' }],
  ['cut highlights from my stream without cutting words', 'video/clip-near'],
  ['cut from 1:00 to 2:30', 'video/clip-window', { start: '1:00', end: '2:30' }],
  ['extract 00:10-00:20 as its own file', 'video/clip-window', { start: '00:10', end: '00:20' }],
  ['keep only minutes 3 to 5', 'video/clip-window', { start: '03:00', end: '05:00' }],
  ['trim the first 30 seconds', 'video/clip-window', { start: '0', end: '30' }],
  [
    'remove the part between 4:00 and 5:00',
    'video/clip-window',
    { settings: { ranges: [{ start: '4:00', end: '5:00' }], ranges_mode: 'remove' } },
  ],
  [
    'trim the first 30 seconds off',
    'video/clip-window',
    { settings: { ranges: [{ start: '0', end: '30' }], ranges_mode: 'remove' } },
  ],
  [
    'keep 0:10-0:20 and 1:00-1:30 and join them',
    'video/clip-window',
    {
      settings: {
        ranges: [
          { start: '0:10', end: '0:20' },
          { start: '1:00', end: '1:30' },
        ],
      },
    },
  ],
  [
    'cut 1:00-1:15 and 2:00-2:10 as separate mp3 files',
    'video/clip-window',
    {
      settings: {
        ranges: [
          { start: '1:00', end: '1:15' },
          { start: '2:00', end: '2:10' },
        ],
        join: false,
      },
    },
  ],
  ['make a clip around 1h02m', 'video/clip-near', { start: '01:02:00' }],
  ['cut a clip near 2 min 30 s', 'video/clip-near', { start: '02:30' }],
  ['cut from 1h02m to 1h05m30s', 'video/clip-window', { start: '01:02:00', end: '01:05:30' }],
  ['keep the last 10 seconds', 'video/clip-window', { start: '<media_seconds - 10>', end: '' }],
  ['keep only the last two minutes', 'video/clip-window', { start: '<media_seconds - 120>', end: '' }],
  [
    'remove the last 10 seconds',
    'video/clip-window',
    { settings: { ranges: [{ start: '<media_seconds - 10>', end: '' }], ranges_mode: 'remove' } },
  ],
  ['keep everything after minute five', 'video/clip-window', { start: '05:00', end: '' }],
  ['keep the part after 5:00', 'video/clip-window', { start: '5:00', end: '' }],
  [
    'delete the part after minute five',
    'video/clip-window',
    { settings: { ranges: [{ start: '05:00', end: '' }], ranges_mode: 'remove' } },
  ],
  ['cut between 90 and 60', 'video/clip-window', { start: '60', end: '90' }],
  ['cut from 2:30 to 1:00', 'video/clip-window', { start: '1:00', end: '2:30' }],
  ['extract the audio as mp3', 'video/clip-window'],
  ['convert my recording to webm', 'video/clip-window'],
  ['crop a video to vertical', 'video/clip-window', { start: '0', settings: { aspect: '9:16' } }],
  ['make a 9:16 video with a blurred background', 'video/clip-window', { settings: { aspect: '9:16', fit: 'blur' } }],
  ['resize the film to 720p', 'video/clip-window', { start: '0', settings: { height: 720 } }],
  ['a square clip at 9:16', 'video/clip-near', { start: '9:16', settings: { aspect: '1:1' } }],
  ['make a clip around 12:30 in 9:16', 'video/clip-near', { start: '12:30', settings: { aspect: '9:16' } }],
  ['make a clip around 12:30 in 1:1', 'video/clip-near', { start: '12:30', settings: { aspect: '1:1' } }],
  ['a 4:5 clip of the moment at 12:30', 'video/clip-near', { start: '12:30', settings: { aspect: '4:5' } }],
  ['clip the moment near 12:30 as 16:9', 'video/clip-near', { start: '12:30', settings: { aspect: '16:9' } }],
  ['a vertical clip near 12:30', 'video/clip-near', { start: '12:30', settings: { aspect: '9:16' } }],
  ['square, at 12:30', 'video/clip-near', { start: '12:30', settings: { aspect: '1:1' } }],
  ['crop the moment at 12:30 to 9:16', 'video/clip-near', { start: '12:30', settings: { aspect: '9:16' } }],
  ['a vertical clip at 9:16', 'video/clip-near', { start: '9:16', settings: { aspect: '9:16' } }],
  ['a 9:16 clip at 9:16', 'video/clip-near', { start: '9:16', settings: { aspect: '9:16' } }],
  ['cut 9:16 to 10:20, square', 'video/clip-window', { start: '9:16', end: '10:20', settings: { aspect: '1:1' } }],
  ['reframe 1:00 to 2:00 to 9:16', 'video/clip-window', { start: '1:00', end: '2:00', settings: { aspect: '9:16' } }],
  ['cut from 8:00 to 9:16', 'video/clip-window', { start: '8:00', end: '9:16' }],
  ['convert a film from 9:16 to 16:9', 'video/clip-window', { start: '0', settings: { aspect: '16:9' } }],
  ['convert a film from 16:9 to 9:16', 'video/clip-window', { start: '0', settings: { aspect: '9:16' } }],
  ['turn portrait into landscape', 'video/clip-window', { start: '0', settings: { aspect: '16:9' } }],
  ['clips at 1:00, 2:00 and 3:00', 'video/clip-near', { settings: { moments: ['1:00', '2:00', '3:00'] } }],
  ['clip the funny moment at 12:30', 'video/clip-near', { start: '12:30' }],
  ['cut highlights from my stream in 9:16', 'video/clip-near', { start: '<moment>', settings: { aspect: '9:16' } }],
  ['split a film into parts', 'video/clip-window'],
  ['split a lecture into parts', 'audio/semantic-chunks'],
  ['cut several ranges into one video', 'video/clip-window'],
  ['Remove the silences from my podcast', 'remove-dead-space'],
  ['cut out every PAUSE of a talk', 'remove-dead-space'],
  ['tighten my podcast episode', 'remove-dead-space'],
  ['jump cut my vlog', 'remove-dead-space'],
  ['get rid of the awkward gaps', 'remove-dead-space'],
  ['shorten the quiet parts', 'remove-dead-space'],
  ['remove dead air from a radio show', 'remove-dead-space'],
  ['find the silences', 'audio/detect-silence'],
  ['where are the pauses in this talk?', 'audio/detect-silence'],
  ['when does somebody speak?', 'audio/detect-silence'],
  ['list timestamps of quiet passages', 'audio/detect-silence'],
  ['find the loudest moments', 'audio/detect-energy'],
  ['where does the crowd cheer', 'audio/detect-energy'],
  ['measure the volume over time', 'audio/detect-energy'],
  ['draw a waveform of a song', 'audio/detect-energy'],
  ['turn segments into ranges', 'timeline/suggest-ranges'],
  ['which ranges are worth keeping', 'timeline/suggest-ranges'],
  ['merge two timelines', 'timeline/merge'],
  ['intersect the segments of two jobs', 'timeline/merge'],
  ['clips of the funniest laughs', 'find-funny-clips'],
  ['cut out where she said "budget"', 'find-exact-words'],
  ['remove the ums from my podcast', 'clean-speech'],
  ['remove filler words', 'clean-speech'],
  ['get rid of every "um"', 'clean-speech'],
  ['cut out stutters and false starts', 'clean-speech'],
  ['edit by transcript', 'clean-speech'],
  ['cut my interview by text', 'clean-speech'],
  ['clean up a talk', 'clean-speech'],
  ['a thumbnail for the video', 'pick-thumbnails'],
  ['make my archive searchable', 'searchable-media-memory'],
  [
    'transcribe and mark "climate change" and “carbon tax”',
    'audio/find-words',
    queries('climate change', 'carbon tax'),
  ],
  ["transcribe the host's interview, where is 'Thank You'?", 'audio/find-words', queries('Thank You')],
  ['read where the slides show "Q3 Results"', 'video/text-frames', queries('Q3 Results')],
  ['transcribe my interview', 'audio/find-words', { settings: {} }],
  ['transcribe from 1:00 to 5:00', 'audio/find-words', { start: '1:00', end: '5:00', settings: {} }],
  ['Find when the phone number is shown on the screen', 'video/text-frames', { settings: {} }],
  ['when does the title appear', 'video/text-frames', { settings: {} }],
  ['find the humorous moments', 'audio/detect-laughter'],
  ['a highlight reel of all she said', 'find-exact-words'],
  ['stick to my script and drop the rest', 'clean-speech'],
  ['split the talk by topic', 'audio/semantic-chunks'],
  ['read the text on the slides', 'video/text-frames'],
  ['find the slide where it says "Revenue"', 'video/text-frames', queries('Revenue')],
  ['extract the audio', 'video/clip-window', { start: '0', settings: { format: 'm4a' } }],
  ['take out everything where nobody speaks', 'remove-dead-space'],
  ['make the pauses shorter', 'remove-dead-space'],
  ['take screenshots of sharp frames', 'video/best-frames'],
  [
    'cut off everything before 0:15 and after 0:50',
    'video/clip-window',
    {
      settings: {
        ranges: [
          { start: '0', end: '0:15' },
          { start: '0:50', end: '' },
        ],
        ranges_mode: 'remove',
      },
    },
  ],
  ['what is said between 0:30 and 0:45', 'audio/find-words', { start: '0:30', end: '0:45', settings: {} }],
  ['a screenshot at 1:15', 'video/thumbnail-score', { settings: { times: ['1:15'] } }],
  ['grab the frames at 0:10 and 0:20', 'video/thumbnail-score', { settings: { times: ['0:10', '0:20'] } }],
  ['what is said about Kubernetes', 'audio/find-words', queries('Kubernetes')],
  ['find every mention of the refund policy in this video', 'audio/find-words', queries('refund policy')],
  ['search for pricing', 'audio/find-words', queries('pricing')],
  ["where does he say let's go, and when", 'audio/find-words', queries("let's go")],
  ['find the silences longer than 2 seconds', 'audio/detect-silence', { settings: { min_silence_seconds: 2 } }],
  [
    'split into 10 minute pieces',
    'video/clip-window',
    {
      settings: {
        ranges: [{ start: 0, end: 600 }, { start: 600, end: 1200 }, '<and so on, to media_seconds>'],
        join: false,
      },
    },
  ],
  ['cut it into clips of 30 seconds', 'video/clip-window', { settings: { join: false } }],
]

/** Questions, which an endpoint answers without a cut, and wishes for files beside them. */
const asked: readonly (readonly [goal: string, id: string])[] = [
  ['find where they laugh', 'audio/detect-laughter'],
  ['find the laughs, only give me the times, do not cut anything', 'audio/detect-laughter'],
  ['list every laugh with its time', 'audio/detect-laughter'],
  ['how many times does the audience laugh?', 'audio/detect-laughter'],
  ['is there any laughter in this clip?', 'audio/detect-laughter'],
  ['funny moments, timestamps only, no clips', 'audio/detect-laughter'],
  ["don't make clips, just tell me when they joke", 'audio/detect-laughter'],
  ['laughter in interview.mp4 as a CSV', 'audio/detect-laughter'],
  ['the times of the laughs for Final Cut', 'audio/detect-laughter'],
  ['when does anybody giggle between 1:00 and 5:00', 'audio/detect-laughter'],
  ['what does he say about pricing', 'audio/find-words'],
  ['when does the host talk about pricing', 'audio/find-words'],
  ['where is the budget discussed', 'audio/find-words'],
  ['every place where the word refund is spoken', 'audio/find-words'],
  ['what is said between 1:00 and 2:00', 'audio/find-words'],
  ['quotes about pricing, as text', 'audio/find-words'],
  ['give me the transcript of what she says in the reel', 'audio/find-words'],
  ['which topics does the talk cover, and when', 'audio/semantic-chunks'],
  ['show where the crowd cheers, without cutting it out', 'audio/detect-energy'],
  ['find the silences, do not remove them', 'audio/detect-silence'],
  ['cut a clip of each laugh', 'find-funny-clips'],
  ['a compilation of the laughs', 'find-funny-clips'],
  ['save every laugh as its own file', 'find-funny-clips'],
  ['find the jokes and make shorts of them', 'find-funny-clips'],
  ['a supercut of every time he says pricing', 'find-exact-words'],
  ['find where they mention pricing and clip it', 'find-exact-words'],
  ['one video of all she said about pricing', 'find-exact-words'],
  ['find the pauses and remove them', 'remove-dead-space'],
  ['my podcast without the pauses', 'remove-dead-space'],
  ['my podcast without the ums', 'clean-speech'],
  ['what is the price shown on the screen', 'video/text-frames'],
  ['find where he says gift', 'audio/find-words'],
  ['find the beeps and the loudest moments', 'audio/detect-energy'],
]

/** What people ask for that does not exist, and how the plan says so. */
const impossible: readonly (readonly [string, string])[] = [
  ['translate the interview into French', 'translates or dubs'],
  ['remove the background noise', 'cleans or mixes sound'],
  ['add background music', 'cleans or mixes sound'],
  ['bleep the swear words', 'bleeps or mutes words'],
  ['make a GIF', 'makes GIFs'],
  ['send the result to my webhook', 'calls webhooks'],
  ['remove the noise from my uploaded file', 'cleans or mixes sound'],
  ['remove the background noise', 'cleans or mixes sound'],
  ['upscale a film to 4K', 'retouches or enlarges the picture'],
  ['stabilize shaky footage', 'retouches or enlarges the picture'],
  ['generate a video from a script', 'generates media or speech'],
  ['identify the speakers', 'recognizes people'],
  ['Detect who is speaking when', 'recognizes people'],
  ["list who's talking", 'recognizes people'],
  ['detect speakers', 'recognizes people'],
  ['blur every face', 'retouches or enlarges the picture'],
  ['download a YouTube video', 'downloads from or publishes to video sites'],
  ['join three videos', 'joins several media files'],
  ['summarize this meeting', 'summarizes or judges what is said, or writes about it'],
  ['make the music quieter', 'cleans or mixes sound'],
  ['tell me the best part', 'judges which moments are the best'],
]

describe('a plan', () => {
  it.each(possible.map(([goal, id, wanted = {}]) => [goal, id, wanted] as const))(
    'for "%s" is %s',
    (goal, id, wanted) => {
      const { chain, endpoint, steps } = planGoal(goal, 'url')
      expect((chain ?? endpoint)?.id).toBe(id)
      if (endpoint?.stage !== 'live') return
      const creates = steps.filter(({ tool }) => tool === 'svc.create_job')
      expect(creates).toHaveLength(1)
      expect(creates[0]?.arguments).toMatchObject({ endpoint: id, ...wanted })
    },
  )

  it.each(asked)('for "%s" is %s, which cuts only if a file is wanted', (goal, id) => {
    const { chain, endpoint } = planGoal(goal, 'url')
    expect((chain ?? endpoint)?.id).toBe(id)
  })

  it('searches for the phrase that the goal names, and asks for it if the goal names none', () => {
    const settingsOf = (goal: string) => {
      const { steps, notes } = planGoal(goal, 'url')
      return [steps.at(-3)?.arguments['settings'], notes]
    }
    expect(settingsOf('clips where she said "Annual budget"')).toEqual([
      { 'audio/find-words': { queries: ['Annual budget'] } },
      [],
    ])
    const note = expect.stringContaining('Replace <what is said>')
    expect(settingsOf('clips where she mentions the budget')).toEqual([
      { 'audio/find-words': { queries: ['budget'] } },
      [],
    ])
    expect(settingsOf('a highlight reel of all she said')).toEqual([
      { 'audio/find-words': { queries: ['<what is said>'] }, 'video/clip-near': { join: true } },
      [note],
    ])
    expect(settingsOf('find where she said "Annual budget"')).toEqual([{ queries: ['Annual budget'] }, []])
    expect(settingsOf('when does she mention it')).toEqual([{ queries: ['<what is said>'] }, [note]])
  })

  it('holds no phrase of an example, whichever models are installed', () => {
    const goals = [...possible, ...asked].map(([goal]) => goal)
    for (const missing of [undefined, ...modelNames]) {
      const models = new Set(modelNames.filter((name) => name !== missing))
      const steps = goals.flatMap((goal) => planGoalWith(goal, 'url', models).steps)
      expect(JSON.stringify(steps)).not.toMatch(/"(thank you|chapter)"/)
    }
  })

  it('looks only at the window that the goal names', () => {
    const { steps } = planGoal('when do they laugh between 1:00 and 5:00', 'url')
    expect(steps[0]?.arguments).toMatchObject({ start: '1:00', end: '5:00', settings: {} })
  })

  it('cuts the phrase that the goal quotes out of speech', () => {
    const { chain, steps } = planGoal('remove the filler "you know" gently, as m4a', 'url')
    expect(chain?.id).toBe('clean-speech')
    const settings = {
      'timeline/suggest-ranges': { remove_words: ['you know'] },
      'video/clip-window': { format: 'm4a' },
    }
    expect(steps.at(-3)?.arguments['settings']).toEqual(settings)
  })

  it('cuts a moment with the shape and the captions that the goal states', () => {
    const goal = 'Make a vertical 9:16 clip of the moment at 12:30 for TikTok with burnt-in captions'
    const { endpoint, steps, notes } = planGoal(goal, 'url')
    expect(endpoint?.id).toBe('video/clip-near')
    const captions = { job_id: '<job_id of audio/find-words>', as: 'burn' }
    expect(steps.slice(0, 2)).toMatchObject([
      { tool: 'svc.create_job', arguments: { endpoint: 'audio/find-words', media_url: '<media_url>' } },
      { tool: 'svc.get_job', arguments: { job_id: captions.job_id } },
    ])
    expect(steps[2]?.arguments).toMatchObject({ start: '12:30', settings: { aspect: '9:16', captions } })
    expect(planGoal(goal, 'file').steps[0]?.tool).toBe('svc.create_upload')
    expect(notes).toEqual([expect.stringMatching(/audio\/find-words job\..* captions\.text/)])
  })

  it.each([
    ['Make a funny highlights reel of where the audience laughs', 'find-funny-clips', { join: true }],
    ['a vertical compilation of the funniest jokes', 'find-funny-clips', { aspect: '9:16', join: true }],
    ['funny clips for Instagram reels', 'find-funny-clips', { aspect: '9:16' }],
  ])('for "%s" joins clips only if one file is meant', (goal, id, settings) => {
    const { chain, steps } = planGoal(goal, 'url')
    expect([chain?.id, steps[0]?.arguments['settings']]).toEqual([id, { 'video/clip-near': settings }])
  })

  it('keeps a script, which it asks for if the goal does not quote it', () => {
    const settingsOf = (goal: string) => {
      const { chain, steps, notes } = planGoal(goal, 'url')
      return [chain?.id, steps[0]?.arguments['settings'], notes]
    }
    expect(settingsOf('keep only the best take of my script')).toEqual([
      'clean-speech',
      { 'timeline/suggest-ranges': { keep_text: '<script>' } },
      [expect.stringContaining('Replace <script>')],
    ])
    expect(settingsOf('keep the best take of "Welcome to the show"')).toEqual([
      'clean-speech',
      { 'timeline/suggest-ranges': { keep_text: 'Welcome to the show' } },
      [],
    ])
  })

  it.each([
    'Transcribe this Spanish interview',
    'chapters of a talk in Polish',
    'remove the ums, it is not in English',
  ])('for "%s" says that only English is transcribed', (goal) => {
    expect(planGoal(goal, 'url').notes).toContainEqual(expect.stringContaining('Only English speech is transcribed'))
  })

  it.each(['SRT in German', 'German SRT of my talk'])('for "%s" says so too', (goal) => {
    expect(planGoal(goal, 'url').notes).toContainEqual(expect.stringContaining('Only English speech is transcribed'))
  })

  it.each(['transcribe my talk', 'polish and clean up my podcast', 'find the silences of a French film'])(
    'for "%s" does not speak of languages',
    (goal) => {
      expect(planGoal(goal, 'url').notes.join()).not.toContain('English')
    },
  )

  it.each([
    ['YouTube chapters', 'audio/semantic-chunks', 'jobs/{job_id}/export?as=chapters'],
    ['export an EDL of the silences', 'audio/detect-silence', 'jobs/{job_id}/export?as=edl'],
    ['remove the silences, for Final Cut', 'remove-dead-space', 'workflow-runs/{run_id}/export?as=fcpxml'],
    ['remove the silences, with chapters', 'remove-dead-space', 'with output_of={run_id}, those in the file'],
    ['EDL for Premiere', undefined, 'jobs/{job_id}/export?as=xmeml'],
    ['the loudest moments as a CSV', 'audio/detect-energy', 'jobs/{job_id}/export?as=csv'],
    ['an SRT of the silences', 'audio/detect-silence', 'jobs/{job_id}/export?as=srt'],
    ['srt file of this talk', 'audio/find-words', 'The audio/find-words job makes the file (srt)'],
    ['cut from 1:00 to 2:00, with an EDL', 'video/clip-window', 'no times to export as edl'],
  ])('for "%s" names the file', (goal, id, note) => {
    const { chain, endpoint, notes } = planGoal(goal, 'url')
    expect([(chain ?? endpoint)?.id, notes]).toEqual([id, expect.arrayContaining([expect.stringContaining(note)])])
  })

  it('leaves the files of captions to the clip that has them', () => {
    const { steps, notes } = planGoal('a vertical clip with srt subtitles', 'url')
    expect(steps[2]?.arguments).toMatchObject({ settings: { captions: { as: 'sidecar' } } })
    expect(notes).toHaveLength(1)
  })

  it.each(impossible)('for "%s" says that no endpoint %s, and suggests nothing else', (goal, what) => {
    const { chain, endpoint, steps, notes } = planGoal(goal, 'url')
    expect([chain, endpoint, steps]).toEqual([undefined, undefined, []])
    expect(notes).toContainEqual(expect.stringContaining(`There is no endpoint that ${what}.`))
    expect(notes.join(' ')).not.toContain('DELETE')
  })

  it.each(['x', 'bake a cake', 'what is the weather?', '🎬'])('for "%s" says that no endpoint was found', (goal) => {
    const { steps, notes } = planGoal(goal, 'file')
    expect([steps, notes[0]]).toEqual([[], 'No endpoint was found for this goal. Say it in other words, in English.'])
  })

  it('has the format and the preset that the goal states', () => {
    const { steps } = planGoal('remove the silences gently, and save as m4a', 'url')
    const settings = { 'timeline/suggest-ranges': { preset: 'gentle' }, 'video/clip-window': { format: 'm4a' } }
    expect(steps[0]?.arguments).toMatchObject({ workflow_id: 'remove-dead-space', settings })
    const loud = planGoal('normalize the loudness of my podcast to -18 LUFS', 'url')
    expect(loud.steps[0]?.arguments).toMatchObject({ start: '0', settings: { loudness: -18 } })
    expect(planGoal('make the voice louder', 'url').steps[0]?.arguments).toMatchObject({ settings: { loudness: -16 } })
    const captioned = planGoal('make a vertical clip with captions', 'url')
    const job_id = '<job_id of audio/find-words>'
    expect(captioned.endpoint?.id).toBe('video/clip-window')
    expect(captioned.steps[2]?.arguments).toMatchObject({
      settings: { aspect: '9:16', captions: { job_id, as: 'burn' } },
    })
    expect(captioned.notes[0]).toContain(`Replace ${job_id}`)
    const quoted = planGoal('clips with subtitles where she said the phrase "budget"', 'url')
    expect(quoted.steps[0]?.arguments).toMatchObject({ settings: { 'video/clip-near': { captions: { as: 'burn' } } } })
    expect(quoted.notes).toEqual([])
    const funny = planGoal('vertical clips of the funniest laughs', 'url').steps[0]?.arguments
    expect(funny).toMatchObject({ settings: { 'video/clip-near': { aspect: '9:16' } } })
    const whole = planGoal('extract the audio as mp3', 'url')
    expect(whole.notes).toEqual([])
    expect(whole.steps[0]?.arguments).toMatchObject({ start: '0', settings: { format: 'mp3' } })
  })

  it('says so too for a chain whose steps do not all run yet', () => {
    const withoutText = new Set(modelNames.filter((name) => name !== 'read-text'))
    const { chain, steps, notes } = planGoalWith('make my archive searchable', 'url', withoutText)
    expect([chain?.id, steps.some(({ tool }) => tool === 'svc.create_job')]).toEqual(['searchable-media-memory', true])
    expect(notes).toContainEqual(expect.stringContaining('Replace <job_id of an earlier job>'))
  })

  it('says where the length of the media is, if a time counts from its end', () => {
    const { steps, notes } = planGoal('keep the last 10 seconds', 'url')
    expect(steps[0]).toMatchObject({ tool: 'svc.check_job_readiness', arguments: { start: 0 } })
    expect(notes).toEqual([
      'Replace <media_seconds …> by that time, in seconds. The first svc.check_job_readiness returns media_seconds.',
    ])
  })

  it.each([
    ['stop my job', 'svc.cancel_job'],
    ['please cancel the running run', 'svc.cancel_job'],
    ['how much did I spend', 'svc.get_usage_summary'],
    ['how many credits are left?', 'svc.get_account_limits'],
    ['list my jobs', 'svc.list_jobs'],
    ['search my library for pricing', 'svc.list_jobs'],
    ['find my uploaded file', 'svc.list_uploads'],
    ['which files have I uploaded?', 'svc.list_uploads'],
    ['set a spending cap of 10 dollars', 'svc.set_spend_cap'],
    ['get a new link for my file', 'svc.regenerate_output_url'],
    ['is the service working?', 'svc.run_agent_diagnostics'],
    ['how much would an hour of transcript cost?', 'svc.estimate_cost'],
    ['how much did all this cost', 'svc.get_usage_summary'],
    ['what did that cost me', 'svc.get_usage_summary'],
    ['how much did I spend, is it more than 5 dollars', 'svc.get_usage_summary'],
    ['is my job done yet', 'svc.get_job'],
    ['is it done yet', 'svc.get_job'],
    ['how is my job doing', 'svc.get_job'],
    ['has the run completed', 'svc.get_job'],
    ['what is the status of my job', 'svc.get_job'],
  ])('for "%s" is a call of %s, and no job', (goal, tool) => {
    const { chain, endpoint, steps, notes } = planGoal(goal, 'file')
    expect([chain, endpoint, steps.map((step) => step.tool), notes]).toEqual([undefined, undefined, [tool], []])
  })

  it.each(['delete my files', 'delete my account', 'erase everything that I uploaded', 'remove my uploads'])(
    'for "%s" says how a person deletes, and calls nothing',
    (goal) => {
      const { chain, endpoint, steps, notes } = planGoal(goal, 'url')
      expect([chain, endpoint, steps]).toEqual([undefined, undefined, []])
      expect(notes.join(' ')).toMatch(/^No tool deletes.*DELETE \/v1\/uploads\/{id}.*DELETE \/v1\/jobs\/{id}.*owner/)
    },
  )

  it.each([
    ['find the laughs in my uploaded file', 'audio/detect-laughter'],
    ['delete the silences of my file', 'remove-dead-space'],
    ['remove the pauses between my key points', 'remove-dead-space'],
  ])('for "%s", which is work on a file, is %s', (goal, id) => {
    const { chain, endpoint } = planGoal(goal, 'url')
    expect((chain ?? endpoint)?.id).toBe(id)
  })

  it.each([
    ['cut out all the swear words', ['<what to cut>']],
    ['cut out every time he says basically', ['basically']],
    ['cut out every time he says it', ['<what to cut>']],
    ['take the word basically out of the recording', ['basically']],
    ['cut out every time he says "basically"', ['basically']],
  ])('for "%s" cuts the words out of speech', (goal, words) => {
    const { chain, steps, notes } = planGoal(goal, 'url')
    const settings = { 'timeline/suggest-ranges': { remove_words: words } }
    expect([chain?.id, steps[0]?.arguments['settings']]).toEqual(['clean-speech', settings])
    expect(notes).toEqual(words.includes('basically') ? [] : ['Replace <what to cut> by each word or phrase to cut.'])
  })

  it('says how to cut where a goal that may ask for files finds times', () => {
    const { endpoint, notes } = planGoal('split the talk by topic', 'url')
    expect([endpoint?.id, notes]).toEqual([
      'audio/semantic-chunks',
      [expect.stringContaining('send them as settings.ranges of video/clip-window')],
    ])
    expect(planGoal('which topics does the talk have', 'url').notes).toEqual([])
  })

  it('keeps the pauses that are shorter than the goal says', () => {
    const { chain, steps } = planGoal('remove silences longer than 2 seconds', 'url')
    const settings = { 'audio/detect-silence': { min_silence_seconds: 2 } }
    expect([chain?.id, steps[0]?.arguments['settings']]).toEqual(['remove-dead-space', settings])
  })

  it('does what it can of a goal that asks for a judgement', () => {
    const { endpoint, steps, notes } = planGoal('a highlight reel of the best moments', 'url')
    expect([endpoint?.id, steps.length > 0]).toEqual(['video/clip-near', true])
    expect(notes).toContain('There is no endpoint that judges which moments are the best.')
  })

  it('has the file, the id, the words and the amount that the goal names', () => {
    const id = 'job_Abcdefghijklmnopqrstuv12'
    const argumentsOf = (goal: string) => planGoal(goal, 'file').steps[0]?.arguments
    expect(argumentsOf('cut Talk-1.final.mp4 from 1:00 to 2:00')).toEqual({ filename: 'Talk-1.final.mp4' })
    expect(argumentsOf(`cancel the job ${id}`)).toEqual({ job_id: id })
    expect(argumentsOf('search my library for pricing')).toEqual({ query: 'pricing' })
    expect(argumentsOf('set my spending cap to 20.50 USD')).toEqual({ monthly_cap_usd: 20.5 })
    expect(argumentsOf(`is ${id} finished`)).toEqual({ job_id: id })
    expect(planGoal('make me an API key', 'url').steps[0]?.arguments).toEqual({ name: '<name of the key>' })
    const open = planGoal('set my spending cap', 'url')
    expect(open.notes).toEqual(['Replace <USD a month> by the amount, as a number.'])
  })

  it.each([
    ['limit spending to 1 dollar a month', 1],
    ['cap my costs at one dollar a month', 1],
    ['max 1 USD per month', 1],
    ['budget of a dollar a month', 1],
    ['never spend more than $5 a month', 5],
    ['keep my spending under $20', 20],
    ['stop me from spending more than 10 dollars a month', 10],
  ])('for "%s" sets that cap', (goal, monthly_cap_usd) => {
    const { steps, notes } = planGoal(goal, 'url')
    expect([steps.map((step) => [step.tool, step.arguments]), notes]).toEqual([
      [['svc.set_spend_cap', { monthly_cap_usd }]],
      [],
    ])
  })

  it.each(['cost to remove pauses from 2 hours', 'how much does it cost to remove the pauses of a 2 hour podcast'])(
    'for "%s" estimates each step of the chain, and says how to read the price of the media',
    (goal) => {
      const { steps, notes } = planGoal(goal, 'url')
      expect(steps.map((step) => [step.tool, step.arguments])).toEqual([
        ['svc.estimate_cost', { endpoint: 'audio/detect-silence', media_seconds: 7200 }],
        ['svc.estimate_cost', { endpoint: 'video/clip-window', media_seconds: 7200, start: 0 }],
      ])
      expect(notes).toEqual([expect.stringContaining('svc.create_workflow_job with workflow_id "remove-dead-space"')])
    },
  )

  it('lists the keys before it revokes one', () => {
    const { steps } = planGoal('revoke the key of my old server', 'url')
    expect(steps.map(({ tool }) => tool)).toEqual(['svc.list_api_keys', 'svc.revoke_api_key'])
  })

  const hostile = [
    '9:16“a',
    'split 2 a-',
    'cut to 1 s ',
    'first 1 s and ',
    'one hour 2 ',
    'my own ',
    '3 a b clips ',
    'trim 1 s from ',
    'put subtitles on my ',
    'take a loudness ',
    'video with a ',
    'join a.mp4 ',
    'merge all my ',
    '1 s before 1:00 and ',
  ]
  it.each(hostile)('takes little time for a goal of many "%s"', (part) => {
    const goal = part.repeat(200).slice(0, 1000)
    const plans = 20
    planGoal(goal, 'url')
    const start = process.cpuUsage()
    for (let plan = 0; plan < plans; plan += 1) planGoal(goal, 'url')
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000 / plans).toBeLessThan(12)
  })

  it('does the part that exists, and names the part that does not', () => {
    const { chain, notes } = planGoal('remove the silences and translate it', 'url')
    const gap = expect.stringContaining('There is no endpoint that translates or dubs.')
    expect([chain?.id, notes]).toEqual(['remove-dead-space', [gap]])
  })

  it('uploads a file first, and nothing where no media is read', () => {
    expect(planGoal('find the silences', 'file').steps[0]?.tool).toBe('svc.create_upload')
    expect(planGoal('merge two timelines', 'file').steps[0]?.tool).toBe('svc.create_job')
  })
})
