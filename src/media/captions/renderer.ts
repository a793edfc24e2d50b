import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import type { Font } from '../../core/font-file.ts'
import { escapeMarkup } from '../../core/text.ts'

/** Painting a caption of 8192 pixels takes about 100 MB. A font that makes it need more ends the thread. */
const maxMemoryPages = 6_144

const packages = createRequire(import.meta.url)

/** Loads the renderer of SVG, once in a thread. */
export async function loadRenderer(): Promise<void> {
  await initWasm(withMemoryLimit(await readFile(packages.resolve('@resvg/resvg-wasm/index_bg.wasm')), maxMemoryPages))
}

/** The fonts in the order in which they are looked through. */
export function renderSvg(svg: string, fonts: readonly Uint8Array[]): Uint8Array {
  const picture = new Resvg(svg, { font: { fontBuffers: [...fonts] } })
  const rendered = picture.render()
  const pixels = rendered.pixels
  rendered.free()
  picture.free()
  return pixels
}

/** The renderer skips fonts that it cannot read, and would draw captions in another one. */
export function isDrawn(font: Uint8Array, { letters }: Pick<Font, 'letters'>): boolean {
  const text = `<text x="8" y="48" font-family="sans-serif" font-size="32">${escapeMarkup(letters)}</text>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="64">${text}</svg>`
  return renderSvg(svg, [font]).some((value) => value > 0)
}

const [headerBytes, memorySection, limited] = [8, 5, 1]

/**
 * The module with a limit of its memory, in pages of 64 KiB. A module that was built without one grows to 4 GiB, and Node has no option that
 * bounds it. https://www.w3.org/TR/wasm-core-1/#binary-memsec
 */
export function withMemoryLimit(module: Buffer, maxPages: number): Buffer {
  for (let at = headerBytes; at < module.length; ) {
    const size = readNumber(module, at + 1)
    const end = size.next + size.value
    if (module[at] === memorySection) {
      // Behind the number of memories, which is 1, and whether this one has a limit.
      const initial = readNumber(module, size.next + 2)
      const content = [1, limited, ...numberBytes(initial.value), ...numberBytes(maxPages)]
      const section = Buffer.from([memorySection, ...numberBytes(content.length), ...content])
      return Buffer.concat([module.subarray(0, at), section, module.subarray(end)])
    }
    at = end
  }
  throw new Error('the module has no memory')
}

/** A number in groups of seven bits, the lowest first (LEB128). */
function readNumber(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  let [value, next, scale] = [0, at, 1]
  for (;;) {
    const byte = bytes.readUInt8(next)
    next += 1
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return { value, next }
    scale *= 0x80
  }
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))]
}
