import { mkdir, readdir } from 'node:fs/promises'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { warmUp } from '../../../activities/worker/warm-up.ts'
import type { Ffmpeg } from '../../../src/core/ffmpeg.ts'
import { tracesInDatabase } from '../../deletion/traces.ts'
import { useDependencies } from '../use-dependencies.ts'

const deps = await useDependencies()
await mkdir(deps.workDir, { recursive: true })

it('plays a job with ffprobe and ffmpeg, of which neither database nor disk keeps anything', async () => {
  const ran: string[] = []
  const ffmpeg: Ffmpeg = {
    ...deps.ffmpeg,
    run: (job) => deps.ffmpeg.run(job).finally(() => ran.push('ffmpeg')),
    probe: (job) => deps.ffmpeg.probe(job).finally(() => ran.push('ffprobe')),
  }
  const lines: string[] = []
  await warmUp({ ...deps, ffmpeg, logger: pino({}, { write: (line: string) => void lines.push(line) }) })
  expect(new Set(ran)).toEqual(new Set(['ffmpeg', 'ffprobe']))
  expect(lines).toEqual([])
  expect(await readdir(deps.workDir)).toEqual([])
  expect(await tracesInDatabase(deps.db, [''])).toEqual([])
  expect(await deps.metrics.registry.metrics()).not.toMatch(/^media_timeline_jobs_\w+{.*} [1-9]/m)
})

it('a worker that cannot warm up starts, and its log says why', async () => {
  const refuse = () => Promise.reject(new Error('no such program'))
  const ffmpeg: Ffmpeg = { ...deps.ffmpeg, run: refuse, probe: refuse }
  const lines: string[] = []
  await warmUp({ ...deps, ffmpeg, logger: pino({}, { write: (line: string) => void lines.push(line) }) })
  expect(lines.join()).toContain('no such program')
  expect(await readdir(deps.workDir)).toEqual([])
})
