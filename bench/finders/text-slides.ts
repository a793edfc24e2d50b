import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DrawnText, drawText, fontNames, textStyles } from './draw-text.ts'

const width = 1280
const height = 720

const words = [
  ...[
    'chapter',
    'Welcome',
    'to',
    'the',
    'Introduction',
    'of',
    'music',
    'river',
    'and',
    'London',
    'season',
    'Breaking',
    'news',
    'Professor',
  ],
  ...[
    'Marie',
    'quickly',
    'jumps',
    'over',
    'lazy',
    'foxes',
    'Dr.',
    'Schmidt',
    'live',
    'from',
    'Paris,',
    'weather',
    'tomorrow:',
    'rain',
  ],
  ...[
    'subscribe',
    'now!',
    'What',
    'is',
    'this?',
    'final',
    'score',
    'question',
    'Zürich',
    'café',
    'budget',
    'review',
    'e-mail',
    'next',
  ],
]
const numbers = ['2026', '10:45', '$19.99', '42%', '0800-555-0199', '3.14', '1/4', '#7']
const colours = ['white', 'yellow', 'cyan', '#ffcc66']

/** Texts with pseudorandom words, places, sizes, fonts and styles; always the same. */
export function slideTexts(count: number): DrawnText[] {
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
export async function makeSlides(
  { root, ffmpegPath }: { readonly root: string; readonly ffmpegPath: string },
  texts: readonly DrawnText[],
  output: string,
) {
  const film = ['-ss', '2', '-i', path.join(root, 'test', 'fixtures', 'film.mp4')]
  const inputs = [film, ...backgrounds.map((source) => ['-f', 'lavfi', '-i', source])]
  const pictures = await Promise.all(inputs.map((input) => pictureOf(ffmpegPath, input)))
  const encoder = spawn(
    ffmpegPath,
    [
      ...[
        '-nostdin',
        '-v',
        'error',
        '-y',
        '-f',
        'rawvideo',
        '-pixel_format',
        'rgb24',
        '-video_size',
        `${width}x${height}`,
      ],
      ...[
        '-framerate',
        '1',
        '-i',
        'pipe:0',
        '-r',
        '25',
        '-c:v',
        'libx264',
        '-preset',
        'veryfast',
        '-pix_fmt',
        'yuv420p',
        output,
      ],
    ],
    { stdio: ['pipe', 'ignore', 'inherit'] },
  )
  const ended = once(encoder, 'close')
  for (const [index, text] of texts.entries()) {
    const { rgba } = await drawText(width, height, [text])
    const frame = overlaid(pictures[index % pictures.length] ?? Buffer.alloc(0), rgba)
    if (!encoder.stdin.write(frame)) await once(encoder.stdin, 'drain')
  }
  encoder.stdin.end()
  await ended
  if (encoder.exitCode !== 0) throw new Error(`ffmpeg ended with ${encoder.exitCode}`)
}

async function pictureOf(ffmpegPath: string, input: readonly string[]): Promise<Buffer> {
  const darkened = `scale=${width}:${height},format=rgb24,colorlevels=romax=0.6:gomax=0.6:bomax=0.6`
  const options = ['-frames:v', '1', '-vf', darkened, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']
  const { stdout } = await promisify(execFile)(ffmpegPath, ['-nostdin', '-v', 'error', ...input, ...options], {
    encoding: 'buffer',
    maxBuffer: 2 ** 24,
  })
  return stdout
}

/** The drawn pixels over the picture. */
function overlaid(picture: Buffer, rgba: Uint8Array): Buffer {
  const frame = Buffer.alloc(picture.length)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const through = 1 - (rgba[pixel * 4 + 3] ?? 0) / 255
    for (let channel = 0; channel < 3; channel += 1) {
      const below = picture[pixel * 3 + channel] ?? 0
      frame[pixel * 3 + channel] = Math.min(255, Math.round((rgba[pixel * 4 + channel] ?? 0) + below * through))
    }
  }
  return frame
}

/** Numbers from 0 to 1, always the same (a linear congruential generator, as in Numerical Recipes). */
function randomSource(): () => number {
  let state = 20_260_609
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}
