import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Picture } from '../../core/picture.ts'
import type { LoadedModel, TextLine } from '../models.ts'
import { entriesOf, model, readFields } from '../onnx-file.ts'
import { floatsOf, loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'

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
    return floatsOf(await session.run({ x }), 'fetch_name_0')
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

/**
 * The characters that a recogniser's outputs stand for, from the metadata of its file, which ONNX Runtime does not return. The first
 * output is the blank, and the last one the space.
 */
export function readCharacters(onnx: Buffer): string[] {
  const listed = entriesOf(readFields(onnx), model.metadata).get('character')
  if (listed === undefined) throw new Error('the model does not name its characters')
  return ['', ...listed.replace(/\n$/, '').split('\n'), ' ']
}

/** What a recogniser read of a line. */
export interface ReadLine {
  readonly text: string
  /** The mean of its characters' probabilities; 0 without any. */
  readonly confidence: number
}

/**
 * Decodes the probabilities of a line, as many as there are characters at each step: the likeliest one of each step, without blanks
 * and repeats (connectionist temporal classification).
 */
export function decodeSteps(probabilities: Float32Array, characters: readonly string[]): ReadLine {
  const chosen: number[] = []
  let text = ''
  let last = 0
  for (let start = 0; start < probabilities.length; start += characters.length) {
    let best = 0
    for (let index = 1; index < characters.length; index += 1) {
      if ((probabilities[start + index] ?? 0) > (probabilities[start + best] ?? 0)) best = index
    }
    if (best !== 0 && best !== last) {
      text += characters[best] ?? ''
      chosen.push(probabilities[start + best] ?? 0)
    }
    last = best
  }
  const sum = chosen.reduce((total, probability) => total + probability, 0)
  return { text: text.trim(), confidence: chosen.length > 0 ? sum / chosen.length : 0 }
}

/** Numbers for a model: planes of blue, green and red, −1 to 1. */
export interface ModelPixels {
  readonly width: number
  readonly height: number
  readonly values: Float32Array
}

const channels = 3
const half = 127.5

/** A part of the picture scaled to this size, each pixel between the nearest four. What `width` has beyond it stays 0. */
export function scaledPixels(
  { width: pictureWidth, rgb }: Picture,
  from: PixelBox,
  size: { readonly width: number; readonly height: number },
  width = size.width,
): ModelPixels {
  const { height } = size
  const values = new Float32Array(channels * width * height)
  const columns = placesOf(from.x, from.width, size.width)
  const rows = placesOf(from.y, from.height, height)
  const rowBytes = pictureWidth * channels
  for (let y = 0; y < height; y += 1) {
    const above = rgb.subarray((rows.first[y] ?? 0) * rowBytes)
    const below = rgb.subarray((rows.second[y] ?? 0) * rowBytes)
    for (let channel = 0; channel < channels; channel += 1) {
      const byte = channels - 1 - channel
      const start = (channel * height + y) * width
      mixRows(above.subarray(byte), below.subarray(byte), rows.share[y] ?? 0, columns, values.subarray(start))
    }
  }
  return { width, height, values }
}

/** A plain loop: it runs for every number of a picture, and would take as long as the model if it made objects. */
function mixRows(above: Uint8Array, below: Uint8Array, down: number, columns: Places, values: Float32Array): void {
  for (let x = 0; x < columns.share.length; x += 1) {
    const left = (columns.first[x] ?? 0) * channels
    const right = (columns.second[x] ?? 0) * channels
    const across = columns.share[x] ?? 0
    const aboveLeft = above[left] ?? 0
    const belowLeft = below[left] ?? 0
    const upper = aboveLeft + ((above[right] ?? 0) - aboveLeft) * across
    const lower = belowLeft + ((below[right] ?? 0) - belowLeft) * across
    values[x] = (upper + (lower - upper) * down) / half - 1
  }
}

/** For each pixel of a scaled picture, the two next to it in the original, and how far it is towards the second. */
interface Places {
  readonly first: Int32Array
  readonly second: Int32Array
  readonly share: Float32Array
}

function placesOf(start: number, length: number, scaledLength: number): Places {
  const last = start + length - 1
  const places = {
    first: new Int32Array(scaledLength),
    second: new Int32Array(scaledLength),
    share: new Float32Array(scaledLength),
  }
  for (let index = 0; index < scaledLength; index += 1) {
    // Pixels are compared at their centres.
    const centre = start + ((index + 0.5) * length) / scaledLength - 0.5
    const first = Math.max(start, Math.min(last, Math.floor(centre)))
    places.first[index] = first
    places.second[index] = Math.min(last, first + 1)
    places.share[index] = Math.max(0, Math.min(1, centre - first))
  }
  return places
}

/** A box in whole pixels. */
export interface PixelBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The probability of text at each pixel, row by row. */
export interface TextMap {
  readonly width: number
  readonly height: number
  readonly chances: Float32Array
}

// As in PaddleOCR's DBPostProcess (ppocr/postprocess/db_postprocess.py), with upright boxes.
const minChance = 0.3
const minMeanChance = 0.5
const minSidePixels = 3
/** The model finds the core of a line, whose box grows by its area times this, divided by its perimeter. */
const growth = 1.6

/** A taller box is a pattern: text of that size has wide letters, and its parts have boxes of their own. */
const maxHeightShare = 0.3

/** Each is read on its own, so that their number bounds the time that a picture takes. */
const maxBoxes = 100

/** The boxes of lines of text, from the top to the bottom: connected pixels that are likely text. Of too many, the largest. */
export function findBoxes({ width, height, chances }: TextMap): PixelBox[] {
  const seen = new Uint8Array(width * height)
  const boxes: PixelBox[] = []
  for (let pixel = 0; pixel < chances.length; pixel += 1) {
    if (seen[pixel] || (chances[pixel] ?? 0) <= minChance) continue
    const { left, right, top, bottom, mean } = regionAt(pixel, { width, height, chances }, seen)
    const [wide, high] = [right - left + 1, bottom - top + 1]
    if (Math.min(wide, high) < minSidePixels || mean < minMeanChance) continue
    const margin = (wide * high * growth) / (2 * (wide + high))
    const x = Math.max(0, Math.floor(left - margin))
    const y = Math.max(0, Math.floor(top - margin))
    boxes.push({
      ...{ x, y },
      width: Math.min(width, Math.ceil(right + 1 + margin)) - x,
      height: Math.min(height, Math.ceil(bottom + 1 + margin)) - y,
    })
  }
  const lines = joinParts(boxes).filter((box) => box.height <= height * maxHeightShare)
  const largest = lines.toSorted((a, b) => b.width * b.height - a.width * a.height).slice(0, maxBoxes)
  return largest.toSorted((a, b) => a.y - b.y || a.x - b.x)
}

/** Parts of a line are as high as each other, for this share of their height. */
const minSharedHeight = 0.7

/** Joins the boxes that overlap beside each other: a line falls into parts where the model is not sure of a letter. */
function joinParts(boxes: readonly PixelBox[]): PixelBox[] {
  const joined: PixelBox[] = []
  for (const box of boxes.toSorted((a, b) => a.x - b.x)) {
    const before = joined.findIndex((other) => isBeside(other, box))
    const other = joined[before]
    if (other) joined[before] = around(other, box)
    else joined.push(box)
  }
  return joined
}

function isBeside(one: PixelBox, other: PixelBox): boolean {
  const shared = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return other.x <= one.x + one.width && shared >= minSharedHeight * Math.max(one.height, other.height)
}

function around(one: PixelBox, other: PixelBox): PixelBox {
  const [x, y] = [Math.min(one.x, other.x), Math.min(one.y, other.y)]
  const right = Math.max(one.x + one.width, other.x + other.width)
  const bottom = Math.max(one.y + one.height, other.y + other.height)
  return { x, y, width: right - x, height: bottom - y }
}

/** The pixels that are connected with this one, also diagonally. Marks them as seen. */
function regionAt(first: number, { width, height, chances }: TextMap, seen: Uint8Array) {
  const waiting = [first]
  seen[first] = 1
  let [left, right, top, bottom] = [width, 0, height, 0]
  let [count, sum] = [0, 0]
  for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)]
    count += 1
    sum += chances[pixel] ?? 0
    ;[left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)]
    for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row += 1) {
      for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column += 1) {
        const next = row * width + column
        if (seen[next] || (chances[next] ?? 0) <= minChance) continue
        seen[next] = 1
        waiting.push(next)
      }
    }
  }
  return { left, right, top, bottom, mean: sum / count }
}
