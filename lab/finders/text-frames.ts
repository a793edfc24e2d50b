import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import leven from 'leven'
import { readScreen, type ScreenLine } from '../../src/media/frames/text-reader.ts'
import { describeFigures } from '../figures.ts'
import { type FinderTools, wholeTrack } from './finder-tools.ts'
import { type DrawnText, drawText, fontNames, makeTextFilm, textStyles } from './text-film.ts'

const slideCount = 200
/** The default of the endpoint. */
const minConfidence = 0.6

/** `finders text-frames`: rendered pictures, text that comes and goes over a film, and film without text. */
export async function measureTextFrames(tools: FinderTools): Promise<string> {
  const pictures = await measurePictures(tools)
  const changes = await measureChanges(tools)
  const invented = await measureInvented(tools)
  const figures = [
    { name: 'character errors', value: pictures.errorRate * 100, goal: 2, unit: '%' },
    { name: 'largest error of a time at which text changes', value: changes.worstSeconds, goal: 0.5, unit: 's' },
    { name: `texts over the film not found, of ${changes.texts}`, value: changes.missed, goal: 0, unit: '' },
    { name: 'lines invented in film without text', value: invented.lines, goal: 0, unit: '' },
  ]
  return `## Text on the screen

${slideCount} pictures of 1280×720, each with one line: sizes from 20 to 64 pixels, seven fonts, four styles, over eight kinds of pictures, as H.264.
Exactly read: ${pictures.exact} of ${slideCount}. Read beside them: ${pictures.extra} lines.

${changes.texts} texts of one to three seconds over ${changes.seconds} seconds of a film that moves: ${changes.framesRead} frames read. Film without text: ${invented.seconds} seconds of ${invented.films} films, ${invented.framesRead} frames read.

${describeFigures(figures)}
`
}

async function read(tools: FinderTools, file: string) {
  const track = await wholeTrack(tools, file)
  const found = await readScreen(track)
  const lines = found.lines.filter(({ confidence }) => confidence >= minConfidence)
  return { ...found, lines, seconds: track.media.info.durationSeconds }
}

/** Every picture is shown for a second: what is read in that second is compared with its text. */
async function measurePictures(tools: FinderTools) {
  const file = path.join(tools.workDir, 'slides.mp4')
  const texts = slideTexts(slideCount)
  tools.say(`drawing ${slideCount} pictures`)
  await makeSlides(tools, texts, file)
  tools.say('reading them')
  const { lines } = await read(tools, file)
  let [errors, characters, exact, extra] = [0, 0, 0, 0]
  for (const [index, { text }] of texts.entries()) {
    const here = lines.filter(({ start }) => Math.round(start) === index)
    const [best = ''] = here.map((line) => line.text).toSorted((a, b) => leven(a, text) - leven(b, text))
    const distance = leven(best, text)
    if (distance > 0) tools.say(`"${text}" was read as "${best}"`)
    errors += distance
    characters += text.length
    exact += distance === 0 ? 1 : 0
    extra += Math.max(0, here.length - 1)
  }
  return { errorRate: errors / characters, exact, extra }
}

/** Texts over a film, at times that are no multiples of anything. */
async function measureChanges(tools: FinderTools) {
  const file = path.join(tools.workDir, 'changes.mp4')
  const seconds = 60
  const shown = slideTexts(24).map(({ text }, index) => ({
    ...{ text: `${index} ${text}`, x: 60, y: 660, size: 36, style: 'outline' as const },
    start: 0.37 + index * 2.43,
    end: 0.37 + index * 2.43 + 1 + ((index * 0.61) % 1.2),
  }))
  const background = ['-stream_loop', '-1', '-i', path.join(tools.context.root, 'test', 'fixtures', 'film.mp4')]
  const cues = shown.map(({ start, end, ...text }) => ({ texts: [text], start, end }))
  await makeTextFilm({ ...tools, background, width: 1280, height: 720, seconds, cues }, file)
  tools.say('reading texts over a film')
  const { lines, framesRead } = await read(tools, file)
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

async function measureInvented(tools: FinderTools) {
  const film = ['-i', path.join(tools.context.root, 'test', 'fixtures', 'film.mp4')]
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
    const file = path.join(tools.workDir, `film-${index}.mp4`)
    await makeTextFilm({ ...tools, background, width: 1280, height: 720, seconds: 5, cues: [] }, file)
    const found = await read(tools, file)
    for (const { text, confidence } of found.lines)
      tools.say(`read in ${background.at(-1)}: "${text}" (${confidence.toFixed(2)})`)
    lines += found.lines.length
    seconds += found.seconds
    framesRead += found.framesRead
  }
  return { lines, seconds: Math.round(seconds), framesRead, films: inputs.length }
}

const width = 1280
const height = 720

const words =
  `chapter Welcome to the Introduction of music river and London season Breaking news Professor Marie quickly jumps over lazy
foxes Dr. Schmidt live from Paris, weather tomorrow: rain subscribe now! What is this? final score question Zürich café budget review
e-mail next`.split(/\s/)
const numbers = ['2026', '10:45', '$19.99', '42%', '0800-555-0199', '3.14', '1/4', '#7']
const colours = ['white', 'yellow', 'cyan', '#ffcc66']

/** Texts with pseudorandom words, places, sizes, fonts and styles; always the same. */
function slideTexts(count: number): DrawnText[] {
  const random = randomSource()
  const oneOf = <T>(list: readonly T[]): T => {
    const chosen = list[Math.floor(random() * list.length)]
    if (chosen === undefined) throw new Error('an empty list')
    return chosen
  }
  return Array.from({ length: count }, () => {
    const size = Math.round(20 + random() ** 1.5 * 44)
    const length = 2 + Math.floor(random() * 5)
    const chosen = Array.from({ length }, () => oneOf(random() < 0.15 ? numbers : words))
    // No letter of DejaVu is wider than its size.
    while (chosen.join(' ').length * size * 0.7 > width - 80 && chosen.length > 1) chosen.pop()
    const text = chosen.join(' ')
    const room = width - 80 - text.length * size * 0.7
    const x = Math.round(40 + random() * Math.max(0, room))
    const y = Math.round(80 + random() * (height - 120))
    return { text, x, y, size, font: oneOf(fontNames), colour: oneOf(colours), style: oneOf(textStyles) }
  })
}

/** What pictures show behind the texts; they are darkened, because bright text on bright patterns cannot be read by anybody. */
const backgrounds = [
  'color=#203040:s=1280x720',
  'gradients=s=1280x720:seed=3',
  'mandelbrot=s=1280x720',
  'life=s=1280x720:mold=10:seed=4',
  'perlin=s=1280x720:seed=5',
  'color=gray:s=1280x720,noise=alls=40:allf=t:all_seed=6',
  'smptehdbars=s=1280x720',
]

/** Encodes a film that shows each text for a second, over changing pictures. */
async function makeSlides({ context, ffmpegPath }: FinderTools, texts: readonly DrawnText[], output: string) {
  const film = ['-ss', '2', '-i', path.join(context.root, 'test', 'fixtures', 'film.mp4')]
  const inputs = [film, ...backgrounds.map((source) => ['-f', 'lavfi', '-i', source])]
  const darkened = 'colorlevels=romax=0.6:gomax=0.6:bomax=0.6'
  const pictures = inputs.map(
    (_, at) => `[${at}:v]scale=${width}:${height},setsar=1,format=rgb24,${darkened},trim=end_frame=1[picture${at}]`,
  )
  const all = inputs.map((_, at) => `[picture${at}]`).join('')
  const shown = `${all}concat=n=${inputs.length},loop=loop=-1:size=${inputs.length},setpts=N/TB[pictures]`
  const over = `[pictures][${inputs.length}:v]overlay=alpha=premultiplied:format=rgb:shortest=1`
  const drawn = ['-f', 'rawvideo', '-pixel_format', 'rgba', '-video_size', `${width}x${height}`, '-framerate', '1']
  const encoder = spawn(
    ffmpegPath,
    [
      ...['-nostdin', '-v', 'error', '-y', ...inputs.flat(), ...drawn, '-i', 'pipe:0'],
      ...['-filter_complex', [...pictures, shown, over].join(';'), '-an', '-r', '25'],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', output],
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = once(encoder, 'close')
  for (const text of texts) {
    const { rgba } = await drawText(width, height, [text])
    if (!encoder.stdin.write(rgba)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  await ended
  if (encoder.exitCode !== 0) throw new Error(`ffmpeg ended with ${encoder.exitCode}`)
}

/** Numbers from 0 to 1, always the same (a linear congruential generator, as in Numerical Recipes). */
function randomSource(): () => number {
  let state = 20_260_609
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
