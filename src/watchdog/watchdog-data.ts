import { z } from 'zod'

const watchdogSettings = z.object({
  /** Without a step of the event loop for this long, the process ends. 0: never. */
  blockedSeconds: z.number(),
  /** The name of this process in the log and in the database. */
  process: z.string(),
  /** Where the end is recorded. Without it, the end is only logged. */
  databaseUrl: z.string().optional(),
})

/** A loop that waits for a core most of the time is not blocked, or only after this many times as long. */
export const maxBusyFactor = 2

/** What the thread needs to know. */
export type WatchdogSettings = Readonly<z.output<typeof watchdogSettings>>

export const watchdogData = watchdogSettings.extend({
  /** Shared with the thread. Its first number changes with the steps of the event loop. */
  beat: z.custom<Int32Array>((value) => value instanceof Int32Array),
})

export type WatchdogData = Readonly<z.output<typeof watchdogData>>

/** `began` and `ended` name the jobs and runs that this process works on. They are suspects if it blocks and the cause cannot be seen. */
export type WatchdogMessage = 'watch' | { readonly began: string } | { readonly ended: string }

/** The global that names the job or run in whose asynchronous context it is called: the thread reaches only globals in the blocked call. */
export const workInHandGlobal = 'mediaTimelineWorkInHand'
