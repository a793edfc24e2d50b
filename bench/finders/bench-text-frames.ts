import path from 'node:path'
import leven from 'leven'
import type { Context } from '../../scripts/main.ts'
import { readScreen, type ScreenLine } from '../../src/media/frames/text-reader.ts'
import { type FinderTools, wholeTrack, withFinderTools } from './finder-tools.ts'
import { makeTextFilm } from './text-film.ts'
import { makeSlides, slideTexts } from './text-slides.ts'

const slideCount = 200
/** The default of the endpoint. */
const minConfidence = 0.6

/** Measures the reading of text on the screen: rendered pictures, text that comes and goes over a film, and film without text. */
export async function benchTextFrames(context: Context, machine: string): Promise<string> {
  return withFinderTools(context, 1, async (tools) => {
    const pictures = await measurePictures(tools)
    const changes = await measureChanges(tools)
    return describeText({ pictures, changes, invented: await measureInvented(tools), machine })
  })
}

interface TextFigures {
  readonly pictures: Awaited<ReturnType<typeof measurePictures>>
  readonly changes: Awaited<ReturnType<typeof measureChanges>>
  readonly invented: Awaited<ReturnType<typeof measureInvented>>
  readonly machine: string
}

function describeText({ pictures, changes, invented, machine }: TextFigures): string {
  const rows = [
    ['character errors', `${(pictures.errorRate * 100).toFixed(2)} %`, '≤ 2 %', pictures.errorRate <= 0.02],
    [
      'largest error of a time at which text changes',
      `${changes.worstSeconds.toFixed(2)} s`,
      '≤ 0.5 s',
      changes.worstSeconds <= 0.5,
    ],
    ['texts over the film not found', `${changes.missed} of ${changes.texts}`, '0', changes.missed === 0],
    ['lines invented in film without text', String(invented.lines), '0', invented.lines === 0],
  ] as const
  return `## Text on the screen

Written by \`npm run bench:finders -- text-frames\`. ${machine}.

${slideCount} pictures of 1280×720, each with one line: sizes from 20 to 64 pixels, seven fonts, four styles, over eight kinds of pictures, as H.264.
Exactly read: ${pictures.exact} of ${slideCount}. Read beside them: ${pictures.extra} lines.

${changes.texts} texts of one to three seconds over ${changes.seconds} seconds of a film that moves: ${changes.framesRead} frames read. Film without text: ${invented.seconds} seconds of ${invented.films} films, ${invented.framesRead} frames read.

| | measured | goal | reached |
|---|---|---|---|
${rows.map(([what, measured, goal, isReached]) => `| ${what} | ${measured} | ${goal} | ${isReached ? 'yes' : 'no'} |`).join('\n')}
`
}

async function read(tools: FinderTools, file: string) {
  const track = await wholeTrack(tools, file)
  const found = await readScreen(track)
  const lines = found.lines.filter(({ confidence }) => confidence >= minConfidence)
  return { ...found, lines, seconds: track.media.info.durationSeconds }
}

/** Every picture is shown for a second: what is read in that second is compared with its text. */
async function measurePictures(bench: FinderTools) {
  const file = path.join(bench.workDir, 'slides.mp4')
  const texts = slideTexts(slideCount)
  bench.say(`drawing ${slideCount} pictures`)
  await makeSlides(bench, texts, file)
  bench.say('reading them')
  const { lines } = await read(bench, file)
  let [errors, characters, exact, extra] = [0, 0, 0, 0]
  for (const [index, { text }] of texts.entries()) {
    const here = lines.filter(({ start }) => Math.round(start) === index)
    const [best = ''] = here.map((line) => line.text).toSorted((a, b) => leven(a, text) - leven(b, text))
    const distance = leven(best, text)
    if (distance > 0) bench.say(`"${text}" was read as "${best}"`)
    errors += distance
    characters += text.length
    exact += distance === 0 ? 1 : 0
    extra += Math.max(0, here.length - 1)
  }
  return { errorRate: errors / characters, exact, extra }
}

/** Texts over a film, at times that are no multiples of anything. */
async function measureChanges(bench: FinderTools) {
  const file = path.join(bench.workDir, 'changes.mp4')
  const seconds = 60
  const shown = slideTexts(24).map(({ text }, index) => ({
    ...{ text: `${index} ${text}`, x: 60, y: 660, size: 36, style: 'outline' as const },
    start: 0.37 + index * 2.43,
    end: 0.37 + index * 2.43 + 1 + ((index * 0.61) % 1.2),
  }))
  const background = ['-stream_loop', '-1', '-i', path.join(bench.root, 'test', 'fixtures', 'film.mp4')]
  const cues = shown.map(({ start, end, ...text }) => ({ texts: [text], start, end }))
  await makeTextFilm({ ...bench, background, width: 1280, height: 720, seconds, cues }, file)
  bench.say('reading texts over a film')
  const { lines, framesRead } = await read(bench, file)
  const closest = (text: string) => lines.find((line) => leven(line.text, text) <= text.length / 5)
  const found = shown.map(({ text, ...span }) => ({ span, line: closest(text) }))
  const off = (one: number, line: ScreenLine | undefined, name: 'start' | 'end') =>
    line ? Math.abs(line[name] - one) : 0
  const worstSeconds = Math.max(
    ...found.flatMap(({ span, line }) => [off(span.start, line, 'start'), off(span.end, line, 'end')]),
  )
  return {
    worstSeconds,
    missed: found.filter(({ line }) => !line).length,
    texts: shown.length,
    seconds,
    framesRead,
  }
}

async function measureInvented(bench: FinderTools) {
  const film = ['-i', path.join(bench.root, 'test', 'fixtures', 'film.mp4')]
  const made = [
    'mandelbrot=s=1280x720:r=25',
    'life=s=1280x720:mold=10:r=25:ratio=0.1',
    'perlin=s=1280x720:r=25',
    'gradients=s=1280x720:r=25',
    'color=gray:s=1280x720:r=25,noise=alls=60:allf=t',
  ]
  const inputs = [film, ...made.map((source) => ['-f', 'lavfi', '-i', source])]
  let [lines, seconds, framesRead] = [0, 0, 0]
  for (const [index, background] of inputs.entries()) {
    const file = path.join(bench.workDir, `film-${index}.mp4`)
    await makeTextFilm({ ...bench, background, width: 1280, height: 720, seconds: 5, cues: [] }, file)
    const found = await read(bench, file)
    for (const { text, confidence } of found.lines)
      bench.say(`read in ${background.at(-1)}: "${text}" (${confidence.toFixed(2)})`)
    lines += found.lines.length
    seconds += found.seconds
    framesRead += found.framesRead
  }
  return { lines, seconds: Math.round(seconds), framesRead, films: inputs.length }
}
