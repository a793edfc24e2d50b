import { isOpen } from '../api/is-open.ts'
import { clock, countOf, usd } from '../components/format.ts'
import { rulerHeight, type Track, trackHeight } from '../studio/draw-timeline.ts'
import { normalize, type Span } from '../studio/spans.ts'
import { type ClipTimeline, createClipTimeline } from './clip-timeline.ts'
import { connectToHost, type ToolResult } from './host.ts'
import { createService, type Entry, problemOf, subjectOf, type TimelineData, type Work } from './service.ts'

// Everything that it shows came from files and their names: it is put in as text, never as markup.

/** Those of many more would not be read. */
const maxListed = 100
const maxTracks = 4
const waveHeight = 96

function element<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const found = document.getElementById(id)
  if (!(found instanceof type)) throw new Error(`the page has no ${id}`)
  return found
}

const page = {
  name: element('name', HTMLElement),
  status: element('status', HTMLElement),
  player: document.createElement('video'),
  timeline: element('timeline', HTMLElement),
  canvas: element('canvas', HTMLCanvasElement),
  start: element('start', HTMLElement),
  end: element('end', HTMLElement),
  cut: element('cut', HTMLButtonElement),
  result: element('result', HTMLButtonElement),
  source: element('source', HTMLButtonElement),
  studio: element('studio', HTMLButtonElement),
  entries: element('entries', HTMLOListElement),
}

page.player.controls = true
page.player.hidden = true
page.timeline.before(page.player)

const say = (text: string) => {
  page.status.textContent = text
}

let drawn: ClipTimeline | undefined
/** Whether the player has what the timeline shows: only then they follow each other. */
let playsSource = false

const host = await connectToHost({
  onTheme: (theme) => {
    document.documentElement.dataset['theme'] = theme
    drawn?.recolor()
  },
  onResult: (result) => void show(result).catch(tellProblem),
  onCanceled: () => say('The call was canceled.'),
})
const service = createService(host)
window.matchMedia('(prefers-color-scheme: dark)').onchange = () => drawn?.recolor()

/** Shows what the answer is about: the price of a plan, or the work until its end and then its timeline. */
async function show(result: ToolResult): Promise<void> {
  const problem = problemOf(result)
  if (problem !== undefined) return say(problem)
  const { work, planUsd } = subjectOf(result)
  if (work) {
    if (!host.capabilities.serverTools)
      return say('This chat does not let the timeline read. The answer has it as text.')
    const ended = await untilEnd(work)
    if (ended.status === 'failed') say(ended.error?.message ?? 'It failed.')
    else showTimeline(await service.readTimeline(ended.id))
  } else say(planUsd === undefined ? 'There is nothing to draw.' : `The plan costs at most ${usd(planUsd)}.`)
}

async function untilEnd(work: Work): Promise<Work> {
  let now = work
  while (isOpen(now)) {
    say(`${now.status === 'queued' ? 'Queued' : 'Running'}: ${Math.round((now.progress ?? 0) * 100)} %`)
    now = await service.wait(now.id)
  }
  return now
}

function showTimeline(data: TimelineData): void {
  const { name, media_seconds: seconds, studio_url: studio, source, outputs, lists, waveform } = data
  page.name.textContent = name ?? 'Timeline'
  const counts = lists.map((list) => `${list.name.replaceAll('_', ' ')}: ${list.total}`)
  say([...(seconds === undefined ? [] : [clock(seconds, 1)]), ...counts].join(' · '))
  page.studio.hidden = studio === undefined || !host.capabilities.openLinks
  page.studio.onclick = () => void host.openLink(studio ?? '').catch(tellProblem)
  const [output] = outputs
  page.source.onclick = () => {
    if (source) showSource(source.url)
  }
  if (output) showOutput(output, source !== undefined)
  else if (source) showSource(source.url)
  if (seconds === undefined || seconds <= 0) return
  page.timeline.hidden = false
  const tracks = tracksOf(data)
  page.timeline.style.height = `${rulerHeight + waveHeight + tracks.length * trackHeight}px`
  const clips = createClips(data)
  drawn = createClipTimeline(
    { place: page.timeline, canvas: page.canvas, handles: { start: page.start, end: page.end } },
    {
      ...{ durationSeconds: seconds, tracks, onClip: clips.price },
      waveform: waveform && {
        levels: waveform.levels,
        read: (level, tile) => service.readTile(waveform.job_id, level, tile),
      },
      onSeek: (time) => {
        if (!playsSource) return
        page.player.currentTime = time
        drawn?.setPlayhead(time)
      },
    },
  )
  page.player.ontimeupdate = () => {
    if (playsSource) drawn?.setPlayhead(page.player.currentTime)
  }
  const entries = lists.flatMap((list) => list.entries.map((entry) => ({ ...entry, list: list.name })))
  listEntries(entries, (entry) => drawn?.select(entry))
  if (!playsSource) drawn.setPlayhead(undefined)
  drawn.select(entries.find(({ list }) => list !== 'silences') ?? { start: 0, end: seconds })
}

function tracksOf({ lists }: TimelineData): Track[] {
  return lists.slice(0, maxTracks).map(({ name, entries }) => ({
    ...{ name, spans: normalize(entries) },
    color: name === 'silences' ? 'silence' : 'words',
  }))
}

function listEntries(entries: readonly (Entry & { readonly list: string })[], choose: (span: Span) => void): void {
  const items = entries.slice(0, maxListed).map((entry) => {
    const button = document.createElement('button')
    button.type = 'button'
    const times = `${clock(entry.start, 2)} – ${clock(entry.end, 2)}`
    button.textContent = [times, entry.list.replaceAll('_', ' '), ...(entry.text ? [entry.text] : [])].join(' · ')
    button.onclick = () => choose({ start: entry.start, end: entry.end })
    const item = document.createElement('li')
    item.append(button)
    return item
  })
  if (entries.length > items.length) {
    const more = document.createElement('li')
    more.textContent = `and ${countOf(entries.length - items.length, 'more')}`
    items.push(more)
  }
  page.entries.replaceChildren(...items)
  page.entries.hidden = items.length === 0
}

const priceDelayMilliseconds = 300

/** The button that cuts the clip, for the price that it names. */
function createClips({ media_url: mediaUrl, source }: TimelineData) {
  let wanted: Span | undefined
  let timer = 0
  let [isPriced, isCutting] = [false, false]
  const label = (clip: Span, price?: number) => {
    const times = `${clock(clip.start, 2)} – ${clock(clip.end, 2)}`
    page.cut.textContent = price === undefined ? `Cut ${times}` : `Cut ${times} · ${usd(price)}`
    isPriced = price !== undefined
    page.cut.disabled = !isPriced || isCutting
  }
  const ask = async (clip: Span) => {
    const price = await service.priceOf(clip)
    if (clip === wanted) label(clip, price)
  }
  const cut = async (clip: Span, url: string) => {
    isCutting = true
    page.cut.disabled = true
    try {
      const made = await untilEnd(await service.cut(url, clip))
      if (made.status === 'failed') throw new Error(made.error?.message ?? 'It failed.')
      const { outputs } = await service.readTimeline(made.id)
      const [output] = outputs
      if (!output) throw new Error('The job made no file.')
      showOutput(output, source !== undefined)
      say(`Cut: ${output.name}`)
      if (host.capabilities.updateModelContext) await host.tellModel(`A clip was cut here: job ${made.id}.`)
    } catch (error) {
      tellProblem(error)
    } finally {
      isCutting = false
      page.cut.disabled = !isPriced
    }
  }
  page.cut.hidden = mediaUrl === undefined
  page.cut.onclick = () => {
    if (wanted && mediaUrl !== undefined) void cut(wanted, mediaUrl)
  }
  return {
    price: (clip: Span) => {
      wanted = clip
      label(clip)
      clearTimeout(timer)
      timer = window.setTimeout(() => void ask(clip).catch(tellProblem), priceDelayMilliseconds)
    },
  }
}

/** Plays what the timeline shows. */
function showSource(url: string): void {
  playsSource = true
  page.source.hidden = true
  play(url)
  drawn?.setPlayhead(0)
}

/** Plays a file that was made. Its times are not those of the timeline. */
function showOutput({ name, url }: { readonly name: string; readonly url: string }, hasSource: boolean): void {
  playsSource = false
  page.source.hidden = !hasSource
  drawn?.setPlayhead(undefined)
  play(url)
  page.result.hidden = !host.capabilities.openLinks
  page.result.textContent = `Open ${name}`
  page.result.onclick = () => void host.openLink(url).catch(tellProblem)
}

/** Hosts need not allow media. */
function play(url: string): void {
  page.player.hidden = false
  page.player.onloadedmetadata = () => page.player.classList.toggle('sound', page.player.videoWidth === 0)
  page.player.onerror = () => {
    page.player.hidden = true
  }
  page.player.src = url
}

function tellProblem(error: unknown): void {
  say(error instanceof Error ? error.message : 'Something went wrong.')
}
