import { lowerBound } from '../../core/binary-search.ts'

/** Of a TrueType font. Lengths are in parts of the font size. */
export interface FontMetrics {
  /** Whether the font has a picture of the character. */
  has(codePoint: number): boolean
  widthOf(text: string): number
}

/** Reads the widths of a font's characters (OpenType 1.9: head, hhea, hmtx, and cmap in its format 12). */
export function readFontMetrics(font: Buffer): FontMetrics {
  const tables = new Map<string, number>()
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const record = 12 + index * 16
    tables.set(font.toString('latin1', record, record + 4), font.readUInt32BE(record + 8))
  }
  const tableAt = (name: string): number => {
    const at = tables.get(name)
    if (at === undefined) throw new Error(`the font has no ${name}`)
    return at
  }
  const unitsPerSize = font.readUInt16BE(tableAt('head') + 18)
  const widths = font.readUInt16BE(tableAt('hhea') + 34)
  const hmtx = tableAt('hmtx')
  const glyphs = glyphsOf(font, tableAt('cmap'))
  const glyphOf = (codePoint: number) => {
    const group = glyphs[lowerBound(glyphs, ({ last }) => last < codePoint)]
    return group && group.first <= codePoint ? group.glyph + codePoint - group.first : 0
  }
  const widthOfGlyph = (glyph: number) => font.readUInt16BE(hmtx + Math.min(glyph, widths - 1) * 4) / unitsPerSize
  return {
    has: (codePoint) => glyphOf(codePoint) > 0,
    widthOf: (text) => Array.from(text).reduce((sum, each) => sum + widthOfGlyph(glyphOf(each.codePointAt(0) ?? 0)), 0),
  }
}

interface GlyphGroup {
  /** Code points, both of which are in the group. */
  readonly first: number
  readonly last: number
  /** Of the first. */
  readonly glyph: number
}

/** Ascending, as the format has them. */
function glyphsOf(font: Buffer, cmap: number): GlyphGroup[] {
  const subtables = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, index) => {
    return cmap + font.readUInt32BE(cmap + 4 + index * 8 + 4)
  })
  const segmented = subtables.find((at) => font.readUInt16BE(at) === 12)
  if (segmented === undefined) throw new Error('the font has no cmap of format 12')
  return Array.from({ length: font.readUInt32BE(segmented + 12) }, (_, index) => {
    const at = segmented + 16 + index * 12
    return { first: font.readUInt32BE(at), last: font.readUInt32BE(at + 4), glyph: font.readUInt32BE(at + 8) }
  })
}
