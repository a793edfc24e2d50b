import { open } from 'node:fs/promises'
import { refuseUnless } from './copy-refusal.ts'
import { type BoxPath, contentsOf, readIndex, sampleTable, withContents } from './mp4-index.ts'

// The box of an MP4 file that holds the parameter sets of its picture.

/** Its name, in a sample entry, such as `avcC` in `avc1`. */
export interface SetsBox {
  readonly entry: string
  readonly name: string
}

export function setsPath({ entry, name }: SetsBox): BoxPath {
  return [...sampleTable, 'stsd', entry, name]
}

/** Parameter sets take some hundred bytes. Sources can have longer ones, which are parsed on the main thread. */
const maxSetsBytes = 64 * 1024

export async function readSetsBox(file: string, box: SetsBox): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const contents = contentsOf((await readIndex(handle)).bytes, setsPath(box))
    refuseUnless(contents.length <= maxSetsBytes, 'the picture has too many parameter sets')
    return contents
  } finally {
    await handle.close()
  }
}

export async function replaceSetsBox(file: string, box: SetsBox, contents: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    const { bytes, at } = await readIndex(handle)
    const replaced = withContents(bytes, setsPath(box), contents)
    await handle.truncate(at)
    await handle.write(replaced, 0, replaced.length, at)
  } finally {
    await handle.close()
  }
}
