import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from '../../src/endpoints/catalog.ts'
import { clipFiles, presentedResult, presentResult } from '../../src/endpoints/result-files.ts'

const size = { width: 640, height: 360 }
const listed = (fileName: string) => ({ path: fileName, fileName, contentType: 'any', durationSeconds: 1, ...size })

/** The rows of a run's list, as settling a job makes them. */
const rowsOf = (...files: ReturnType<typeof clipFiles>) =>
  files.map(({ fileName, role = 'media' as const }, position) => ({ fileName, role, position }))

const sign = async ({ fileName: name }: { fileName: string }, asAttachment = false) => ({
  ...{ name, url: `https://a.example/${name}${asAttachment ? '?download=1' : ''}` },
  ...{ expires_at: '2026-01-01T00:00:00Z', bytes: 1, content_type: 'any' },
  ...{ duration: 1, ...size },
})

describe('a presented result', () => {
  it('shows every clip with its own poster and receipt', async () => {
    const rows = rowsOf(
      ...clipFiles(listed('1.mp4'), listed('1.jpg')),
      ...clipFiles(listed('2.m4a')),
      ...clipFiles(listed('3.mp4'), listed('3.jpg')),
    )
    const result = await presentResult({ receipts: ['a', 'b', 'c'] }, rows, sign)
    const urlOf = (name: string) => expect.objectContaining({ url: `https://a.example/${name}` })
    const outputs = [
      expect.objectContaining({ ...(await sign({ fileName: '1.mp4' })), poster: urlOf('1.jpg'), receipt: 'a' }),
      expect.objectContaining({ ...(await sign({ fileName: '2.m4a' })), poster: null, receipt: 'b' }),
      expect.objectContaining({ ...(await sign({ fileName: '3.mp4' })), poster: urlOf('3.jpg'), receipt: 'c' }),
    ]
    expect(result).toMatchObject({ receipts: ['a', 'b', 'c'], output_url: 'https://a.example/1.mp4', outputs })
  })

  it('of one clip has no list, and a poster has no duration', async () => {
    const result = await presentResult({ receipt: 'a' }, rowsOf(...clipFiles(listed('1.mp4'), listed('1.jpg'))), sign)
    const { duration: _, name: _name, ...picture } = await sign({ fileName: '1.jpg' })
    const download_url = 'https://a.example/1.mp4?download=1'
    const output = { ...(await sign({ fileName: '1.mp4' })), download_url, poster: picture }
    expect(result).toEqual({ receipt: 'a', output, output_url: output.url })
  })

  it('of one clip with captions lists both, and captions have no receipt', async () => {
    const rows = rowsOf(...clipFiles(listed('1.mp4'), listed('1.jpg')), listed('1.vtt'))
    const { output_url, outputs } = await presentResult({ receipt: 'a' }, rows, sign)
    expect(output_url).toBe('https://a.example/1.mp4')
    expect(outputs).toMatchObject([
      { name: '1.mp4', receipt: 'a' },
      { name: '1.vtt', poster: null, receipt: null },
    ])
  })

  it('without clips has its preview, where there is one', async () => {
    const rows = rowsOf({ ...listed('preview.svg'), role: 'preview' })
    const { url, expires_at, content_type } = await sign({ fileName: 'preview.svg' })
    expect(await presentResult({ segments: [] }, rows, sign)).toEqual({
      segments: [],
      preview: { url, expires_at, content_type },
    })
    expect(await presentResult({ segments: [] }, [], sign)).toEqual({ segments: [] })
  })

  it.each(endpoints.filter(({ producesFiles }) => producesFiles).map((endpoint) => [endpoint.id, endpoint] as const))(
    'of %s has every field of a file that its schema requires, and no other',
    async (_id, endpoint) => {
      const result = 'receipt' in endpoint.result.shape ? { receipt: 'a' } : {}
      const presented = await presentResult(result, rowsOf(listed('1.vtt'), listed('1.srt')), sign)
      const { properties, required } = outputsSchema.parse(z.toJSONSchema(presentedResult(endpoint)))
      const names = z
        .array(z.looseObject({}))
        .parse(presented['outputs'])
        .map((file) => Object.keys(file).toSorted())
      expect(names).toEqual([required.toSorted(), required.toSorted()])
      expect(Object.keys(properties).toSorted()).toEqual(required.toSorted())
    },
  )
})

const fileSchema = z.object({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()) })

/** What the schema of a result says of its list of files. Those without receipts are as every output file. */
const outputsSchema = z
  .object({
    properties: z.object({
      outputs: z.object({ items: z.union([fileSchema, z.object({ $ref: z.literal('#/$defs/OutputFile') })]) }),
    }),
    $defs: z.object({ OutputFile: fileSchema }),
  })
  .transform(({ properties: { outputs }, $defs }) => ('$ref' in outputs.items ? $defs.OutputFile : outputs.items))
