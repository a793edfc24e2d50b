import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { escapeMarkup } from '../../src/core/text.ts'

/** Texts on the screen, with the time that they are shown. */
interface TextCue {
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

/** The files of DejaVu's fonts that texts are drawn with, by their names in SVG. */
const fonts = {
  'DejaVu Sans': 'DejaVuSans',
  'DejaVu Sans Bold': 'DejaVuSans-Bold',
  'DejaVu Sans Condensed': 'DejaVuSansCondensed',
  'DejaVu Sans Mono': 'DejaVuSansMono',
  'DejaVu Serif': 'DejaVuSerif',
  'DejaVu Serif Bold': 'DejaVuSerif-Bold',
  'DejaVu Serif Italic': 'DejaVuSerif-Italic',
} as const

type FontName = keyof typeof fonts
export const fontNames = Object.keys(fonts).filter((name): name is FontName => Object.hasOwn(fonts, name))

/** How text stands out: on nothing, with a dark outline or shadow, or on a dark box. */
export const textStyles = ['plain', 'outline', 'shadow', 'box'] as const

export interface DrawnText {
  readonly text: string
  /** Of the start of its baseline, in pixels. */
  readonly x: number
  readonly y: number
  /** Of the font, in pixels. */
  readonly size: number
  readonly font?: FontName
  readonly colour?: string
  readonly style?: (typeof textStyles)[number]
}

interface DrawnPicture {
  readonly width: number
  readonly height: number
  /** Four bytes a pixel, with colours that are multiplied with their opacity. */
  readonly rgba: Uint8Array
}

/** Draws texts on a transparent picture. */
export async function drawText(width: number, height: number, texts: readonly DrawnText[]): Promise<DrawnPicture> {
  loading ??= initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  await loading
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${texts.map(svgOf).join('')}</svg>`
  const picture = new Resvg(svg, { font: { fontBuffers: Object.values(fonts).map(fontFile) } })
  try {
    return { width, height, rgba: picture.render().pixels }
  } finally {
    picture.free()
  }
}

let loading: Promise<void> | undefined
const require = createRequire(import.meta.url)

function fontFile(name: string): Uint8Array {
  const folder = path.dirname(require.resolve('dejavu-fonts-ttf/package.json'))
  return readFileSync(path.join(folder, 'ttf', `${name}.ttf`))
}

/** A font's name ends with its weight and its slant. */
function fontOf(name: FontName): string {
  const family = name.replace(/ (Bold|Italic)$/, '')
  const weight = name.endsWith('Bold') ? ' font-weight="bold"' : ''
  return `font-family="${family}"${weight}${name.endsWith('Italic') ? ' font-style="italic"' : ''}`
}

function svgOf({ text, x, y, size, font = 'DejaVu Sans', colour = 'white', style = 'plain' }: DrawnText): string {
  const at = (left: number, top: number, fill: string, more = '') =>
    `<text x="${left}" y="${top}" font-size="${size}" ${fontOf(font)} fill="${fill}" ${more}>${escapeMarkup(text)}</text>`
  const outline = `stroke="black" stroke-width="${size / 8}" paint-order="stroke" stroke-linejoin="round"`
  switch (style) {
    case 'plain':
      return at(x, y, colour)
    case 'outline':
      return at(x, y, colour, outline)
    case 'shadow':
      return at(x + size / 14, y + size / 14, 'black') + at(x, y, colour)
    case 'box': {
      // About as wide as the text; DejaVu's letters are 0.6 of their size wide.
      const width = text.length * size * 0.66 + size
      return `<rect x="${x - size / 2}" y="${y - size * 1.1}" width="${width}" height="${size * 1.5}" fill="black" fill-opacity="0.75"/>${at(x, y, colour)}`
    }
  }
}
