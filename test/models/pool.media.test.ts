import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { modelInterfaces } from '../../src/models/models.ts'
import { createModelPool } from '../../src/models/pool.ts'
import { temporaryFolder } from '../media/measure.ts'
import { models, testPool, whySkipped } from '../setup/models.ts'

const modelsDir = process.env['MODELS_DIR']
const silence = (seconds: number) => new Float32Array(seconds * 16_000)
const never = new AbortController().signal

describe.skipIf(!models.has('transcribe'))(`a pool of models${whySkipped}`, () => {
  const pools = new Set<ReturnType<typeof createModelPool>>()
  const poolOf = (options: Partial<Parameters<typeof createModelPool>[0]> = {}) => {
    const pool = createModelPool({ modelsDir, size: 1, ...options })
    pools.add(pool)
    return pool
  }
  afterAll(async () => {
    await Promise.all([...pools].map((pool) => pool.close()))
  })

  it('gives what the interface of the model says', async () => {
    const chances = await models.run('voice-activity', silence(2))
    expect(chances).toHaveLength(Math.floor(32_000 / 512))
    expect(Math.max(...chances)).toBeLessThan(0.5)
    expect(modelInterfaces.transcribe.output.parse(await models.run('transcribe', silence(1)))).toBeInstanceOf(Array)
    const grey = { width: 64, height: 32, rgb: new Uint8Array(64 * 32 * 3).fill(128) }
    expect(modelInterfaces['read-text'].output.parse(await models.run('read-text', grey))).toEqual([])
  })

  it('does not keep this process busy', async () => {
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const began = performance.now()
    await models.run('voice-activity', silence(120))
    clearInterval(timer)
    expect(longest).toBeLessThan((performance.now() - began) / 2)
  })

  it('ends a canceled call with its process, and takes calls that wait out of the queue', async () => {
    const pool = poolOf()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const long = pool.modelsFor(running.signal).run('voice-activity', silence(600))
    const queued = pool.modelsFor(waiting.signal).run('voice-activity', silence(1))
    const next = pool.modelsFor(never).run('voice-activity', silence(1))
    waiting.abort(new Error('left'))
    await expect(queued).rejects.toThrow('left')
    running.abort(new Error('canceled'))
    await expect(long).rejects.toThrow('canceled')
    expect(await next).toHaveLength(31)
  })

  it('fails one call, and goes on, when a process takes more memory than it may', async () => {
    const call = poolOf({ maxBytes: 1e6 }).modelsFor(never).run('voice-activity', silence(600))
    await expect(call).rejects.toMatchObject({ code: 'processing_failed' })
    expect(await models.run('voice-activity', silence(1))).toHaveLength(31)
  })

  it('fails a call whose model is damaged, with the reason for the log', async () => {
    const damaged = temporaryFolder()
    mkdirSync(path.join(damaged, 'voice-activity'))
    writeFileSync(path.join(damaged, 'voice-activity', 'silero-vad.onnx'), 'no model')
    const call = poolOf({ modelsDir: damaged }).modelsFor(never).run('voice-activity', silence(1))
    await expect(call).rejects.toThrow(/^voice-activity: Error: .*silero-vad\.onnx/)
  })

  it('refuses models that are not installed, with the command that installs them', async () => {
    const none = poolOf({ modelsDir: undefined })
    expect(none.installed).toEqual(new Set())
    await expect(none.modelsFor(never).run('transcribe', silence(1))).rejects.toMatchObject({
      code: 'endpoint_unavailable',
      message: expect.stringContaining('npm run models -- fetch'),
    })
    expect(testPool.installed.has('transcribe')).toBe(true)
  })
})
