import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { Worker } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { traceSinks } from '../../activities/worker/create-workers.ts'
import { jobResponse } from '../../scripts/client.ts'
import { noTracing } from '../../src/telemetry/tracing.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { quietTemporalRuntime } from '../setup/temporal-runtime.ts'
import { type ReceivedSpan, startCollector } from '../telemetry/collector.ts'
import { type Service, startService } from './service.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'

let collector: Awaited<ReturnType<typeof startCollector>>
let service: Service
let mediaUrl: string

beforeAll(async () => {
  collector = await startCollector()
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    LOG_LEVEL: 'debug',
    RUNNING_JOBS_PER_ACCOUNT: '1',
  })
  mediaUrl = await service.client.upload(path.resolve('test/fixtures/film.mp4'))
})

afterAll(async () => {
  await service.stop()
  await collector.close()
})

async function createTraced(traceparent: string, body: object) {
  const response = await fetch(`${service.baseUrl}/v1/jobs`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json', traceparent },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(202)
  return jobResponse.parse(await response.json()).job
}

/** Waits for the span `last`; returns the spans of its trace. */
async function spansOf(trace: string, last: string): Promise<ReceivedSpan[]> {
  const ofTrace = () => collector.spans.filter((span) => span.traceId === trace)
  await expect.poll(() => ofTrace().map(({ name }) => name)).toContain(last)
  return ofTrace()
}

describe('with a collector', () => {
  it('one trace leads from the caller through request, start and workflow to the ffmpeg runs', async () => {
    const job = await createTraced(`00-${traceId}-${callerSpan}-01`, {
      endpoint: 'video/clip-window',
      media_url: mediaUrl,
      end: 1,
    })
    expect(await service.client.ended(job.id)).toMatchObject({ status: 'completed' })
    await spansOf(traceId, 'RunWorkflow:mediaJob')
    const spans = await spansOf(traceId, 'RunActivity:inspectAndRun')

    const one = (name: string) => {
      const [span, ...more] = spans.filter((each) => each.name === name)
      if (!span || more.length > 0) throw new Error(`${name}: ${spans.map((each) => each.name).join()}`)
      return span
    }
    const request = one('POST /v1/jobs')
    const start = one('StartWorkflow:mediaJob')
    const workflow = one('RunWorkflow:mediaJob')
    expect(request).toMatchObject({
      parentSpanId: callerSpan,
      service: 'media-timeline-api',
      attributes: { 'http.route': '/v1/jobs', 'http.request.method': 'POST' },
    })
    expect(Number(request.attributes['http.response.status_code'])).toBe(202)
    expect(start.parentSpanId).toBe(request.spanId)
    expect(workflow).toMatchObject({ parentSpanId: start.spanId, service: 'media-timeline-worker' })
    for (const step of ['reuse', 'inspectAndRun']) {
      const { parentSpanId, startTimeUnixNano, endTimeUnixNano } = one(`RunActivity:${step}`)
      expect([step, parentSpanId]).toEqual([step, workflow.spanId])
      expect(endTimeUnixNano).toBeGreaterThanOrEqual(startTimeUnixNano)
      expect(workflow.startTimeUnixNano).toBeLessThanOrEqual(startTimeUnixNano)
    }
    const runs = spans.filter(({ name }) => name === 'ffmpeg')
    expect(runs.length).toBeGreaterThan(0)
    expect(new Set(runs.map(({ parentSpanId }) => parentSpanId))).toEqual(
      new Set([one('RunActivity:inspectAndRun').spanId]),
    )
    expect(runs.some(({ attributes }) => Number(attributes['media_timeline.output_bytes']) > 0)).toBe(true)
    const probes = spans.filter(({ name }) => name === 'ffprobe')
    expect(probes.map(({ parentSpanId }) => parentSpanId)).toContain(one('RunActivity:inspectAndRun').spanId)
    expect(spans.every(({ status }) => status.code !== 2)).toBe(true)
  })

  it('its history replays with the interceptors and without them', async () => {
    const { id: jobId } = await service.db.job.findFirstOrThrow({ where: { traceParent: { contains: traceId } } })
    const connection = await Connection.connect({ address: temporalAddress })
    onTestFinished(() => connection.close())
    const client = new Client({ connection, namespace: service.environment['TEMPORAL_NAMESPACE'] ?? '' })
    const history = await client.workflow.getHandle(jobId).fetchHistory()
    quietTemporalRuntime()
    const sinks = traceSinks(noTracing)
    const workflowsPath = path.resolve('workflows/index.ts')
    for (const workflowModules of [[], [path.resolve('workflows/trace-context.ts')]]) {
      await Worker.runReplayHistory({ workflowsPath, sinks, interceptors: { workflowModules } }, history, jobId)
    }
  })

  it('a failed job’s spans name the error code', async () => {
    const trace = traceId.replace('0', '1')
    const job = await createTraced(`00-${trace}-${callerSpan}-01`, {
      endpoint: 'audio/detect-silence',
      media_url: mediaUrl,
      start: 500,
    })
    expect(await service.client.ended(job.id)).toMatchObject({ status: 'failed' })
    const spans = await spansOf(trace, 'RunWorkflow:mediaJob')
    const failed = spans.filter(({ status }) => status.code === 2)
    expect(failed.map(({ name, attributes }) => `${name} ${attributes['error.type']}`).toSorted()).toEqual([
      'RunActivity:inspectAndRun invalid_request',
      'RunWorkflow:mediaJob invalid_request',
    ])
  })

  it('a caller that does not sample gets no spans, and one without a traceparent gets a trace of its own', async () => {
    const trace = traceId.replace('0', '2')
    const silent = await createTraced(`00-${trace}-${callerSpan}-00`, {
      endpoint: 'audio/detect-silence',
      media_url: mediaUrl,
    })
    await service.client.ended(silent.id)
    const loud = await service.client.create({ endpoint: 'audio/detect-silence', media_url: mediaUrl })
    await service.client.ended(loud.id)
    const { traceParent } = await service.db.job.findUniqueOrThrow({ where: { id: loud.id } })
    const own = traceParent?.split('-')[1] ?? ''
    expect(own).toMatch(/^[0-9a-f]{32}$/)
    await spansOf(own, 'RunWorkflow:mediaJob')
    expect(collector.spans.filter((span) => span.traceId === trace)).toEqual([])
  })

  it('a job that waited for a slot continues the trace of its own request, whatever starts it', async () => {
    const traces = ['3', '4', '5'].map((digit) => traceId.replace('0', digit))
    const body = { endpoint: 'video/clip-window', media_url: mediaUrl, end: 1 }
    const jobs = await Promise.all(traces.map((trace) => createTraced(`00-${trace}-${callerSpan}-01`, body)))
    await Promise.all(jobs.map(({ id }) => service.client.ended(id)))
    const starters = []
    for (const [index, trace] of traces.entries()) {
      const spans = await spansOf(trace, 'RunWorkflow:mediaJob')
      expect(new Set(spans.map(({ attributes }) => attributes['job.id'] ?? jobs[index]?.id))).toEqual(
        new Set([jobs[index]?.id]),
      )
      const start = spans.find(({ name }) => name === 'StartWorkflow:mediaJob')
      expect(start?.parentSpanId).toBe(spans.find(({ name }) => name === 'POST /v1/jobs')?.spanId)
      starters.push(start?.service)
    }
    expect(starters).toContain('media-timeline-worker')
  })

  it('log lines of API, steps and Temporal name the span that they were written in', async () => {
    const lines = await service.logLines()
    const inTrace = lines.filter((line) => line['trace_id'] === traceId)
    const spanIds = new Set(collector.spans.map(({ spanId }) => spanId))
    expect(inTrace.filter((line) => !spanIds.has(String(line['span_id'])))).toEqual([])
    const said = inTrace.map(({ service: from, component = '', msg }) => `${from} ${component} ${msg}`)
    expect(said).toEqual(
      expect.arrayContaining([
        'api  request',
        'api  job accepted',
        'worker  job ended',
        'worker temporal Activity completed',
        'worker temporal Workflow completed',
      ]),
    )
    const request = inTrace.find(({ msg }) => msg === 'job accepted')
    expect(request).toMatchObject({ requestId: expect.stringMatching(/^req_/), accountId: service.accountId })
  })

  it('no exported span contains a URL, a path or a secret', async () => {
    await service.stop()
    const sent = collector.bodies.join('\n')
    expect(sent).toContain('RunActivity:inspectAndRun')
    expect(collector.bodies.every((body) => body.startsWith('/v1/traces '))).toBe(true)
    const secrets = [
      mediaUrl,
      service.token,
      service.baseUrl,
      service.dataDir,
      process.cwd(),
      'film.mp4',
      '://',
      'stack',
    ]
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
    expect(sent).not.toMatch(/upl_|key_|acct_|sig=|"\/(tmp|home|usr|root)/)
  })
})
