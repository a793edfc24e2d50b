import { Worker } from 'node:worker_threads'
import { expect } from 'vitest'

// Without this, a worker whose vitest was killed would run to the end of its test.
process.once('disconnect', () => process.exit(1))

declare global {
  /** The thread that watches the test file of this process. A process runs one file after the other. */
  var fileWatch: Worker | undefined
}

/** Ends the process of a file that takes too long. It is a thread, because a loop or a synchronous call stops every timer. */
const watch = `
  const { writeSync } = require('node:fs')
  const { workerData: { file, minutes } } = require('node:worker_threads')
  setTimeout(() => {
    writeSync(2, file + ' was ended, because it took more than ' + minutes + ' minutes\\n')
    process.kill(process.pid, 'SIGKILL')
  }, minutes * 60_000)
`
const minutes = Number(process.env['TEST_FILE_MINUTES'] ?? 0)
if (minutes > 0) {
  await globalThis.fileWatch?.terminate()
  globalThis.fileWatch = new Worker(watch, { eval: true, workerData: { file: expect.getState().testPath, minutes } })
  globalThis.fileWatch.unref()
}
