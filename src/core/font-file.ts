import { lowerBound } from './many-numbers.ts'

/** Fonts for Latin, Greek and Cyrillic have less than 1 MB, with all of Chinese about 10. */
export const maxFontBytes = 10 * 1024 ** 2

/** Lengths are in parts of the font size. */
export interface FontMetrics {
  /** Whether the font has a picture of the character. */
  has(codePoint: number): boolean
  widthOf(text: string): number
}

export interface Font extends FontMetrics {
  /** Some of its letters and digits, at least one. */
  readonly letters: string
}

/** Says why a file cannot be used as a font. */
export class FontError extends Error {
  override readonly name = 'FontError'
}

/** What the first four bytes say of files that are no single TrueType or OpenType font. */
const otherFonts: ReadonlyMap<string, string> = new Map([
  ['ttcf', 'a collection of fonts. Send one font of it'],
  ['wOFF', 'WOFF. Convert it to TTF or OTF'],
  ['wOF2', 'WOFF2. Convert it to TTF or OTF'],
])
const fontVersions = ['\0\x01\0\0', 'true', 'OTTO']

const maxTables = 100
/** Of `head` (OpenType 1.9). */
const magicNumber = 0x5f0f3cf5
const maxGlyphs = 65_535
/** Of the map from characters to glyphs. Each names a glyph, of which a font has no more. */
const maxGroups = maxGlyphs
const lastCodePoint = 0x10ffff
/** Ids of names: the family in two forms, and the name by which PostScript knows the font. */
const [familyNames, postScriptName] = [[1, 16], 6]
const shownLetters = 8

/**
 * Reads the widths of a font's characters (OpenType 1.9: head, maxp, hhea, hmtx, and cmap in its formats 4 and 12). The bytes can be of anybody:
 * every place that they name is checked, and the work is bounded by their number. Throws `FontError`.
 */
export function readFont(font: Buffer): Font {
  try {
    return parseFont(font)
  } catch (error) {
    // What Node throws for a place outside the bytes.
    if (error instanceof RangeError) throw new FontError('the font is cut, or its tables are damaged')
    throw error
  }
}

/** The second one where the first has no picture of a character. */
export function withFallback(first: FontMetrics, second: FontMetrics): FontMetrics {
  const fontOf = (character: string) => (first.has(character.codePointAt(0) ?? 0) ? first : second)
  return {
    has: (codePoint) => first.has(codePoint) || second.has(codePoint),
    widthOf: (text) => Array.from(text).reduce((sum, each) => sum + fontOf(each).widthOf(each), 0),
  }
}

type Tables = ReadonlyMap<string, Buffer>

function parseFont(font: Buffer): Font {
  const tables = readTables(font)
  const isDrawn = (tables.has('glyf') && tables.has('loca')) || tables.has('CFF ')
  if (!isDrawn) throw new FontError('the font has no outlines: neither glyf with loca, nor CFF')
  assertNamed(tableOf(tables, 'name'))
  const head = tableOf(tables, 'head')
  const unitsPerSize = head.readUInt16BE(18)
  if (head.readUInt32BE(12) !== magicNumber || unitsPerSize < 16 || unitsPerSize > 16_384)
    throw new FontError('the table head of the font is damaged')
  const glyphs = tableOf(tables, 'maxp').readUInt16BE(4)
  const [hmtx, widths] = [tableOf(tables, 'hmtx'), tableOf(tables, 'hhea').readUInt16BE(34)]
  if (widths === 0 || widths > glyphs || hmtx.length < widths * 4)
    throw new FontError('the font states no width of its characters')
  const mapped = readCharacterMap(tableOf(tables, 'cmap'))
  const glyphOf = (codePoint: number) => {
    const glyph = mapped(codePoint)
    return glyph < glyphs ? glyph : 0
  }
  const widthOfGlyph = (glyph: number) => hmtx.readUInt16BE(Math.min(glyph, widths - 1) * 4) / unitsPerSize
  const has = (codePoint: number) => glyphOf(codePoint) > 0
  return {
    has,
    widthOf: (text) => Array.from(text).reduce((sum, each) => sum + widthOfGlyph(glyphOf(each.codePointAt(0) ?? 0)), 0),
    letters: lettersOf(has),
  }
}

function readTables(font: Buffer): Tables {
  const version = font.toString('latin1', 0, 4)
  const other = otherFonts.get(version)
  if (other !== undefined) throw new FontError(`the file is ${other}`)
  if (!fontVersions.includes(version)) throw new FontError('the file is neither TTF nor OTF')
  const count = font.readUInt16BE(4)
  if (count > maxTables) throw new FontError(`the font has more than ${maxTables} tables`)
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < count; index += 1) {
    const record = 12 + index * 16
    const [start, length] = [font.readUInt32BE(record + 8), font.readUInt32BE(record + 12)]
    if (start + length > font.length) throw new FontError('the font is cut, or its tables are damaged')
    const tag = font.toString('latin1', record, record + 4)
    if (tables.has(tag)) throw new FontError('the font has a table twice')
    tables.set(tag, font.subarray(start, start + length))
  }
  return tables
}

function tableOf(tables: Tables, name: string): Buffer {
  const table = tables.get(name)
  if (table === undefined) throw new FontError(`the font has no table ${name}`)
  return table
}

/** The renderer skips fonts without these names. */
function assertNamed(table: Buffer): void {
  const ids = Array.from({ length: table.readUInt16BE(2) }, (_, index) => table.readUInt16BE(6 + index * 12 + 6))
  if (ids.includes(postScriptName) && familyNames.some((id) => ids.includes(id))) return
  throw new FontError('the font has no name: its family, or its PostScript name, is missing')
}

/** Returns 0 for characters that the font does not have. */
type CharacterMap = (codePoint: number) => number

/** Platform and encoding of maps of Unicode: all of it, or its first 65,536 characters. */
const [unicodePlatform, windowsPlatform] = [0, 3]
const windowsEncodings = [1, 10]

/** The map of Unicode that has the most characters. */
function readCharacterMap(cmap: Buffer): CharacterMap {
  const subtables = Array.from({ length: cmap.readUInt16BE(2) }, (_, index) => {
    const record = 4 + index * 8
    const [platform, encoding] = [cmap.readUInt16BE(record), cmap.readUInt16BE(record + 2)]
    const isUnicode =
      platform === unicodePlatform || (platform === windowsPlatform && windowsEncodings.includes(encoding))
    return isUnicode ? [cmap.subarray(cmap.readUInt32BE(record + 4))] : []
  }).flat()
  const inFormat = (format: number) => subtables.find((table) => table.readUInt16BE(0) === format)
  const [all, basic] = [inFormat(12), inFormat(4)]
  if (all) return inGroups(groupsOf(all))
  if (basic) return inGroups(segmentsOf(basic))
  throw new FontError('the font has no map of Unicode characters (cmap in format 4 or 12)')
}

interface GlyphGroup {
  /** Code points, both of which are in the group. */
  readonly first: number
  readonly last: number
  readonly glyphOf: (codePoint: number) => number
}

function inGroups(groups: readonly GlyphGroup[]): CharacterMap {
  groups.forEach(({ first, last }, index) => {
    const before = groups[index - 1]?.last ?? -1
    if (first <= before || last < first || last > lastCodePoint)
      throw new FontError('the characters of the font are not in order')
  })
  return (codePoint) => {
    const group = groups[lowerBound(groups, ({ last }) => last < codePoint)]
    return group && group.first <= codePoint ? group.glyphOf(codePoint) : 0
  }
}

function groupsOf(table: Buffer): GlyphGroup[] {
  const count = table.readUInt32BE(12)
  if (count > maxGroups) throw new FontError('the font maps too many characters')
  return Array.from({ length: count }, (_, index) => {
    const at = 16 + index * 12
    const [first, last, glyph] = [table.readUInt32BE(at), table.readUInt32BE(at + 4), table.readUInt32BE(at + 8)]
    return { first, last, glyphOf: (codePoint) => glyph + codePoint - first }
  })
}

/** Segments add a number to a character, or find it in a list of glyphs. */
function segmentsOf(table: Buffer): GlyphGroup[] {
  const bytes = table.readUInt16BE(6)
  const [ends, starts, deltas, offsets] = [14, 16 + bytes, 16 + 2 * bytes, 16 + 3 * bytes]
  return Array.from({ length: bytes >> 1 }, (_, index) => {
    const at = index * 2
    const [first, last] = [table.readUInt16BE(starts + at), table.readUInt16BE(ends + at)]
    const [delta, offset] = [table.readUInt16BE(deltas + at), table.readUInt16BE(offsets + at)]
    const listed = (codePoint: number) => {
      const place = offsets + at + offset + (codePoint - first) * 2
      // The last segment is of no character, and often names a place that does not exist.
      const glyph = place + 2 <= table.length ? table.readUInt16BE(place) : 0
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return { first, last, glyphOf: offset === 0 ? (codePoint) => (codePoint + delta) & 0xffff : listed }
  })
}

function lettersOf(has: (codePoint: number) => boolean): string {
  let letters = ''
  for (let codePoint = 0x21; codePoint <= 0xffff && letters.length < shownLetters; codePoint += 1) {
    const character = String.fromCharCode(codePoint)
    if (/[\p{L}\p{Nd}]/u.test(character) && has(codePoint)) letters += character
  }
  if (letters === '') throw new FontError('the font has no letters')
  return letters
}
