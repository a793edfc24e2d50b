import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Cue, readCaptions } from '../../src/core/captions.ts'
import { clipNearEndpoint } from '../../src/endpoints/video-clip-near/declaration.ts'
import { clipWindowEndpoint } from '../../src/endpoints/video-clip-window/declaration.ts'
import { film, fixture, speech } from '../fixtures/make.ts'
import { pictureOf } from '../media/measure.ts'
import { models } from '../setup/models.ts'
import { runEndpoint } from './run-endpoint.ts'

const receipts = z.object({ receipt: z.object({ captions: z.record(z.string(), z.unknown()) }) })

/** A transcript of words of 0.4 s, one in each second of the media. */
function transcript(mediaSeconds: number) {
  const words = Array.from({ length: Math.floor(mediaSeconds) }, (_, second) => {
    return { text: `word${second}.`, start: second + 0.3, end: second + 0.7, confidence: 1 }
  })
  return { media_seconds: mediaSeconds, transcript: { text: words.map(({ text }) => text).join(' '), words } }
}

/** Three ranges of shots.mp4 that begin and end between frames. */
const ranges = [
  { start: 0.13, end: 2.08 },
  { start: 5.27, end: 6.91 },
  { start: 12.02, end: 13.86 },
]

/** When the middle of each word is shown in the joined ranges, by its text. */
const inClip = new Map<string, number>(
  [0, 1, 5, 6, 12, 13].flatMap((second) => {
    const index = ranges.findIndex(({ start, end }) => second + 0.5 > start && second + 0.5 < end)
    const before = ranges.slice(0, index).reduce((sum, { start, end }) => sum + end - start, 0)
    const range = ranges[index]
    return range ? [[`word${second}.`, before + Math.max(second + 0.3, range.start) - range.start]] : []
  }),
)

function expectInPlace(cues: readonly Cue[]) {
  expect(cues.map(({ text }) => text)).toEqual([...inClip.keys()])
  for (const { text, start } of cues) expect(Math.abs(start - (inClip.get(text) ?? -1)), text).toBeLessThan(0.05)
}

/** How much white there is in each frame of a clip, below the portrait. */
async function whiteIn(clip: string, frames: number): Promise<number[]> {
  const strip = await pictureOf(clip, `crop=iw/2:ih/6:iw/4:ih*5/6,scale=160:30:flags=area,tile=1x${frames}`)
  const bytes = 160 * 30 * 3
  return Array.from({ length: frames }, (_, frame) => {
    const pixels = strip.rgb.subarray(frame * bytes, (frame + 1) * bytes)
    return pixels.reduce((sum, value) => sum + (value > 215 ? 1 : 0), 0)
  })
}

describe('captions beside a clip', () => {
  it.each([true, false])(
    'of a transcript, whose result lists its words: %s, are within 50 ms of them',
    async (isListed) => {
      const { media_seconds, transcript: heard } = transcript(14.0005)
      const file = await fixture('shots.mp4')
      const { files, result } = await runEndpoint(clipWindowEndpoint, {
        ...{ file, settings: { ranges, quality: 'fast', captions: { job_id: 'job_a' } } },
        earlier: { job_a: { media_seconds, transcript: { ...heard, ...(isListed ? {} : { words: [] }) } } },
        longTranscripts: { job_a: heard.words },
      })
      expect(files.map(({ fileName, role }) => [fileName, role])).toEqual([
        ['clip.mp4', undefined],
        ['clip.jpg', 'preview'],
        ['clip.vtt', undefined],
        ['clip.srt', undefined],
      ])
      for (const { path } of files.slice(2)) expectInPlace(readCaptions(await readFile(path, 'utf8')))
      expect(receipts.parse(result).receipt.captions).toEqual({ as: 'sidecar', count: 6, outside: 8 })
    },
  )

  it('of a transcript of other media warn, and name both', async () => {
    const { warnings } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: await fixture('shots.mp4'), start: 0, end: 1, mayWarn: true },
      settings: { quality: 'fast', captions: { job_id: 'job_a' } },
      earlier: { job_a: transcript(14.0005) },
      otherMedia: { earlier: 'talk.mp3', own: 'interview.mp4' },
    })
    expect(warnings).toEqual([
      'The captions come from "talk.mp3", and the clip from "interview.mp4". Check that both are the same recording.',
    ])
  })

  it("of a caller's text are beside every file, and say when none is in the clip", async () => {
    const text = '1\n00:00:28,000 --> 00:00:30,500\nIt was the <i>best</i> of times\n'
    const settings = { moments: [30, 60], snap: 'none', before_seconds: 1, after_seconds: 1, captions: { text } }
    const { files, warnings } = await runEndpoint(clipNearEndpoint, { file: speech, settings, mayWarn: true })
    expect(files.map(({ fileName }) => fileName)).toEqual([
      ...['clip-1.wav', 'clip-2.wav', 'clip-1.vtt', 'clip-1.srt', 'clip-2.vtt', 'clip-2.srt'],
    ])
    expect(readCaptions(await readFile(files[2]?.path ?? '', 'utf8'))).toEqual([
      { start: 0, end: 1.5, text: 'It was the best of times' },
    ])
    expect(warnings).toEqual(['clip-2.wav: None of the captions is in the clip.'])
  })

  it.each([
    [
      'rolling',
      'WEBVTT\n\n00:00:01.000 --> 00:00:03.000 align:start position:0%\n \nred<00:00:01.400><c> apples</c>\n\n00:00:03.000 --> 00:00:05.000\nred apples\nfall\n',
    ],
    ['without blank lines', 'WEBVTT\n00:01.000 --> 00:03.000\nred apples\n00:03.000 --> 00:05.000\nred apples\nfall'],
    [
      'numbered, with lines of a space',
      '1\r\n00:00:01,000 --> 00:00:03,000\r\nred apples\r\n \r\n2\r\n00:00:03,000 --> 00:00:05,000\r\nred apples\r\nfall\r\n',
    ],
    ['without milliseconds', '00:00:01 --> 00:00:03\nred apples\n\n00:00:03 --> 00:00:05\nred apples\nfall'],
  ])('of a file as programs write it are cut with the media: %s', async (_how, text) => {
    const settings = { captions: { text } }
    const { files, warnings } = await runEndpoint(clipWindowEndpoint, { file: speech, start: 2, end: 6, settings })
    const beside = files.find(({ fileName }) => fileName.endsWith('.vtt'))?.path ?? ''
    expect(readCaptions(await readFile(beside, 'utf8')).map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 3],
    ])
    expect(warnings).toEqual([])
  })

  it('are refused if they are not of this media, or not captions', async () => {
    const run = (captions: object, earlier = {}) =>
      runEndpoint(clipWindowEndpoint, { file: film, start: 0, end: 1, settings: { captions }, earlier })
    const of = (result: object) => run({ job_id: 'job_a' }, { job_a: result })
    await expect(of(transcript(194.6975))).rejects.toMatchObject({
      code: 'invalid_request',
      message:
        /^The transcript of job_a is of media of 194\.7 s, this media has [\d.]+ s\. Transcribe this media with audio\/find-words, or send settings\.captions\.text\.$/,
    })
    await expect(of({ segments: [] })).rejects.toMatchObject({ code: 'invalid_request', message: /no transcript/ })
    const refusal = (captions: object, more = {}) =>
      clipWindowEndpoint.validate({ startSeconds: 0, endSeconds: 1 }, { captions, ...more })
    expect(refusal({})).toMatch(/send job_id/)
    expect(refusal({ job_id: 'job_a', text: 'x' })).toMatch(/send job_id/)
    expect(refusal({ text: 'hello' })).toBe(
      'settings.captions.text: line 1: expected times, such as 00:00:01,000 --> 00:00:02,500.',
    )
    const nested = Array.from({ length: 9 }, (_, index) => `00:00:0${index},000 --> 00:00:10,000\nx`).join('\n\n')
    expect(refusal({ text: nested })).toBeUndefined()
    expect(refusal({ text: nested, as: 'burn' })).toBe(
      'settings.captions.text: more than 8 captions overlap at 8 seconds. Make them shorter, or send "as": "sidecar".',
    )
    const one = '00:00:00,000 --> 00:00:01,000\nx'
    expect(refusal({ text: one, as: 'burn', style: 'highlight' })).toMatch(/needs the time of each word.*job_id/)
    expect(refusal({ job_id: 'job_a', as: 'burn' }, { audio_only: true })).toMatch(/burn.*audio_only/)
    expect(
      clipWindowEndpoint.settings.safeParse({ captions: { job_id: 'job_a', styl: 'large' } }).error?.message,
    ).toMatch(/Did you mean style/)
  })
})

describe('captions in the picture', () => {
  it('highlight each word within 50 ms of its time', async () => {
    const { files, result } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: await fixture('shots.mp4'), start: 0, end: 2, models },
      settings: {
        ...{ aspect: '9:16', height: 640, fit: 'pad', quality: 'fast' },
        captions: { job_id: 'job_a', as: 'burn', style: 'highlight_box', highlight_colour: '#00ff00', position: 'top' },
      },
      earlier: {
        job_a: {
          media_seconds: 14,
          transcript: {
            text: 'one two three four',
            words: ['one', 'two', 'three', 'four'].map((text, index) => ({
              text,
              start: 0.2 + index * 0.4,
              end: 0.5 + index * 0.4,
              confidence: 1,
            })),
          },
        },
      },
    })
    expect(receipts.parse(result).receipt.captions).toMatchObject({ as: 'burn', style: 'highlight_box', count: 1 })
    const strip = await pictureOf(files[0]?.path ?? '', 'crop=iw:ih/2:0:0,scale=72:64:flags=area,tile=1x20')
    const greenAt = Array.from({ length: 20 }, (_, frame) => {
      const columns = Array.from({ length: 72 * 64 }, (__, at) => at).filter((at) => {
        const [red = 0, green = 0, blue = 0] = strip.rgb.subarray((frame * 72 * 64 + at) * 3)
        return green > red + 80 && green > blue + 80
      })
      return columns.length === 0 ? 0 : columns.reduce((sum, at) => sum + (at % 72), 0) / columns.length
    })
    // Ten frames a second: the box moves to the right with the words.
    const steps = greenAt.flatMap((place, frame) => (place > (greenAt[frame - 1] ?? 0) + 3 ? [frame / 10] : []))
    expect(steps).toEqual([0.2, 0.6, 1, 1.4])
  })

  it('are shown while their words are heard after ranges were removed', async () => {
    const file = await fixture('walking-face.mp4')
    const spoken = transcript(12)
    const { files, result } = await runEndpoint(clipWindowEndpoint, {
      ...{ file, settings: { ranges: ranges.slice(0, 2), quality: 'fast', captions: { job_id: 'job_a', as: 'burn' } } },
      earlier: { job_a: spoken },
    })
    expect(receipts.parse(result).receipt.captions).toEqual({ as: 'burn', style: 'plain', count: 4, outside: 8 })
    expect(files.map(({ fileName }) => fileName)).toEqual(['clip.mp4', 'clip.jpg'])
    const frames = 53
    const white = await whiteIn(files[0]?.path ?? '', frames)
    const isShown = white.map((count) => count > 30)
    for (const [, at] of [...inClip].slice(0, 4)) {
      // At 15 frames a second, the frame that is nearest to a time is up to 33 ms from it.
      const shownAt = isShown.findIndex((shown, frame) => shown && frame / 15 > at - 0.2) / 15
      expect(Math.abs(shownAt - at), `a word at ${at}`).toBeLessThan(0.05)
    }
    expect(isShown.filter(Boolean).length).toBeGreaterThan(20)
    expect(isShown.filter(Boolean).length).toBeLessThan(30)
  })

  it.each([
    ['turned-shots.mp4', { aspect: '9:16', captions: { style: 'large' } }],
    ['shots.mp4', { aspect: '9:16', fit: 'blur', captions: { style: 'boxed' } }],
    ['odd.webm', { captions: { style: 'plain' } }],
  ] as const)('of %s with %j are shown at their time', async (name, settings) => {
    const text =
      'WEBVTT\n\n00:00.400 --> 00:00.800\n&lt;/text&gt;&lt;rect width="9999" height="9999"/&gt; &amp;amp; \'[0:v]\', %{n}\\;'
    const { files } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: await fixture(name), start: 0, end: 1 },
      settings: { ...settings, format: 'mp4', quality: 'fast', captions: { ...settings.captions, text, as: 'burn' } },
    })
    const clip = files[0]?.path ?? ''
    const contrast = async (at: number) => {
      const { rgb } = await pictureOf(clip, `trim=start=${at},format=gray,format=rgb24`)
      const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length
      return rgb.reduce((sum, value) => sum + Math.abs(value - mean), 0) / rgb.length
    }
    const [before, shown, after] = [await contrast(0), await contrast(0.5), await contrast(0.9)]
    expect(shown - before).toBeGreaterThan(1)
    expect(Math.abs(after - before)).toBeLessThan(0.5)
  })

  it('warn of characters that the font lacks', async () => {
    const text = '1\n00:00:00,000 --> 00:00:01,000\n最良の時代\n'
    const { warnings } = await runEndpoint(clipWindowEndpoint, {
      ...{ file: await fixture('shots.mp4'), start: 0, end: 0.5, mayWarn: true },
      settings: { quality: 'fast', captions: { text, as: 'burn' } },
    })
    expect(warnings?.[0]).toMatch(/lacks some of their characters, such as "最"/)
  })
})
