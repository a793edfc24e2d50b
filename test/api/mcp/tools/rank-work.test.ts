import { describe, expect, it } from 'vitest'
import { rankWork } from '../../../../api/mcp/tools/plan-integration.ts'
import { chains } from '../../../../src/chains/chains.ts'
import { endpoints } from '../../../../src/endpoints/catalog.ts'

/** What people ask for, and the chain or endpoint that does it. */
const scenarios: Readonly<Record<string, readonly string[]>> = {
  'video/clip-window': [
    'cut from 1:00 to 2:30',
    'keep only minutes 3 to 5',
    'remove the part between 4:00 and 5:00',
    'extract the audio as mp3',
    'crop a video to vertical',
    'split into 10 minute pieces',
    'make it louder for YouTube',
    'put subtitles on my video',
    'cut 1:00 to 2:00 without re-encoding',
    'make the video smaller so I can email it',
  ],
  'video/clip-near': [
    'cut a highlight at 3:20 without cutting words',
    'make a clip around 1:15',
    'clip the moment near 00:12:30',
    'a 30 second teaser',
    '15 seconds either side of 2:00',
    'cut highlights from my stream without cutting words',
  ],
  'audio/detect-silence': [
    'find the silences',
    'where are the pauses in this talk?',
    'list timestamps of quiet passages',
    'split at every pause',
  ],
  'audio/detect-energy': [
    'find the loudest moments',
    'where does the crowd cheer',
    'measure the volume over time',
    'draw a waveform of a song',
  ],
  'audio/detect-laughter': [
    'find where they laugh',
    'list every laugh with its time',
    'when does anybody giggle between 1:00 and 5:00',
  ],
  'audio/find-words': [
    'transcribe my interview',
    'what does he say about pricing',
    'how many times is the word budget mentioned',
    'srt file of this talk',
    'find every mention of the refund policy in this video',
    'when does the host talk about pricing',
  ],
  'audio/semantic-chunks': [
    'split the talk by topic',
    'which topics does the talk cover, and when',
    'YouTube chapters',
    'what is this video about',
    'export each chapter as its own video',
  ],
  'video/best-frames': ['take screenshots of sharp frames', 'ten screenshots', '5 pictures from my video'],
  'video/thumbnail-score': [
    'a screenshot at 1:15',
    'rank these images as thumbnails',
    'which of my two pictures is the better thumbnail',
  ],
  'video/text-frames': [
    'read the text on the slides',
    'find "GOAL" on the screen',
    'when does the title appear',
    'find when the scoreboard shows 2-1',
  ],
  'timeline/suggest-ranges': ['turn segments into ranges', 'which ranges are worth keeping'],
  'timeline/merge': ['merge two timelines', 'intersect the segments of two jobs'],
  'find-funny-clips': [
    'clips of the funniest laughs',
    'a compilation of the laughs',
    'find the jokes and make shorts of them',
    'cut a clip of each laugh',
  ],
  'remove-dead-space': [
    'Remove the silences from my podcast',
    'remove the silences of a talk',
    'cut out every PAUSE of a talk',
    'jump cut my vlog',
    'tighten my podcast episode',
    'my podcast without the pauses',
  ],
  'clean-speech': [
    'remove the ums and uhs',
    'cut out stutters and false starts',
    'edit by transcript',
    'stick to my script and drop the rest',
    'cut out all the swear words',
  ],
  'find-exact-words': [
    'cut out where she said "budget"',
    'clips where a phrase is said',
    'a supercut of every time he says pricing',
    'pull the soundbite where she says budget',
  ],
  'pick-thumbnails': ['a thumbnail for the video', 'pick the three best thumbnails'],
  'searchable-media-memory': ['make my archive searchable', 'make my videos searchable'],
}

const goals = Object.entries(scenarios).flatMap(([id, asked]) => asked.map((goal) => [goal, id] as const))
const idsFor = (goal: string) => rankWork(goal, 3).map(({ id }) => id)

describe('the work for a goal', () => {
  it.each(goals)('"%s" has %s among the best three', (goal, id) => {
    expect(idsFor(goal)).toContain(id)
  })

  it('is first for at least nine of ten goals', () => {
    const missed = goals.filter(([goal, id]) => idsFor(goal)[0] !== id)
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(goals.length / 10)
  })

  it('is every chain and every endpoint for some goal', () => {
    const ids = [...chains, ...endpoints].map(({ id }) => id)
    expect(Object.keys(scenarios).toSorted()).toEqual(ids.toSorted())
  })

  it.each(['', '🎬', 'the', '1:00', 'xyzzy', '__proto__ constructor'])('is none for "%s"', (goal) => {
    expect(idsFor(goal)).toEqual([])
  })

  it.each([
    'find ',
    'cut video ',
    'a-b_c ',
    '9:16“a',
    'ß',
    'ab',
    'yaeing',
    'settings media clip text range job frame ',
  ])('takes less than 5 ms for as many "%s" as a goal can have', (part) => {
    const goal = part.repeat(300).slice(0, 300)
    const times = 20
    rankWork(goal, 3)
    const start = process.cpuUsage()
    for (let time = 0; time < times; time += 1) rankWork(goal, 3)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1000 / times).toBeLessThan(5)
  })
})
