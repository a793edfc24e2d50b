import path from 'node:path'
import { type Picture, shrink } from '../../core/picture.ts'
import type { Face, LoadedModel } from '../models.ts'
import { floatsOf, loadOnnxRuntime, sessionOptions } from '../onnx-runtime.ts'

/** The model sees a square, in which the picture lies centred on black. */
const side = 256
/** Faces with a lower score are not reported, because most of them are not faces. */
const minScore = 0.5
const maxOverlap = 0.3
/** Numbers of a box: centre, size, and six points of the face. */
const boxNumbers = 16

/** Its two grids of anchors: each cell has several, all at the centre of the cell. */
const grids = [
  { cells: 16, anchors: 2, scores: 'Identity:0', boxes: 'Identity_2:0' },
  { cells: 8, anchors: 6, scores: 'Identity_1:0', boxes: 'Identity_3:0' },
] as const

/** Loads BlazeFace of MediaPipe, the model for faces up to some metres away. */
export async function loadBlazeFace(folder: string): Promise<LoadedModel<Picture, Face[]>> {
  const { InferenceSession, Tensor } = await loadOnnxRuntime()
  const session = await InferenceSession.create(path.join(folder, 'blazeface.onnx'), sessionOptions)

  async function run(picture: Picture): Promise<Face[]> {
    const { pixels, placed } = letterbox(picture)
    const outputs = await session.run({ 'input:0': new Tensor('float32', pixels, [1, side, side, 3]) })
    const found = grids.flatMap(({ cells, anchors, scores, boxes }) => {
      const [logits, numbers] = [floatsOf(outputs, scores), floatsOf(outputs, boxes)]
      return [...logits].flatMap((logit, index) => {
        const score = 1 / (1 + Math.exp(-logit))
        if (score < minScore) return []
        const cell = Math.floor(index / anchors)
        const [dx = 0, dy = 0, width = 0, height = 0] = numbers.subarray(index * boxNumbers)
        const x = (((cell % cells) + 0.5) / cells) * side + dx - width / 2
        const y = ((Math.floor(cell / cells) + 0.5) / cells) * side + dy - height / 2
        return [
          {
            x: (x - placed.x) / placed.width,
            y: (y - placed.y) / placed.height,
            width: width / placed.width,
            height: height / placed.height,
            score,
          },
        ]
      })
    })
    return withoutOverlaps(found)
  }

  return { run, close: () => session.release() }
}

/** The picture as the model takes it, −1 to 1, and where it lies in the square. */
function letterbox(picture: Picture) {
  const scale = side / Math.max(picture.width, picture.height)
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  const { rgb } = shrink(picture, { width, height })
  const placed = { x: (side - width) >> 1, y: (side - height) >> 1, width, height }
  const pixels = new Float32Array(side * side * 3).fill(-1)
  for (let row = 0; row < height; row += 1) {
    const start = ((placed.y + row) * side + placed.x) * 3
    for (let at = 0; at < width * 3; at += 1) pixels[start + at] = (rgb[row * width * 3 + at] ?? 0) / 127.5 - 1
  }
  return { pixels, placed }
}

/** Of faces that overlap much, the surest. */
function withoutOverlaps(found: readonly Face[]): Face[] {
  const kept: Face[] = []
  for (const face of found.toSorted((a, b) => b.score - a.score))
    if (!kept.some((other) => overlapOf(face, other) > maxOverlap)) kept.push(face)
  return kept
}

/** The area that both cover, as a share of the area that either covers. */
function overlapOf(a: Face, b: Face): number {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  const both = Math.max(0, across) * Math.max(0, down)
  return both / (a.width * a.height + b.width * b.height - both)
}
