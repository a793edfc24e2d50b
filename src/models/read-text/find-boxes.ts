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
