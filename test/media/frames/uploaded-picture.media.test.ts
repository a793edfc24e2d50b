import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { jpegOfEmptyScans } from '../../../lab/hostile/hostile-files.ts'
import { openPicture, readPicture } from '../../../src/media/frames/uploaded-picture.ts'
import { astronaut } from '../../fixtures/make.ts'
import { canMeasureTools, never, temporaryFolder, toolMeasures } from '../measure.ts'

it.skipIf(!canMeasureTools)('no time goes into what follows the first picture of a file', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'two-pictures')
  // Of which the second takes five seconds.
  await writeFile(file, Buffer.concat([await readFile(astronaut), jpegOfEmptyScans(3072, 16_583)]))
  const tools = toolMeasures()
  const source = await openPicture({ path: file, folder, ffmpeg: tools.ffmpeg, signal: never })
  const picture = await readPicture(source, folder)
  expect(picture.rgb).toHaveLength(picture.width * picture.height * 3)
  expect(tools.totalCpuMs()).toBeLessThan(1_500)
})
