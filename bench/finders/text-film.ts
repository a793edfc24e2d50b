import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DrawnText, drawText } from './draw-text.ts'

/** Texts on the screen, with the time that they are shown. */
export interface TextCue {
  readonly texts: readonly DrawnText[]
  readonly start: number
  readonly end: number
}

export interface TextFilm {
  readonly ffmpegPath: string
  /** ffmpeg's options and name of the input behind the texts. */
  readonly background: readonly string[]
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly cues: readonly TextCue[]
  /** Of the encoder, besides its speed. */
  readonly encoding?: readonly string[]
}

/** Encodes a film with texts over a background. */
export async function makeTextFilm(film: TextFilm, output: string): Promise<void> {
  const { ffmpegPath, background, width, height, seconds, cues, encoding = [] } = film
  const folder = mkdtempSync(path.join(tmpdir(), 'media-timeline-text-'))
  try {
    const pictures: string[] = []
    for (const [index, { texts }] of cues.entries()) {
      const file = path.join(folder, `${index}.rgba`)
      writeFileSync(file, (await drawText(width, height, texts)).rgba)
      pictures.push('-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`, '-i', file)
    }
    const overlays = cues.map(
      ({ start, end }, index) =>
        `[film${index}][${index + 1}:v]overlay=alpha=premultiplied:enable='gte(t,${start})*lt(t,${end})'[film${index + 1}]`,
    )
    const graph = [`[0:v]scale=${width}:${height},format=yuv420p[film0]`, ...overlays].join(';')
    await promisify(execFile)(ffmpegPath, [
      ...['-nostdin', '-v', 'error', '-y', ...background, ...pictures, '-filter_complex', graph],
      ...['-map', `[film${cues.length}]`, '-t', String(seconds)],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', ...encoding, output],
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
