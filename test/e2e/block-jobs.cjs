// Loaded into a worker before its code: the jobs that a file names block the event loop when they make their folder.
const fs = require('node:fs')
const { syncBuiltinESMExports } = require('node:module')

const { BLOCKING_JOBS_FILE, BLOCK_IN } = process.env
const { mkdir } = fs.promises

function blockEventLoop() {
  if (BLOCK_IN === 'native code') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  for (;;);
}

fs.promises.mkdir = (folder, options) => {
  const blocking = fs.readFileSync(BLOCKING_JOBS_FILE, 'utf8').split('\n').filter(Boolean)
  if (blocking.some((jobId) => String(folder).includes(jobId))) blockEventLoop()
  return mkdir(folder, options)
}
syncBuiltinESMExports()
