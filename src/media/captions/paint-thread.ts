import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { captionLook } from '../../core/captions.ts'
import { FontError, readFont, withFallback } from '../../core/font-file.ts'
import { type DrawnCaption, drawCaption } from './caption-layout.ts'
import { isDrawn, loadRenderer, renderSvg } from './renderer.ts'

// A thread that lays texts out and paints them: a large caption takes a tenth of a second. It says when it has started, and answers one
// message after another.

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
const { fontPath, ownFontPath, strip } = z
  .object({ fontPath: z.string(), ownFontPath: z.string().optional(), strip: strips })
  .parse(workerData)
const drawn = z.object({ text: z.string(), spoken: z.number().optional() })
const ready = load()

async function load() {
  const [font] = await Promise.all([readFile(fontPath), loadRenderer()])
  const metrics = readFont(font)
  parentPort?.postMessage('started')
  if (ownFontPath === undefined) return { fonts: [font], metrics }
  const own = await readFile(ownFontPath)
  const ownMetrics = readFont(own)
  if (!isDrawn(own, ownMetrics)) throw new FontError('the renderer cannot read the font')
  return { fonts: [own, font], metrics: withFallback(ownMetrics, metrics) }
}

parentPort?.on('message', (message) => void paint(drawn.parse(message)))

/** Four bytes a pixel: red, green, blue, opacity. */
async function paint(caption: DrawnCaption): Promise<void> {
  const { fonts, metrics } = await ready
  const rgba = separateColours(renderSvg(drawCaption(caption, strip, metrics), fonts))
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
