import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, presignResponse } from '../../scripts/client.ts'
import type { AttackMedia } from '../hostile/attack-media.ts'
import { hostileCaptions } from '../hostile/hostile-files.ts'
import {
  type Attack,
  countedEnds,
  estimatesOf,
  jobsAtOnce,
  jobsOn,
  repeatUntil,
  runJobs,
  untilJobEnds,
} from './attackers.ts'
import { untilAccepted } from './victim.ts'

const silence = 'audio/detect-silence'
const clip = 'video/clip-window'
const score = 'video/thumbnail-score'

/** Every attack, in the order of the table. Accounts are free, and the attacker has two. */
export const attacks: readonly Attack[] = [
  {
    id: 'claims',
    attack: 'A 600-byte MP4 claims 60 million samples',
    bound: 'memory of each tool',
    run: (...world) => jobsOn('claims', silences, ...world),
  },
  {
    id: 'claiming tracks',
    attack: 'An 11 kB MP4 of 30 tracks that claim two million samples each',
    bound: 'memory of each tool',
    run: (...world) => jobsOn('claimingTracks', silences, ...world),
  },
  {
    id: 'boxes',
    attack: 'A 1.6 MB MP4 of 200,000 empty boxes',
    bound: 'boxes that are read of a file',
    run: (...world) => jobsOn('boxes', silences, ...world),
  },
  {
    id: 'long tag',
    attack: 'An MP3 with a timecode of 20 million letters',
    bound: 'bytes of a line of ffprobe',
    run: (...world) => jobsOn('longTag', silences, ...world),
  },
  {
    id: 'pixels',
    attack: 'A clip of pictures of 8192 × 8192',
    bound: 'pixels of a picture',
    run: (...world) => jobsOn('pixels', clips, ...world),
  },
  {
    id: 'captions',
    attack:
      'Clips with thousands of captions that overlap, are brief, or have thousands of words, as part of the picture',
    bound: 'captions that are shown simultaneously, their text, changes for each second',
    run: (...world) => jobsOn('longFilm', captionedClips, ...world),
  },
  {
    id: 'long renders',
    attack: 'As many renders of several minutes as an account may run',
    bound: 'task slots of their own for short runs; parts, which give the slot back after about half a minute of film',
    run: async ({ media }, { client }, signal) => {
      const media_url = await untilAccepted(() => client.uploadBytes('film.mp4', media.longFilm))
      const open = new Set<string>()
      await repeatUntil(signal, jobsAtOnce, async (turn) => {
        const settings = { quality: 'high' }
        const { id } = await client.create({ endpoint: clip, media_url, start: (turn % 1000) / 1000, settings })
        open.add(id)
        await untilJobEnds(client, id, signal)
        return true
      })
      // Else they would be the load of the next attack.
      await Promise.all([...open].map((id) => client.send('POST', `/v1/jobs/${id}/cancel`)))
      return []
    },
  },
  {
    id: 'gap',
    attack: 'A 3 kB WebM with a gap of 3,000 seconds',
    bound: 'silence that detections fill in without memory',
    run: (...world) => jobsOn('gap', silences, ...world),
  },
  {
    id: 'tracks',
    attack: 'An MP4 with 60 sound tracks',
    bound: 'tracks that are measured',
    run: (...world) => jobsOn('tracks', silences, ...world),
  },
  {
    id: 'truncated',
    attack: 'An MP4 that ends too early',
    bound: 'one attempt for damaged media',
    run: (...world) => jobsOn('truncated', silences, ...world),
  },
  {
    id: 'estimates',
    attack: 'Estimates of media that claim 60 million samples',
    bound: 'estimates of an account in a minute, memory of each tool',
    run: async ({ host, media }, { client }, signal) => {
      await repeatUntil(signal, jobsAtOnce, async () => {
        const offer = host.offer('claims.mp4', media.claims, 'ranges')
        const body = { endpoint: silence, media_url: offer.url }
        const { status } = await client.send('POST', '/v1/estimate', body)
        offer.forget()
        return status < 300
      })
      return []
    },
  },
  {
    id: 'slow sources',
    attack: '20 public URLs that drip 20 kB a second',
    bound: 'source slots of an account and of a host; uploads have their own',
    run: async ({ host, media }, { client }, signal) => {
      await repeatUntil(signal, jobsAtOnce, async () => {
        const offer = host.offer('slow.wav', media.beeps, 'drips')
        const { id } = await client.create({ endpoint: silence, media_url: offer.url })
        await untilJobEnds(client, id, signal)
        offer.forget()
        return true
      })
      return []
    },
  },
  {
    id: 'lying ranges',
    attack: 'Public URLs that answer every range with one byte',
    bound: 'requests for a source by the bytes that they brought',
    run: async ({ host, media }, { client }, signal) => {
      let most = 0
      await repeatUntil(signal, 4, async () => {
        const offer = host.offer('lying.wav', media.beeps, 'one byte a range')
        const { id } = await client.create({ endpoint: silence, media_url: offer.url })
        await untilJobEnds(client, id, signal)
        most = Math.max(most, offer.requests())
        return true
      })
      return [`${most} requests for one source`]
    },
  },
  {
    id: 'merge',
    attack: '30 simultaneous merges, each of one job with 18,000 segments 20 times',
    bound: 'segments of one merge, counted together',
    run: async ({ media }, { client }, signal) => {
      const id = await manySilences(media, client, signal)
      const body = { settings: { job_ids: Array.from({ length: 20 }, () => id) } }
      await repeatUntil(signal, 30, async () => {
        const { status } = await client.send('POST', '/v1/timeline/merge', body)
        return status < 300
      })
      return []
    },
  },
  {
    id: 'one upload URL',
    attack: 'One upload URL of 20 MB, used 30 times simultaneously',
    bound: 'one upload for each URL',
    run: async (_world, { client, headers }, signal) => {
      const size = 20_000_000
      const body = new Uint8Array(size)
      let most = 0
      const ends = new Map<string, number>()
      while (!signal.aborted) {
        const presigned = await client.send('POST', '/v1/uploads/presign', { filename: 'a.mp4', bytes: size })
        const { success, data } = presignResponse.safeParse(presigned.body)
        if (!success) {
          await sleep(500)
          continue
        }
        const { upload_url: url, upload_headers: given } = data.upload
        const put = () =>
          fetch(url, { method: 'PUT', headers: { ...given, ...headers }, body, signal }).then(
            ({ status }) => `${status}`,
            () => 'broken off',
          )
        const answers = await Promise.all(Array.from({ length: 30 }, put))
        most = Math.max(most, answers.filter((answer) => answer === '200').length)
        for (const answer of answers) ends.set(answer, (ends.get(answer) ?? 0) + 1)
      }
      return [`${most} of 30 stored at most`, ...countedEnds(ends)]
    },
  },
  {
    id: 'open bodies',
    attack: '200 requests whose bodies never end',
    bound: 'time of a request',
    run: async ({ baseUrl }, { headers }, signal) => {
      const { hostname, port } = new URL(baseUrl)
      const given = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const head = `POST /v1/estimate HTTP/1.1\r\nhost: ${hostname}\r\n${given.join('')}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`
      const sockets = Array.from({ length: 200 }, () => {
        const socket = connect(Number(port), hostname, () => void socket.write(head))
        return socket.on('error', () => {})
      })
      const beat = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write(' ')
      }, 1000)
      // At least as long as a body may take.
      await Promise.all([aborted(signal), sleep(25_000)])
      clearInterval(beat)
      const open = sockets.filter(({ readyState }) => readyState === 'open').length
      for (const socket of sockets) socket.destroy()
      return [`${open} of 200 still open`]
    },
  },
  {
    id: 'batches',
    attack: 'Batches of ten tool calls',
    bound: 'each call counts as one request',
    run: async (_world, { client }, signal) => {
      let answered = 0
      const batch = callsOf({ name: 'svc.get_usage_summary', arguments: {} })
      const accept = { accept: 'application/json, text/event-stream' }
      const started = Date.now()
      await repeatUntil(signal, 4, async () => {
        const { status } = await client.send('POST', '/mcp', batch, accept)
        if (status === 200) answered += batch.length
        return status === 200
      })
      const minutes = Math.max(1, (Date.now() - started) / 60_000)
      return [`${Math.round(answered / minutes)} calls a minute`]
    },
  },
  {
    id: 'invalid bodies',
    attack: '20 simultaneous estimates with 20,000 unknown settings, or 80,000 invalid segments, in 256 KiB',
    bound: 'fields and objects of a body, counted before it is parsed',
    run: async (_world, attacker, signal) => {
      const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`q${index}`, 0]))
      const timelines = Array.from({ length: 20 }, () => ({ segments: Array.from({ length: 4_000 }, () => ({})) }))
      const bodies = [
        { endpoint: silence, media_seconds: 60, settings: unknown },
        { endpoint: 'timeline/merge', settings: { timelines } },
      ]
      const bodyOf = (turn: number) => bodies[turn % bodies.length]
      return estimatesOf(bodyOf, { simultaneous: 20, expected: 400 }, attacker, signal)
    },
  },
  {
    id: 'large bodies',
    attack: '40 simultaneous estimates of a merge of 12,500 segments, in 256 KiB',
    bound: 'requests a minute: every 16 KiB of a body count as one',
    run: async (_world, attacker, signal) => {
      const segments = Array.from({ length: 12_500 }, () => ({ start: 0, end: 1 }))
      const body = { endpoint: 'timeline/merge', settings: { timelines: [{ segments }] } }
      return estimatesOf(() => body, { simultaneous: 40, expected: 200 }, attacker, signal)
    },
  },
  {
    id: 'large results',
    attack: '30 simultaneous reads of a result of 18,000 segments',
    bound: 'reads of large results, of an account and of a process',
    run: async ({ media }, { client }, signal) => {
      const id = await manySilences(media, client, signal)
      await repeatUntil(signal, 30, async () => (await client.send('GET', `/v1/jobs/${id}`)).status === 200)
      return []
    },
  },
  {
    id: 'marks',
    attack: 'Scripts of a word with 100,000 combining marks, to keep what is in them',
    bound: 'marks of a letter and characters of a word, before any call of a library',
    run: async ({ media }, { client }, signal) => {
      const media_url = await untilAccepted(() => client.uploadBytes('speech.wav', media.honestSpeech))
      const { id: job_id } = await untilAccepted(() => client.create({ endpoint: 'audio/find-words', media_url }))
      await untilJobEnds(client, job_id, signal)
      const settings = { job_id, keep_text: `a${'\u0301\u0323'.repeat(50_000)}` }
      await repeatUntil(signal, jobsAtOnce, async () => {
        const { status } = await client.send('POST', '/v1/jobs?wait=5', {
          endpoint: 'timeline/suggest-ranges',
          settings,
        })
        return status < 300
      })
      return []
    },
  },
  {
    id: 'plans',
    attack: 'Batches of ten plans of an integration without a key',
    bound: 'characters of a goal; each call counts as one request and begins in a turn of its own',
    run: async ({ baseUrl }, { headers }, signal) => {
      const goal = 'find every laugh and cut the pauses out of my podcast from 1:00 to 2:00 as an mp3 '.repeat(3)
      const batch = callsOf({ name: 'svc.plan_integration', arguments: { goal } })
      let answered = 0
      await repeatUntil(signal, 10, async () => {
        const { status } = await fetch(`${baseUrl}/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
          body: JSON.stringify(batch),
        })
        if (status < 300) answered += 1
        return status < 300
      })
      return [`${answered} batches answered`]
    },
  },
  {
    id: 'empty scans',
    attack: 'Scores of 20 uploaded JPEGs with 16,583 scans of nothing',
    bound: 'scans of a picture, counted before it is decoded',
    run: async ({ media }, { client }, signal) => {
      const upload = () => untilAccepted(() => client.uploadBytes('scans.jpg', media.emptyScans))
      const urls = await Promise.all(Array.from({ length: 20 }, upload))
      const upload_ids = urls.map((url) => url.split('/').at(-1))
      return runJobs(() => ({ endpoint: score, settings: { upload_ids } }), client, signal)
    },
  },
  {
    id: 'late frames',
    attack: 'Scores of frames late in a film of one keyframe',
    bound:
      'pixels to decode in front of the frames of a job, counted before they are decoded; task slots of an account',
    run: async ({ media }, { client }, signal) => {
      const media_url = await untilAccepted(() => client.uploadBytes('film.mp4', media.oneKeyframe))
      const times = Array.from({ length: 20 }, (_, index) => 599 - index / 10)
      const timesOf = (turn: number) => times.map((time) => time - (turn % 100) / 10)
      const jobOf = (turn: number) => ({ endpoint: score, media_url, settings: { times: timesOf(turn) } })
      return runJobs(jobOf, client, signal)
    },
  },
  {
    id: 'long polls',
    attack: '300 open waits for jobs',
    bound: 'open waits of an account',
    run: async ({ host, media }, { client }, signal) => {
      const offer = host.offer('slow.wav', media.beeps, 'drips')
      const { id } = await untilAccepted(() => client.create({ endpoint: silence, media_url: offer.url }))
      await repeatUntil(signal, 300, async () => {
        const { status } = await client.send('GET', `/v1/jobs/${id}?wait=20`)
        return status < 300
      })
      await client.send('POST', `/v1/jobs/${id}/cancel`)
      offer.forget()
      return []
    },
  },
  {
    // The last one: what it left to do would slow down the next.
    id: 'syncs',
    attack: '30 simultaneous comparisons of the sound of eight recordings of four hours',
    bound: 'hours of a recording, windows that are compared',
    run: async (_world, { client }, signal) => {
      // The same pauses at other times, so that each window is compared.
      const pauses = Array.from({ length: 700 }, (_, at) => at * 20 + Math.round(7 * Math.sin(at * at)))
      const timelines = Array.from({ length: 8 }, (_, at) => ({
        segments: pauses.map((start) => ({ start: start + at + 8, end: start + at + 10 })),
      }))
      await repeatUntil(signal, 30, async () => {
        const { status } = await client.send('POST', '/v1/timeline/sync', { settings: { timelines } })
        return status < 300
      })
      return []
    },
  },
]

/** A job that found 18,000 segments. */
async function manySilences(media: AttackMedia, client: Client, signal: AbortSignal): Promise<string> {
  const media_url = await untilAccepted(() => client.uploadBytes('beeps.wav', media.beeps))
  const settings = { min_silence_seconds: 0.05, threshold: -20 }
  const { id } = await untilAccepted(() => client.create({ endpoint: silence, media_url, settings }))
  await untilJobEnds(client, id, signal)
  return id
}

/** A batch of ten calls of a tool. */
const callsOf = (params: object) =>
  Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))

const silences = (turn: number) => ({ endpoint: silence, settings: { threshold: -20 - (turn % 1000) / 100 } })

/** Clips of a few seconds, each with times of its own. */
const clips = (turn: number) => ({
  endpoint: clip,
  start: 0,
  end: 1 + (turn % 1000) / 1000,
  settings: { quality: 'fast' },
})

const captionedClips = (turn: number) => {
  const captions = { text: hostileCaptions(turn), as: 'burn' }
  return { endpoint: clip, start: 0, end: 5 + (turn % 1000) / 1000, settings: { quality: 'fast', captions } }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
