import { z } from 'zod'
import { invalidRequest } from '../../core/errors.ts'
import { parseItems } from '../../core/long-json.ts'
import { lowerBound } from '../../core/many-numbers.ts'
import { otherLength } from '../../core/same-media.ts'
import { durationOf, type Segment } from '../../core/segments.ts'
import { oneLine } from '../../core/text.ts'
import { startTurns } from '../../core/turns.ts'

/** Upper edge and height, in parts of the picture. */
const lineBox = z.object({ y: z.number(), height: z.number() })
const slideLine = z.object({
  ...{ text: z.string(), start: z.number(), end: z.number(), confidence: z.number() },
  box: lineBox,
})

type SlideLine = z.output<typeof slideLine>

const foundText = z.object({ media_seconds: z.number(), lines: z.array(z.unknown()) })

/** The lines on the screen that a job of `video/text-frames` read. */
export async function readSlideLines(jobId: string, result: unknown, mediaSeconds: number): Promise<SlideLine[]> {
  const { data } = foundText.safeParse(result)
  if (!data) throw invalidRequest(`The result of ${jobId} has no lines. Use a job of video/text-frames.`)
  const other = otherLength(data.media_seconds, mediaSeconds)
  if (other) throw invalidRequest(`The text of ${jobId} ${other} Read this media with video/text-frames.`)
  return parseItems(slideLine, data.lines)
}

/** People read titles aloud. */
const minConfidence = 0.8
const maxTitleLength = 70
/** Lines that appear within this time are of one slide. */
const slideSeconds = 1
/** A title is larger than everything else on its slide, and not below it, where subtitles are. */
const largerThanRest = 1.15
const lowestMiddle = 0.6
/** What is shown for more of the talk is the name of a channel or of an event. */
const maxShownShare = 0.5
/** A slide is shown at least this long in a chunk that has its title. */
const minShownSeconds = 3
/** A picture with more lines is full of text: only the last ones are compared. */
const maxLinesAtOnce = 200

/** For each chunk, the title of the slide that is shown longest in it. Undefined where no slide has one, or where another chunk shows it longer. */
export async function slideTitles(
  lines: readonly SlideLine[],
  chunks: readonly Segment[],
): Promise<(string | undefined)[]> {
  const best: ({ readonly title: string; readonly seconds: number } | undefined)[] = chunks.map(() => undefined)
  const talkSeconds = (chunks.at(-1)?.end ?? 0) - (chunks[0]?.start ?? 0)
  const longestSeconds = chunks.length > 1 ? talkSeconds * maxShownShare : Infinity
  const turns = startTurns()
  for await (const { title, ...slide } of titledSlides(lines)) {
    if (turns.isDue()) await turns.next()
    if (durationOf(slide) > longestSeconds) continue
    const { at, seconds } = longestIn(slide, chunks)
    if (seconds > (best[at]?.seconds ?? minShownSeconds)) best[at] = { title, seconds }
  }
  return best.map((each) => each?.title)
}

/** The chunk in which a slide is shown longest. */
function longestIn(slide: Segment, chunks: readonly Segment[]) {
  let longest = { at: 0, seconds: 0 }
  const first = lowerBound(chunks, ({ end }) => end <= slide.start)
  for (let at = first; at < chunks.length; at += 1) {
    const chunk = chunks[at]
    if (!chunk || chunk.start >= slide.end) break
    const seconds = Math.min(slide.end, chunk.end) - Math.max(slide.start, chunk.start)
    if (seconds > longest.seconds) longest = { at, seconds }
  }
  return longest
}

/** The titles of slides, each for as long as it is shown. */
async function* titledSlides(lines: readonly SlideLine[]): AsyncGenerator<Segment & { readonly title: string }> {
  const turns = startTurns()
  const sorted = lines.toSorted((one, other) => one.start - other.start)
  let shown: SlideLine[] = []
  for (let first = 0; first < sorted.length; ) {
    if (turns.isDue()) await turns.next()
    const start = sorted[first]?.start ?? 0
    const next = lowerBound(sorted, (line) => line.start <= start + slideSeconds)
    const added = sorted.slice(first, next)
    first = next
    // What was shown before, and stays.
    shown = [...shown.filter(({ end }) => end > start + slideSeconds), ...added].slice(-maxLinesAtOnce)
    const title = titleOf(shown)
    if (title && added.includes(title[0])) {
      const text = oneLine(title.map((line) => line.text).join(' '))
      if (isTitle(text)) yield { title: text, start, end: title[0].end }
    }
  }
}

/** The largest line, with the lines of its size around it. Undefined if the rest is about as large, or if it is low in the picture. */
function titleOf(shown: readonly SlideLine[]): [SlideLine, ...SlideLine[]] | undefined {
  const tallest = Math.max(...shown.map(({ box: { height } }) => height))
  const isLarge = ({ box: { height } }: SlideLine) => height * largerThanRest >= tallest
  const [top, ...more] = shown.filter(isLarge).toSorted((one, other) => one.box.y - other.box.y)
  if (!top || more.length > 1 || top.box.y + top.box.height / 2 > lowestMiddle) return undefined
  const [second] = more
  // A title of two lines, of which the second is right below the first.
  const isBelow = second && second.box.y - (top.box.y + top.box.height) <= top.box.height
  if (second && !isBelow) return undefined
  return [top, ...more].every(({ confidence }) => confidence >= minConfidence) ? [top, ...more] : undefined
}

/** At least two letters in a row, mostly letters, and no address. */
function isTitle(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const marks = text.match(/\S/gu)?.length ?? 0
  const isReadable = /\p{L}{2}/u.test(text) && letters >= marks * 0.6 && text.length <= maxTitleLength
  return isReadable && !looksLikeAddress(text)
}

/** How the names of sites and of files end, in small letters. Node.js, Vue.js 3 and ASP.NET are names of other things. */
const addressEndings = [
  'com org net edu gov info io ai dev app tv me co eu',
  'uk us ca au in jp cn ru br de at ch fr nl be it es pt pl se no dk fi cz',
  'html? pdf docx? pptx? xlsx? txt md png jpe?g mp4',
]
const ending = addressEndings.join(' ').replaceAll(' ', '|')
const address = new RegExp(`@|://|\\b[Ww]{3}\\.|[\\p{L}\\p{N}]\\.(?:${ending})(?![\\p{L}\\p{N}])`, 'u')

function looksLikeAddress(text: string): boolean {
  return address.test(text)
}
