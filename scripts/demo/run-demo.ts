import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { counted } from '../../src/core/text.ts'
import type { Client } from '../client.ts'
import { drawTimeline } from './timeline-picture.ts'

const segments = z.array(z.object({ start: z.number(), end: z.number() }))
const picture = z.object({ url: z.url() })
const silenceResult = z.object({
  media_seconds: z.number(),
  silences: segments,
  total_silence_seconds: z.number(),
  preview: picture,
})
const energyResult = z.object({ segments, envelope: z.object({ rms_db: z.array(z.number()) }), preview: picture })
const clipResult = z.object({
  output: z.object({
    url: z.url(),
    poster: picture.nullable(),
    duration: z.number(),
    width: z.number().nullable(),
    height: z.number().nullable(),
  }),
  receipt: z.object({
    requested: segments.element,
    frames_encoded: z.number(),
    audio_video_offset_ms: z.number().nullable(),
  }),
})
const nearResult = clipResult.extend({
  window: z.object({
    start: z.number(),
    end: z.number(),
    start_edge: z.object({ reason: z.string() }),
    end_edge: z.object({ reason: z.string() }),
  }),
})

const wordsResult = z.object({
  matches: z.array(segments.element.extend({ before: z.string(), text: z.string(), after: z.string() })),
})
const framesResult = z.object({ frames: z.array(z.object({ time: z.number() })) })
const thumbnailResult = z.object({
  frames: z.array(z.object({ time: z.number(), reasons: z.array(z.string()) })),
  outputs: z.array(picture),
})

const finders = ['audio/find-words', 'video/best-frames', 'video/thumbnail-score']
const catalog = z.object({ endpoints: z.array(z.object({ id: z.string(), stage: z.string() })) })

export interface DemoInput {
  readonly client: Client
  readonly speechPath: string
  readonly filmPath: string
  /** Where clips and pictures are saved. */
  readonly outputDir: string
  readonly print: (line: string) => void
}

/** For one job, on a machine that is slow or busy. */
const patienceSeconds = 300

/** What the demo finds in the speech. */
const query = 'Asterisk'

type RunJob = <T>(schema: z.ZodType<T>, request: { endpoint: string; [field: string]: unknown }) => Promise<T>

/** Three frames of the film, the best thumbnail first. */
async function bestThumbnails(run: RunJob, film: string) {
  const { frames } = await run(framesResult, { endpoint: 'video/best-frames', media_url: film, settings: { count: 3 } })
  const settings = { times: frames.map(({ time }) => time), crops: ['16:9'] }
  return run(thumbnailResult, { endpoint: 'video/thumbnail-score', media_url: film, settings })
}

const firstWords = (text: string) => text.split(' ').slice(0, 4).join(' ')
const lastWords = (text: string) => text.split(' ').slice(-4).join(' ')

/** Uploads two real recordings, runs endpoints on them, and prints the results. Without their models, it leaves the finders out. */
export async function runDemo({ client, speechPath, filmPath, outputDir, print }: DemoInput): Promise<void> {
  let totalUsd = 0
  const run = async <T>(schema: z.ZodType<T>, request: { endpoint: string; [field: string]: unknown }) => {
    const startedAt = performance.now()
    const job = await client.ended((await client.create(request)).id, patienceSeconds)
    if (job.status !== 'completed') throw new Error(`${request.endpoint}: ${job.error?.code} ${job.error?.message}`)
    totalUsd += job.final_price_usd ?? 0
    const price = `$${(job.final_price_usd ?? 0).toFixed(6)}`
    print(
      `  ${request.endpoint.padEnd(22)}${price.padEnd(12)}${`${Math.round(performance.now() - startedAt)} ms`.padStart(8)}   ${job.id}`,
    )
    return schema.parse(job.result)
  }
  const save = async (name: string, { url }: { url: string }, about: string) => {
    const file = path.join(outputDir, name)
    await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()))
    print(`  ${path.relative(process.cwd(), file)}: ${about}`)
  }

  await mkdir(outputDir, { recursive: true })
  print(`Uploading ${path.basename(speechPath)} and ${path.basename(filmPath)} by signed PUT`)
  const [speech, film] = await Promise.all([client.upload(speechPath), client.upload(filmPath)])

  const pauses = { min_silence_seconds: 0.2 }
  const loud = { threshold: -14, quiet_threshold: -18 }
  print('Jobs, their prices and times')
  const silence = await run(silenceResult, { endpoint: 'audio/detect-silence', media_url: speech, settings: pauses })
  const energy = await run(energyResult, { endpoint: 'audio/detect-energy', media_url: speech, settings: loud })
  const near = await run(nearResult, { endpoint: 'video/clip-near', media_url: speech, start: 30 })
  const window = await run(clipResult, { endpoint: 'video/clip-window', media_url: film, start: 1, end: 3.5 })
  const { endpoints } = catalog.parse((await client.send('GET', '/v1/catalog')).body)
  const areLive = finders.every((id) => endpoints.some((endpoint) => endpoint.id === id && endpoint.stage === 'live'))
  const words = areLive
    ? await run(wordsResult, { endpoint: 'audio/find-words', media_url: speech, settings: { queries: [query] } })
    : undefined
  const thumbnails = areLive ? await bestThumbnails(run, film) : undefined

  print(
    `\n${path.basename(speechPath)}, ${counted(silence.silences.length, 'silence')}, ${silence.total_silence_seconds.toFixed(1)} s of ${silence.media_seconds.toFixed(1)} s`,
  )
  print(
    drawTimeline({
      mediaSeconds: silence.media_seconds,
      levelsDb: energy.envelope.rms_db,
      rows: [
        { label: 'silence', mark: '░', segments: silence.silences },
        { label: 'loud', mark: '▓', segments: energy.segments },
        { label: 'clip', mark: '█', segments: [near.window] },
        ...(words ? [{ label: 'words', mark: '◆', segments: words.matches }] : []),
      ],
    }),
  )
  for (const { start, before, text, after } of words?.matches ?? [])
    print(`  ${start.toFixed(1).padStart(5)} s  … ${lastWords(before)} [${text}] ${firstWords(after)} …`)
  if (!areLive) print('Words and thumbnails are left out: npm run models -- fetch installs what finds them.')
  const { start_edge, end_edge } = near.window
  const { width, height, poster } = window.output
  const { frames_encoded, audio_video_offset_ms } = window.receipt
  print('\nClips')
  await save('near-30s.wav', near.output, `${near.output.duration} s, edges: ${start_edge.reason}, ${end_edge.reason}`)
  await save(
    'window.mp4',
    window.output,
    `${window.output.duration} s, ${width}×${height}, ${frames_encoded} frames, ` +
      `sound ends ${audio_video_offset_ms} ms from picture`,
  )
  print('\nPictures')
  await save('silence.svg', silence.preview, 'the waveform, sounding segments shaded')
  await save('loud.svg', energy.preview, 'the waveform, loud segments shaded')
  if (poster) await save('window.jpg', poster, 'from the middle of window.mp4')
  const [best, file] = [thumbnails?.frames[0], thumbnails?.outputs[0]]
  if (best && file) await save('thumbnail.jpg', file, `the frame at ${best.time} s: ${best.reasons.join(', ')}`)
  print(`\nCharged $${totalUsd.toFixed(6)} of the $5 of free credits. Failed jobs cost nothing.`)
}
