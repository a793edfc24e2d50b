import { statSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { film } from '../fixtures/make.ts'
import { untilEnded } from './aftermath.ts'
import { diskCases, isLongForm } from './cases.ts'
import { answerWith } from './media-server.ts'
import { postJob } from './post-job.ts'
import { conclude, recordSkipped } from './record.ts'
import { fillDisk, mountNamespace, onSmallDisks, type SmallDiskFolder } from './small-disks.ts'
import { type FaultStack, startFaultStack } from './stack.ts'
import { until } from './until.ts'

const reason = 'this machine gives a process no mounts of its own'

describe.runIf(isLongForm && !mountNamespace)(`a full disk (skipped: ${reason})`, () => {
  it('is named on the page', () => {
    for (const faultCase of Object.values(diskCases)) recordSkipped(faultCase, reason)
  })
})

describe.runIf(isLongForm && mountNamespace)('a full disk', () => {
  let stack: FaultStack

  beforeAll(async () => {
    stack = await startFaultStack({ media: answerWith(film), worker: onSmallDisks })
  })

  afterAll(() => stack.stop())

  const disk = (name: SmallDiskFolder) => path.join(stack.workerDataDir(), name)

  async function startClip(): Promise<string> {
    const { accountId, client } = await stack.newAccount()
    await postJob(client, { endpoint: 'video/clip-window', media_url: stack.mediaUrl('film.mp4'), start: 0 })
    return accountId
  }

  /** Waits until a step of the account's job has failed for lack of space, or waits for space. */
  async function untilOutOfSpace(accountId: string): Promise<void> {
    await until(
      'a step failed and is tried again, or waits',
      async () => {
        const { id } = await stack.db.job.findFirstOrThrow({ where: { accountId } })
        const handle = stack.temporal.workflow.getHandle(id)
        const { events } = await handle.fetchHistory()
        if (events?.some(({ timerStartedEventAttributes }) => timerStartedEventAttributes)) return true
        const { raw } = await handle.describe()
        const [step] = raw.pendingActivities ?? []
        return step?.lastFailure?.applicationFailureInfo?.type === 'server_error'
      },
      60,
    )
  }

  it.each([
    { faultCase: diskCases.sourceUntilFreed, folder: 'work', leaveBytes: 0 },
    // A clip of the whole film needs more than this.
    { faultCase: diskCases.renderUntilFreed, folder: 'work', leaveBytes: statSync(film).size + 100_000 },
    { faultCase: diskCases.objectUntilFreed, folder: 'objects', leaveBytes: 0 },
  ] as const)('$faultCase.fault', async ({ faultCase, folder, leaveBytes }) => {
    const free = fillDisk(disk(folder), leaveBytes)
    const accountId = await startClip()
    await untilOutOfSpace(accountId)
    free()
    await conclude(stack, [{ faultCase, accountId }], 120)
  })

  it(diskCases.always.fault, async () => {
    const free = fillDisk(disk('objects'))
    const accountId = await startClip()
    await untilEnded(stack, [accountId], 420)
    free()
    await conclude(stack, [{ faultCase: diskCases.always, accountId }])
  }, 560_000)
})
