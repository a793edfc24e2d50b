import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { detectLaughterEndpoint } from '../../src/endpoints/audio-detect-laughter/declaration.ts'
import { findWordsEndpoint } from '../../src/endpoints/audio-find-words/declaration.ts'
import { semanticChunksEndpoint } from '../../src/endpoints/audio-semantic-chunks/declaration.ts'
import { bestFramesEndpoint } from '../../src/endpoints/video-best-frames/declaration.ts'
import { textFramesEndpoint } from '../../src/endpoints/video-text-frames/declaration.ts'
import { thumbnailScoreEndpoint } from '../../src/endpoints/video-thumbnail-score/declaration.ts'
import { astronaut, film, fixture, french, speech } from '../fixtures/make.ts'
import { temporaryFolder } from '../media/measure.ts'
import { models, testPool, whySkipped } from '../setup/models.ts'
import { runFfmpeg } from '../setup/tools.ts'
import { runEndpoint } from './run-endpoint.ts'

const audioFinders = [findWordsEndpoint, semanticChunksEndpoint, detectLaughterEndpoint]
const videoFinders = [textFramesEndpoint, bestFramesEndpoint]
const withText = z.looseObject({ transcript: z.object({ text: z.string() }) })

async function make(name: string, args: readonly string[]): Promise<string> {
  const file = path.join(temporaryFolder(), name)
  await runFfmpeg(...args, file)
  return file
}

describe.skipIf(testPool.installed.size < 6)(`the finders, on media that lacks what they look for${whySkipped}`, () => {
  it.each(audioFinders.map((each) => [each.id, each] as const))('%s refuses a silent film', async (_id, endpoint) => {
    const file = await fixture('no-audio.mp4')
    await expect(runEndpoint(endpoint, { file, models })).rejects.toMatchObject({ code: 'no_audio_track' })
  })

  it.each([
    [textFramesEndpoint.id, textFramesEndpoint, {}],
    [bestFramesEndpoint.id, bestFramesEndpoint, {}],
    [thumbnailScoreEndpoint.id, thumbnailScoreEndpoint, { times: [1] }],
  ] as const)('%s refuses sound without pictures', async (_id, endpoint, settings) => {
    const asked = runEndpoint(endpoint, { file: speech, models, settings })
    await expect(asked).rejects.toMatchObject({ code: 'no_video_track' })
  })

  it('finds no words, chunks or laughter in tones, silence and noise', async () => {
    const sound = [
      'sine=frequency=300:duration=4',
      'anullsrc=r=8000:cl=mono,atrim=duration=3',
      'anoisesrc=d=4:c=pink:r=8000:a=0.3',
    ]
    const inputs = sound.flatMap((each) => ['-f', 'lavfi', '-i', each])
    const file = await make('no-speech.wav', [...inputs, '-filter_complex', 'concat=n=3:v=0:a=1'])
    const [words, chunks, laughter] = await Promise.all(
      audioFinders.map((endpoint) => runEndpoint(endpoint, { file, models, mayWarn: true })),
    )
    expect(withText.parse(words?.result).transcript.text).toBe('')
    expect(words?.result).toMatchObject({ matches: [], segments: [] })
    expect(chunks?.result).toMatchObject({ chunks: [] })
    expect(chunks?.warnings).toEqual(['No speech was found, so there are no chunks.'])
    expect(laughter?.result).toMatchObject({ segments: [] })
  })
})

describe.skipIf(testPool.installed.size < 6)(`the finders, on unusual media${whySkipped}`, () => {
  it.each([
    ['telephone sound of 8 kHz', ['-i', speech, '-t', '11', '-ar', '8000', '-c:a', 'pcm_mulaw']],
    ['5.1, with the speech in the centre', ['-i', speech, '-t', '11', '-af', 'pan=5.1|FC=c0', '-ar', '48000']],
    ['one side of stereo', ['-i', speech, '-t', '11', '-af', 'pan=stereo|c0=c0', '-ar', '44100']],
  ])('hear the same words in %s', async (_what, args) => {
    const file = await make('speech.wav', args)
    const settings = { queries: ['technical information'] }
    const { result } = await runEndpoint(findWordsEndpoint, { file, models, settings })
    expect(result['matches']).toHaveLength(1)
  })

  it.each([findWordsEndpoint, semanticChunksEndpoint])('$id warns of speech that is not English', async (endpoint) => {
    const { warnings } = await runEndpoint(endpoint, { file: french, models, mayWarn: true })
    expect(warnings).toEqual([
      expect.stringMatching(/^Most words in (9|1[0-2]) s of speech are uncertain.*not English/),
    ])
  })

  it('see each picture of a slideshow of one frame a second, and text of none', async () => {
    const pictures = ['-framerate', '1', '-loop', '1', '-t', '6', '-i', astronaut, '-ss', '2', '-t', '6', '-i', film]
    const graph =
      '[0:v]scale=640:360,setsar=1[a];[1:v]fps=1,loop=5:1,trim=end=6,scale=640:360,setsar=1[b];[a][b]concat,format=yuv420p'
    const file = await make('slides.mp4', [...pictures, '-filter_complex', graph, '-c:v', 'libx264', '-g', '100'])
    const [text, best] = await Promise.all(
      videoFinders.map((endpoint) => runEndpoint(endpoint, { file, models, mayWarn: true })),
    )
    expect(text?.result).toMatchObject({ segments: [] })
    const { frames } = z.object({ frames: z.array(z.object({ time: z.number() })) }).parse(best?.result)
    expect(new Set(frames.map(({ time }) => time < 6)).size).toBe(2)
  })
})
