import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { z } from 'zod'
import { captionLook } from '../../core/captions.ts'
import { type DrawnCaption, drawCaption, readFontMetrics } from './caption-layout.ts'

// A thread that lays texts out and paints them: a large caption takes a tenth of a second. It answers one message after another.

const strips = z.object({
  ...{
    width: z.number(),
    height: z.number(),
    top: z.number(),
    left: z.number(),
    right: z.number(),
    fontSize: z.number(),
    white: z.number(),
  },
  look: captionLook,
})
const { fontPath, strip } = z.object({ fontPath: z.string(), strip: strips }).parse(workerData)
const drawn = z.object({ text: z.string(), spoken: z.number().optional() })
const packages = createRequire(import.meta.url)
const ready = load()

async function load() {
  const [font] = await Promise.all([
    readFile(fontPath),
    initWasm(readFile(packages.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
  ])
  return { font, metrics: readFontMetrics(font) }
}

parentPort?.on('message', (message) => void paint(drawn.parse(message)))

/** Four bytes a pixel: red, green, blue, opacity. */
async function paint(caption: DrawnCaption): Promise<void> {
  const { font, metrics } = await ready
  const picture = new Resvg(drawCaption(caption, strip, metrics), { font: { fontBuffers: [font] } })
  const rendered = picture.render()
  const rgba = separateColours(rendered.pixels)
  rendered.free()
  picture.free()
  parentPort?.postMessage(rgba, [rgba.buffer])
}

/** The renderer multiplies colours with their opacity; ffmpeg expects them apart. */
function separateColours(pixels: Uint8Array): Uint8Array<ArrayBuffer> {
  const rgba = new Uint8Array(pixels)
  for (let at = 0; at < rgba.length; at += 4) {
    const opacity = rgba[at + 3] ?? 0
    if (opacity === 0 || opacity === 255) continue
    for (let colour = at; colour < at + 3; colour += 1)
      rgba[colour] = Math.min(255, Math.round(((rgba[colour] ?? 0) * 255) / opacity))
  }
  return rgba
}
