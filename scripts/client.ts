import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

// A client as a user would write it: it uses only HTTP.

export const presignResponse = z.object({
  upload: z.object({
    upload_url: z.url(),
    upload_method: z.literal('PUT'),
    upload_headers: z.record(z.string(), z.string()),
    media_url: z.url(),
  }),
})

export const jobResponse = z.object({
  request_id: z.string().startsWith('req_'),
  job_id: z.string(),
  job: z.object({
    id: z.string().regex(/^job_[a-zA-Z0-9]+$/),
    endpoint: z.string(),
    status: z.enum(['queued', 'running', 'completed', 'failed']),
    progress: z.number(),
    media_seconds: z.number().optional(),
    estimated_price_usd: z.number().optional(),
    final_price_usd: z.number().optional(),
    warnings: z.array(z.string()).optional(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z.object({ code: z.string(), message: z.string(), request_id: z.string(), job_id: z.string() }).optional(),
  }),
})

export type JobResponse = z.output<typeof jobResponse>

function parseJson(text: string): unknown {
  return JSON.parse(text)
}

/** `always` are headers of every request. */
export function createClient(baseUrl: string, key: string, always: Readonly<Record<string, string>> = {}) {
  const send = async (method: string, route: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${route}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...always,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: parseJson(await response.text()) }
  }
  const job = async (jobId: string, waitSeconds = 0) =>
    jobResponse.parse((await send('GET', `/v1/jobs/${jobId}?wait=${waitSeconds}`)).body).job

  /** Presigns and PUTs; returns the media_url. */
  const put = async (filename: string, bytes: number, body: Uint8Array<ArrayBuffer> | Readable): Promise<string> => {
    const presign = () => send('POST', '/v1/uploads/presign', { filename, bytes })
    let presigned = await presign()
    // A service that starts on a busy machine refuses for a moment.
    for (let tries = 1; presigned.status === 503 && tries < 30; tries++) {
      await sleep(1000)
      presigned = await presign()
    }
    const { upload } = presignResponse.parse(presigned.body)
    const response = await fetch(upload.upload_url, {
      method: upload.upload_method,
      headers: { ...upload.upload_headers, 'content-length': String(bytes) },
      body,
      duplex: 'half',
    })
    if (!response.ok) throw new Error(`PUT answered ${response.status}: ${await response.text()}`)
    return upload.media_url
  }

  return {
    send,
    job,
    uploadBytes: (filename: string, bytes: Buffer) => put(filename, bytes.length, new Uint8Array(bytes)),
    /** A film of an hour is read while it is sent. */
    upload: async (file: string) => put(path.basename(file), (await stat(file)).size, createReadStream(file)),
    create: async (body: Record<string, unknown>, headers: Record<string, string> = {}) => {
      const response = await send('POST', '/v1/jobs', body, headers)
      if (response.status >= 300) throw new Error(`create answered ${JSON.stringify(response.body)}`)
      return jobResponse.parse(response.body).job
    },
    /** Long polls until the job has ended. */
    ended: async (jobId: string, withinSeconds = 60) => {
      const end = Date.now() + withinSeconds * 1000
      for (;;) {
        const now = await job(jobId, 10)
        if (now.status === 'completed' || now.status === 'failed') return now
        if (Date.now() > end)
          throw new Error(
            `${jobId} is ${now.status} (${Math.round(now.progress * 100)} %) after ${withinSeconds} seconds: this machine is slow or busy. The job keeps running while the service does. Run the command again.`,
          )
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>
