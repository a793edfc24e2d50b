import { spawn } from 'node:child_process'
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../src/core/errors.ts'
import type { FfmpegInput } from '../../../src/core/ffmpeg.ts'
import type { MemoryBudget, MemoryNeed } from '../../../src/core/memory-budget.ts'
import { createFfmpeg } from '../../../src/media/tools/ffmpeg.ts'
import { endOrphans, isRunning, processIdentity, recordProcess } from '../../../src/media/tools/orphans.ts'
import { bestOfThree } from '../../best-of-three.ts'
import { film, speech } from '../../fixtures/make.ts'
import { mediaTools } from '../../setup/tools.ts'
import { never, pcmOf, temporaryFolder, testFfmpeg } from '../measure.ts'
import { fakeTool } from './fake-tool.ts'

/** Endless work in little memory. */
const slow = ['-vf', 'loop=loop=-1:size=10', '-c:v', 'libx264', '-preset', 'ultrafast', '-threads', '1']
const input = { path: film, format: 'mp4' } as const
const deadlineSeconds = 60

/** The error of a run of this program. */
async function failureOf(ffmpegPath: string, of: FfmpegInput = input): Promise<ServiceError> {
  const ffmpeg = createFfmpeg({ ffmpegPath, ffprobePath: ffmpegPath, processDir: temporaryFolder() })
  const run = ffmpeg.run({ input: of, signal: never, deadlineSeconds, outputOptions: ['-f', 'null'], output: '-' })
  const error: unknown = await run.catch((reason: unknown) => reason)
  if (!(error instanceof ServiceError)) throw new Error('it did not fail')
  return error
}

async function noted(processDir: string): Promise<string> {
  for (;;) {
    const [identity] = await readdir(processDir).catch(() => [])
    if (identity) return identity
    await delay(5)
  }
}

describe('ffmpeg', () => {
  it('gives its output in order and whole', async () => {
    let bytes = 0
    const output = (chunk: Buffer) => {
      bytes += chunk.length
    }
    await testFfmpeg().run({
      ...{ input: { path: speech, format: 'wav' }, signal: never, deadlineSeconds },
      ...{ outputOptions: ['-f', 's16le'], output },
    })
    expect(bytes).toBe(586_790 * 2)
  })

  it('is gone within two seconds of an abort, which keeps its reason', bestOfThree, async () => {
    const processDir = temporaryFolder()
    const abort = new AbortController()
    const reason = new Error('canceled')
    const output = path.join(temporaryFolder(), 'out.mp4')
    const running = testFfmpeg(processDir).run({
      input,
      signal: abort.signal,
      deadlineSeconds,
      outputOptions: slow,
      output,
    })
    const identity = await noted(processDir)
    expect(await isRunning(identity)).toBe(true)
    const abortedAt = Date.now()
    abort.abort(reason)
    await expect(running).rejects.toBe(reason)
    expect(Date.now() - abortedAt).toBeLessThan(2_000)
    expect(await isRunning(identity)).toBe(false)
    expect(await readdir(processDir)).toEqual([])
  })

  it('does not start for an aborted signal', async () => {
    const processDir = path.join(temporaryFolder(), 'none')
    const reason = new Error('canceled')
    const run = testFfmpeg(processDir).run({
      input,
      signal: AbortSignal.abort(reason),
      deadlineSeconds,
      outputOptions: [],
      output: '',
    })
    await expect(run).rejects.toBe(reason)
  })

  it('ends at its deadline with timed_out', async () => {
    const output = path.join(temporaryFolder(), 'out.mp4')
    const run = testFfmpeg().run({ input, signal: never, deadlineSeconds: 0.3, outputOptions: slow, output })
    await expect(run).rejects.toMatchObject({ code: 'timed_out' })
  })

  it('ends when its output cannot be taken, with that error', async () => {
    const reason = new Error('no more')
    const output = () => {
      throw reason
    }
    const run = testFfmpeg().run({ input, signal: never, deadlineSeconds, outputOptions: ['-f', 's16le'], output })
    await expect(run).rejects.toBe(reason)
  })

  it('refuses an output that grows too large', async () => {
    const output = path.join(temporaryFolder(), 'out.wav')
    const run = testFfmpeg().run({
      input,
      signal: never,
      deadlineSeconds,
      outputOptions: [],
      output,
      maxBytes: 100_000,
    })
    await expect(run).rejects.toMatchObject({ code: 'media_too_large' })
  })

  it('reports progress in seconds of output', async () => {
    const seconds: number[] = []
    const output = path.join(temporaryFolder(), 'out.wav')
    await testFfmpeg().run({
      ...{ input, signal: never, deadlineSeconds, outputOptions: [], output },
      onProgress: (done) => seconds.push(done),
    })
    expect(seconds.at(-1)).toBeCloseTo(5.312, 1)
  })

  it('is a server_error where there is no ffmpeg', async () => {
    const ffmpeg = createFfmpeg({
      ffmpegPath: '/nowhere/ffmpeg',
      ffprobePath: '/nowhere/ffprobe',
      processDir: temporaryFolder(),
    })
    const missing = { code: 'server_error', retryable: true }
    const run = ffmpeg.run({ input, signal: never, deadlineSeconds, outputOptions: ['-f', 'null'], output: '-' })
    await expect(run).rejects.toMatchObject(missing)
    const probe = ffmpeg.probe({ input, signal: never, deadlineSeconds, options: [], onLine: () => {} })
    await expect(probe).rejects.toMatchObject(missing)
  })

  it.each([
    ['[out#0] Error writing trailer: No space left on device', 'server_error'],
    ['Invalid data found when processing input', 'processing_failed'],
    ['film.mp4: Input/output error', 'processing_failed'],
    ['film.mp4: I/O error', 'processing_failed'],
    ['[mov,mp4] Cannot allocate memory', 'processing_failed'],
  ])('"%s" is %s, and only the cause tells it', async (line, code) => {
    const folder = temporaryFolder()
    const failing = path.join(folder, 'ffmpeg')
    await writeFile(failing, `#!/bin/sh\necho "${line}" >&2\nexit 1\n`)
    await chmod(failing, 0o755)
    const ffmpeg = createFfmpeg({ ffmpegPath: failing, ffprobePath: failing, processDir: folder })
    const run = ffmpeg.run({ input, signal: never, deadlineSeconds, outputOptions: ['-f', 'null'], output: '-' })
    const error: unknown = await run.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code, cause: { message: expect.stringContaining(line) } })
    expect(String(error)).not.toContain(line)
  })

  it('is a server_error where the disk fails, which our own read shows', async () => {
    const failing = fakeTool('ffmpeg', 'media: Input/output error', { to: 'stderr', exit: 1 })
    const missing = { path: path.join(temporaryFolder(), 'gone.mp4'), format: 'mp4' } as const
    const error = await failureOf(failing, missing)
    expect(error).toMatchObject({ code: 'server_error', retryable: true, maxAttempts: 4 })
  })

  it('fails where it ran out of memory, although it ended with success', async () => {
    const short = fakeTool('ffmpeg', '[vist#0:0] malloc of size 4096 failed', { to: 'stderr', exit: 0 })
    expect(await failureOf(short)).toMatchObject({ code: 'processing_failed', retryable: false })
  })

  it('is retried once where somebody else killed it', async () => {
    const killed = fakeTool('ffmpeg', '', { to: 'stderr', exit: 'kill -9 $$' })
    const error = await failureOf(killed)
    expect(error).toMatchObject({ code: 'processing_failed' })
    expect([1, 2].map((attempt) => error.isRetriedAfter(attempt))).toEqual([true, false])
  })

  it('sees nothing of our environment, and the flags for untrusted input', async () => {
    const folder = temporaryFolder()
    const spy = path.join(folder, 'ffmpeg')
    await writeFile(spy, `#!/bin/sh\nenv > "${folder}/env"\necho "$@" > "${folder}/args"\n`)
    await chmod(spy, 0o755)
    const ffmpeg = createFfmpeg({ ffmpegPath: spy, ffprobePath: spy, processDir: path.join(folder, 'processes') })
    await ffmpeg.run({ input, signal: never, deadlineSeconds, outputOptions: ['-f', 'null'], output: '-' })
    expect(await readFile(path.join(folder, 'env'), 'utf8')).not.toContain('FFMPEG_PATH')
    const args = await readFile(path.join(folder, 'args'), 'utf8')
    const flags = '-protocol_whitelist file -format_whitelist mov -f mov -enable_drefs 0 -use_absolute_path 0'
    expect(args).toContain(`-max_pixels 9437184 ${flags} -i ${film}`)
    expect(args).toMatch(/^-max_alloc 402653184 /)
    expect(args).toContain('-nostdin')
  })
})

describe('memory', () => {
  it('is waited for, unless another tool writes the first input, and counts for who is to blame for a slow server', async () => {
    const needs: MemoryNeed[] = []
    const memory: MemoryBudget = {
      use(need, _signal, run) {
        needs.push(need)
        return run()
      },
    }
    const reading = fakeTool('ffmpeg', '', { exit: 'wc -c > "$(dirname "$0")/bytes"' })
    const ffmpeg = createFfmpeg({ ffmpegPath: reading, ffprobePath: reading, processDir: temporaryFolder(), memory })
    const bytes = async () => Number(await readFile(path.join(path.dirname(reading), 'bytes'), 'utf8'))
    const run = { signal: never, deadlineSeconds, outputOptions: ['-f', 'null'], output: '-' }
    const pictures = { stream: Readable.from([Buffer.alloc(16)]), format: 'pictures', width: 2, height: 2 } as const
    await ffmpeg.run({ ...run, input, moreInputs: [pictures] })
    expect(await bytes()).toBe(16)
    await ffmpeg.run({ ...run, input: { stream: Readable.from([Buffer.alloc(44)]), format: 'wav' } })
    expect(await bytes()).toBe(44)
    const fetched = { failed: never, waitedMs: () => 0, claimKeys: ['account a', 'host b.example'] }
    await ffmpeg.run({ ...run, input: { path: 'http://127.0.0.1:1/a', format: 'mp4', served: fetched } })
    expect(needs.map(({ startsImmediately }) => startsImmediately)).toEqual([false, true, false])
    // Whose server it waits for.
    expect(needs.map(({ isRemote }) => isRemote)).toEqual([false, false, true])
    expect(needs.map(({ claimKeys }) => claimKeys)).toEqual([[], [], fetched.claimKeys])
  })
})

describe('orphans', () => {
  it('are ended when process id and start time match', async () => {
    const processDir = temporaryFolder()
    const child = spawn(mediaTools.ffmpegPath, ['-v', 'error', '-re', '-i', speech, '-f', 'null', '-'], {
      stdio: 'ignore',
    })
    const identity = await processIdentity(child.pid ?? 0)
    await recordProcess(processDir, child.pid ?? 0)
    expect(await endOrphans(processDir)).toBe(1)
    expect(await isRunning(identity)).toBe(false)
    expect(await readdir(processDir)).toEqual([])
  })

  it('that ended, and numbers that came round to another process, are left alone', async () => {
    const processDir = temporaryFolder()
    const [pid] = (await processIdentity(process.pid)).split('-')
    await writeFile(path.join(processDir, `${pid}-1`), '')
    await writeFile(path.join(processDir, 'no identity'), '')
    expect(await endOrphans(processDir)).toBe(0)
    expect(await readdir(processDir)).toEqual([])
  })
})

describe('output that is taken slowly', () => {
  it('comes whole and in order, and is all taken when the run is over', async () => {
    const chunks: Buffer[] = []
    await testFfmpeg().run({
      ...{ input: { path: speech, format: 'wav' }, signal: never, deadlineSeconds: 60 },
      outputOptions: ['-t', '20', '-c:a', 'pcm_s16le', '-f', 's16le'],
      output: async (chunk) => {
        await new Promise((resolve) => setImmediate(resolve))
        await new Promise((resolve) => setTimeout(resolve, chunks.length % 3))
        chunks.push(chunk)
      },
    })
    const samples = new Int16Array(new Uint8Array(Buffer.concat(chunks)).buffer)
    expect(samples).toEqual((await pcmOf(speech)).subarray(0, samples.length))
    expect(samples).toHaveLength(20 * 8_000)
  })

  it('ends the program when it cannot be taken', async () => {
    const taking = testFfmpeg().run({
      ...{ input: { path: speech, format: 'wav' }, signal: never, deadlineSeconds: 60 },
      outputOptions: ['-f', 's16le'],
      output: () => Promise.reject(new Error('no room')),
    })
    await expect(taking).rejects.toThrow('no room')
  })
})
