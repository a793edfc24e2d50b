import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Picture } from '../../core/picture.ts'
import type { LoadedModel } from '../models.ts'
import { loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'
import { decodeSteps, readCharacters } from './characters.ts'
import { findBoxes, type PixelBox } from './find-boxes.ts'
import { type ModelPixels, scaledPixels } from './model-pixels.ts'
import type { TextLine } from './text-lines.ts'

/** Sides of the detector's picture are multiples of this. */
const detectorStep = 32
const lineHeight = 48
/** A shorter line is padded, as in the recogniser's training. */
const minLineWidth = 320
/** A longer line takes more memory than its text is worth. */
const maxLineWidth = 3200

const minConfidence = 0.5
/** Patterns are read as single characters, with less. */
const minConfidenceOfOne = 0.9

/** Loads PP-OCRv6 small: one model finds the lines of a picture, and another one reads each. */
export async function loadPaddleOcr(folder: string): Promise<LoadedModel<Picture, TextLine[]>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const fileOf = (name: string) => path.join(folder, name)
  const detector = await InferenceSession.create(fileOf('detector.onnx'), sessionOptions)
  const recogniser = await InferenceSession.create(fileOf('recogniser.onnx'), sessionOptions)
  const characters = readCharacters(await readFile(fileOf('recogniser.onnx')))

  async function runOn(session: typeof detector, { width, height, values }: ModelPixels): Promise<Float32Array> {
    const x = new Tensor('float32', values, [1, 3, height, width])
    const data = (await session.run({ x }))['fetch_name_0']?.data
    if (!(data instanceof Float32Array)) throw new Error('the model returned an unexpected output')
    return data
  }

  /** The boxes of lines, in pixels of the picture. */
  async function detect(picture: Picture): Promise<PixelBox[]> {
    const [width, height] = [stepped(picture.width), stepped(picture.height)]
    const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
    const chances = await runOn(detector, scaledPixels(picture, whole, { width, height }))
    const [across, down] = [picture.width / width, picture.height / height]
    return findBoxes({ width, height, chances }).map((box) => {
      const [x, y] = [Math.floor(box.x * across), Math.floor(box.y * down)]
      const right = Math.min(picture.width, Math.ceil((box.x + box.width) * across))
      const bottom = Math.min(picture.height, Math.ceil((box.y + box.height) * down))
      return { x, y, width: right - x, height: bottom - y }
    })
  }

  async function readLine(picture: Picture, box: PixelBox) {
    const natural = Math.round((lineHeight * box.width) / box.height)
    const size = { width: Math.min(maxLineWidth, Math.max(lineHeight / 3, natural)), height: lineHeight }
    const pixels = scaledPixels(picture, box, size, Math.max(size.width, minLineWidth))
    return decodeSteps(await runOn(recogniser, pixels), characters)
  }

  return {
    run: async (picture) => {
      const lines: TextLine[] = []
      for (const box of await detect(picture)) {
        const { text, confidence } = await readLine(picture, box)
        const isSure = confidence >= (Array.from(text).length > 1 ? minConfidence : minConfidenceOfOne)
        if (text !== '' && isSure) lines.push({ text, confidence, box: shareOf(box, picture) })
      }
      return lines
    },
    close: async () => {
      await Promise.all([detector.release(), recogniser.release()])
    },
  }
}

function stepped(pixels: number): number {
  return Math.max(detectorStep, Math.round(pixels / detectorStep) * detectorStep)
}

function shareOf({ x, y, width, height }: PixelBox, picture: Picture) {
  return {
    ...{ x: x / picture.width, y: y / picture.height },
    ...{ width: width / picture.width, height: height / picture.height },
  }
}
