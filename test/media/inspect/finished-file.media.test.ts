import path from 'node:path'
import { expect, it } from 'vitest'
import { readFinishedFile } from '../../../src/media/inspect/inspect.ts'
import { runFfmpeg } from '../../setup/tools.ts'
import { never, temporaryFolder, testFfmpeg } from '../measure.ts'

it('reads the last packets of a file that has more than the first ones that are read', async () => {
  const file = path.join(temporaryFolder(), 'half-minute.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=192x108:rate=25:duration=30']
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']
  const args = [...picture, '-f', 'lavfi', '-i', 'sine=duration=30', ...codecs, '-movflags', '+faststart', file]
  await runFfmpeg(...args)
  const query = { input: { path: file, format: 'mp4' }, ffmpeg: testFfmpeg(), signal: never } as const
  const spans = await (await readFinishedFile(query, 30)).readSpans(never)
  expect(spans.get(0)).toMatchObject({ packets: 750, storedStart: 0, end: 30 })
  expect(spans.get(1)?.storedEnd).toBeCloseTo(30, 1)
})
