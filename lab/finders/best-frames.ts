import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { noQuotas } from '../../scripts/stack/no-quotas.ts'
import { describeFigures } from '../figures.ts'
import { timeJob, withLabStack } from '../lab-stack.ts'
import type { FinderTools } from './finder-tools.ts'

const minutes = 10
const count = 10
const found = z.object({ frames: z.array(z.object({ time: z.number() })) })

/** `finders best-frames`: a job for the best frames of ten minutes of 1080p, and the next one on the same film. */
export function measureBestFrames({ context, ffmpegPath, workDir }: FinderTools): Promise<string> {
  const stack = { folder: path.join(workDir, 'stack'), env: noQuotas }
  return withLabStack(context, stack, async ({ newClient }) => {
    const client = await newClient()
    context.say(`making ${minutes} minutes of 1080p`)
    const media_url = await client.upload(await makeShotsFilm(ffmpegPath, workDir, minutes * 60))
    const job = { endpoint: 'video/best-frames', media_url }
    const first = await timeJob(client, { ...job, settings: { count } })
    const again = await timeJob(client, { ...job, settings: { count: 5 } })
    const shown = found
      .parse(first.result)
      .frames.flatMap(({ time }) => shots[Math.floor(time / shotSeconds) % shots.length] ?? [])
    const bad = shown.filter(({ isGood }) => !isGood).length
    const figures = [
      {
        name: `${count} frames of ${minutes} minutes, a whole job`,
        value: first.milliseconds / 1000,
        goal: 30,
        unit: 's',
      },
      { name: 'frames of different shots', value: new Set(shown).size, goal: count, unit: '', isFloor: true as const },
      { name: 'frames that are blurred, black, noise, grey or white', value: bad, goal: 0, unit: '' },
    ]
    const names = (named: readonly Shot[]) => named.map(({ what }) => what).join(', ')
    return `## Best frames

Shots of two seconds at 1080p, again and again: ${names(shots)}. ${shown.length} frames were found: of ${names(shown)}. The
next job on the film, with another count, decodes only its frames: ${(again.milliseconds / 1_000).toFixed(1)} s.

${describeFigures(figures)}
`
  })
}

interface Shot {
  readonly what: string
  /** Whether a frame of it may be among the best. */
  readonly isGood: boolean
  /** The pictures, as an input of ffmpeg with its options. */
  readonly input: readonly string[]
  readonly filter?: string
}

/** How long each shot is shown. */
const shotSeconds = 2

const size = '1920x1080'
const fixture = (name: string) => path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', name)
const made = (source: string) => ['-f', 'lavfi', '-i', source]
const film = (from: number) => ['-ss', String(from), '-i', fixture('film.mp4')]
const face = ['-loop', '1', '-r', '25', '-i', fixture('astronaut.jpg')]

/** Shots of a film, one after the other: seven that are no picture to show, and fourteen that differ from each other. */
const shots: readonly Shot[] = [
  { what: 'black', isGood: false, input: made(`color=c=black:s=${size}`) },
  { what: 'film', isGood: true, input: film(2) },
  { what: 'blurred film', isGood: false, input: film(0), filter: 'gblur=24' },
  { what: 'a face', isGood: true, input: face, filter: 'scale=900:900,pad=1920:1080:600:90:0x305070' },
  { what: 'noise', isGood: false, input: made(`color=c=gray:s=${size}`), filter: 'noise=alls=100:allf=t' },
  { what: 'a pattern', isGood: true, input: made(`testsrc2=s=${size}`) },
  { what: 'film in negative', isGood: true, input: film(3), filter: 'negate' },
  { what: 'grey', isGood: false, input: made(`color=c=gray:s=${size}`) },
  {
    what: 'a face at the right',
    isGood: true,
    input: face,
    filter: 'hflip,scale=700:700,pad=1920:1080:1180:300:0xc0a080',
  },
  { what: 'bars', isGood: true, input: made(`smptehdbars=s=${size}`) },
  { what: 'a fractal', isGood: true, input: made(`mandelbrot=s=${size}`) },
  { what: 'a flash', isGood: false, input: made(`color=c=white:s=${size}`) },
  { what: 'a corner of the film', isGood: true, input: film(1), filter: 'crop=iw/2:ih/2:0:0' },
  { what: 'a face in a crowd of colours', isGood: true, input: face, filter: 'scale=1920:1080' },
  { what: 'a blurred pattern', isGood: false, input: made(`testsrc2=s=${size}`), filter: 'gblur=40' },
  { what: 'another pattern', isGood: true, input: made(`testsrc=s=${size}`) },
  { what: 'a triangle', isGood: true, input: made(`sierpinski=s=${size}`) },
  { what: 'a colour chart', isGood: true, input: made('colorchart=patch_size=320x270') },
  {
    what: 'noise in the dark',
    isGood: false,
    input: made(`color=c=0x080808:s=${size}`),
    filter: 'noise=alls=20:allf=t',
  },
  { what: 'the film upside down', isGood: true, input: film(2.5), filter: 'vflip,hflip' },
  {
    what: 'a dark face',
    isGood: true,
    input: face,
    filter: 'scale=1080:1080,eq=brightness=-0.1,pad=1920:1080:0:0:0x181818',
  },
]

/** Encodes each shot at 1080p, and repeats all of them as they are: without B-frames, each lasts its two seconds exactly. */
async function makeShotsFilm(ffmpegPath: string, folder: string, seconds: number): Promise<string> {
  const run = (args: readonly string[]) => promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', '-y', ...args])
  const files: string[] = []
  for (const [index, { input, filter = 'null' }] of shots.entries()) {
    const file = path.join(folder, `shot-${index}.mp4`)
    const shown = `${filter},scale=1920:1080,fps=25,setsar=1,format=yuv420p`
    await run([
      ...[...input, '-an', '-t', String(shotSeconds), '-vf', shown],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-g', '100', file],
    ])
    files.push(file)
  }
  const [list, once, output] = ['list.txt', 'once.mp4', 'shots.mp4'].map((name) => path.join(folder, name))
  await writeFile(list ?? '', files.map((file) => `file '${file}'\n`).join(''))
  await run(['-f', 'concat', '-safe', '0', '-i', list ?? '', '-c', 'copy', once ?? ''])
  await run(['-stream_loop', '-1', '-i', once ?? '', '-t', String(seconds), '-c', 'copy', output ?? ''])
  return output ?? ''
}
