import { expect, it } from 'vitest'
import { type ToolExit, ToolExitError } from '../../../src/media/tools/spawn.ts'
import { toolFailure } from '../../../src/media/tools/tool-failure.ts'

const limits = { memoryBytes: 2 ** 28, cpuSeconds: 100, fileBytes: 2 ** 30 }

const failureOf = (exit: Partial<ToolExit>) =>
  toolFailure(new ToolExitError('ffmpeg', { code: null, signal: null, ...exit }), { stderr: '', files: [], limits })

it.each([
  ['past its memory', { signal: 'SIGKILL', reason: 'memory', cpuMs: 10 }, 'processing_failed', 1],
  ['at the end of its CPU time', { signal: 'SIGKILL', cpuMs: 99_800 }, 'timed_out', 1],
  ['by somebody else', { signal: 'SIGKILL', cpuMs: 90_000 }, 'processing_failed', 2],
  ['by a crash', { signal: 'SIGSEGV', cpuMs: 10 }, 'processing_failed', 1],
  ['at the size limit of a file', { signal: 'SIGXFSZ', cpuMs: 10 }, 'media_too_large', 1],
  ['with the launcher', { signal: 'SIGKILL', reason: 'launcher' }, 'server_error', 4],
  ['before it could be run', { code: 125 }, 'server_error', 4],
] as const)('a tool that ended %s', async (_how, exit, code, attempts) => {
  const error = await failureOf(exit)
  expect(error.code).toBe(code)
  expect([1, 2, 3, 4, 5].filter((attempt) => !error.isRetriedAfter(attempt))[0]).toBe(attempts)
})

it('a tool that could not be started is this machine’s fault', async () => {
  const error = new Error('launcher: fork: Resource temporarily unavailable')
  expect(await toolFailure(error, { stderr: '', files: [], limits })).toMatchObject({ code: 'server_error' })
})

it('a file with a compressed index is refused by what would help', async () => {
  const stderr = '[mov,mp4,m4a,3gp,3g2,mj2 @ 0x55] this file requires zlib support compiled in'
  const exit = new ToolExitError('ffprobe', { code: 1, signal: null })
  expect(await toolFailure(exit, { stderr, files: [], limits })).toMatchObject({
    code: 'processing_failed',
    message: expect.stringContaining('without compressed headers'),
  })
})

it.each([
  ['ac4', /a track of the codec ac4, which cannot be decoded\. Convert that track/],
  ['mpegh_3d_audio', /the codec mpegh_3d_audio/],
  ['none', /an unknown codec/],
])('a codec that ffmpeg lacks is named: %s', async (codec, message) => {
  const stderr = `[aist#0:1/${codec} @ 0x562bdb76c400] Decoding requested, but no decoder found for: ${codec}`
  const error = await toolFailure(new ToolExitError('ffmpeg', { code: 234, signal: null }), {
    stderr,
    files: [],
    limits,
  })
  expect(error).toMatchObject({ code: 'processing_failed', message: expect.stringMatching(message) })
})
