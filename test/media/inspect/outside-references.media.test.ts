import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Canary, startCanary } from '../../../lab/hostile/media-host.ts'
import { elementsOf } from '../../../lab/hostile/mutate.ts'
import { inspectMedia } from '../../../src/media/inspect/inspect.ts'
import { readProbe } from '../../../src/media/inspect/probe-json.ts'
import { fileSource } from '../../../src/media/source/media-source.ts'
import { readToolOutput } from '../../../src/media/tools/spawn.ts'
import { mediaTools } from '../../setup/tools.ts'
import { canMeasureTools, never, temporaryFolder, toolMeasures } from '../measure.ts'
import { fetchedSource } from '../source/fetched-source.ts'
import { inspectFile } from './inspect-file.ts'
import { aliasBox, referenceBox, referringMp4 } from './referring-file.ts'

// Media that name other files as a part of themselves. Only the file itself is read.

const folder = temporaryFolder()
let canary: Canary
beforeAll(async () => {
  canary = await startCanary(folder)
})
afterAll(() => canary.close())

async function made(name: string, options: readonly string[]): Promise<Buffer> {
  const file = path.join(folder, name)
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=2:sample_rate=8000']
  await readToolOutput(mediaTools.ffmpegPath, ['-nostdin', '-v', 'error', ...tone, ...options, file])
  return readFile(file)
}

async function saved(name: string, bytes: Buffer): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

const ofSize = (id: string, ...content: readonly Buffer[]) => {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + body.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** A Matroska file whose edition plays a chapter of another segment, which is in the file of that name. */
function linkedMatroska(film: Buffer, name: string): Buffer {
  const other = Buffer.alloc(16, 7)
  const info = ofSize('1549a966', ofSize('3eb923', other), ofSize('3e83bb', Buffer.from(name)))
  const times = [ofSize('91', Buffer.from([0])), ofSize('92', Buffer.from([0x0f, 0xff, 0xff, 0xff]))]
  const atom = ofSize('b6', ofSize('73c4', Buffer.from([1])), ...times, ofSize('6e67', other))
  const chapters = ofSize('1043a770', ofSize('45b9', ofSize('45dd', Buffer.from([1])), atom))
  const cluster = film.indexOf(Buffer.from('1f43b675', 'hex'))
  return Buffer.concat([film.subarray(0, cluster), info, chapters, film.subarray(cluster)])
}

describe.skipIf(!canMeasureTools)('media that names another file', () => {
  it('the trap sees a tool that opens it, so that the tests below can fail', async () => {
    const film = await made('plain.mov', ['-c:a', 'pcm_s16le'])
    const file = await saved('trapped.mov', referringMp4(film, aliasBox(path.basename(canary.file))))
    const open = ['-v', 'quiet', '-enable_drefs', '1', '-i', file, '-f', 'null', '-']
    await readToolOutput(mediaTools.ffmpegPath, open).catch(() => {})
    expect(canary.takeHits()).toEqual(['the canary file was read'])
  })

  it.each([
    ['an alias of a file beside it', () => aliasBox(path.basename(canary.file))],
    ['an alias of a file by its path', () => aliasBox(canary.file)],
    ['a path', () => referenceBox('url ', canary.file)],
    ['the address of a file', () => referenceBox('url ', `file://${canary.file}`)],
    ['an address', () => referenceBox('url ', canary.url)],
    ['a resource', () => referenceBox('rsrc', canary.file)],
    ['the name of a resource', () => referenceBox('urn ', `urn:film\0${canary.url}`)],
  ])('MP4 with its samples in another file, by %s, is refused, and its file stays closed', async (_, reference) => {
    const { ffmpeg } = toolMeasures()
    const film = await made('own.mp4', ['-c:a', 'aac', '-y'])
    const file = await saved('referring.mp4', referringMp4(film, reference()))
    const { media } = await fetchedSource(file)
    for (const source of [await fileSource(file), media]) {
      const refused = { code: 'unsupported_file_type', message: expect.stringMatching(/self-contained/) }
      await expect(inspectMedia(source, ffmpeg, never)).rejects.toMatchObject(refused)
      const input = source.input('m4a')
      const decode = { input, signal: never, deadlineSeconds: 20, outputOptions: ['-f', 'null'], output: '-' }
      await ffmpeg.run(decode).catch(() => {})
      await readProbe({ input, ffmpeg, signal: never }).catch(() => {})
    }
    expect(canary.takeHits()).toEqual([])
  })

  it.each([
    ['an empty address', () => referenceBox('url ', '')],
    ['no address', () => referenceBox('url ', '').subarray(0, 12)],
  ])('MP4 that does not say that its samples are its own, and has %s, is read', async (_, reference) => {
    const { ffmpeg } = toolMeasures()
    const box = reference()
    box.writeUInt32BE(box.length)
    const file = await saved('unflagged.mp4', referringMp4(await made('own.mp4', ['-c:a', 'aac', '-y']), box))
    expect((await inspectFile(file, ffmpeg, never)).durationSeconds).toBeCloseTo(2, 0)
  })

  it.each([
    ['plays longer than the sound', 8, 0x7fff_ffff],
    ['begins after its end', 12, 0x7fff_ffff],
  ])('MP4 with an edit that %s has the length of its sound, or is refused', async (name, offset, value) => {
    const { ffmpeg } = toolMeasures()
    const film = await made('edited.mp4', ['-c:a', 'aac', '-y'])
    const edits = elementsOf(film).find((element) => element.name === 'elst')
    if (!edits) throw new Error('the film has no edit list')
    film.writeUInt32BE(value, edits.contentStart + offset)
    const file = await saved(`${name}.mp4`, film)
    const outcome = await inspectFile(file, ffmpeg, never).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ retryable: false })
    else expect(outcome).toHaveProperty('durationSeconds', expect.closeTo(2, 0))
  })

  it('MKV with linked segments and ordered chapters is what it contains itself', async () => {
    const { ffmpeg } = toolMeasures()
    const film = await made('own.mkv', ['-c:a', 'aac', '-live', '1'])
    const file = await saved('linked.mkv', linkedMatroska(film, path.basename(canary.file)))
    const info = await inspectFile(file, ffmpeg, never)
    expect(info.durationSeconds).toBeCloseTo(2, 0)
    expect(info.audio).toHaveLength(1)
    expect(canary.takeHits()).toEqual([])
  })
})

describe('a header that claims twice the bytes of its file', () => {
  it.each([
    ['WAV', 'wav', ['-c:a', 'pcm_s16le']],
    ['AIFF', 'aiff', []],
    ['FLAC', 'flac', ['-c:a', 'flac']],
  ] as const)('in %s: the media ends with the bytes, or is refused', async (_name, extension, options) => {
    const { ffmpeg } = toolMeasures()
    const film = await made(`long.${extension}`, options)
    const half = await saved(`half.${extension}`, film.subarray(0, Math.floor(film.length / 2)))
    const outcome: unknown = await inspectFile(half, ffmpeg, never).catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toMatchObject({ retryable: false })
    else expect(outcome).toMatchObject({ format: extension })
  })
})
