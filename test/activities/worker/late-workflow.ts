import { proxyActivities } from '@temporalio/workflow'

/** Runs one activity, with two seconds for each attempt. */
export async function callLateWork(): Promise<void> {
  const { work } = proxyActivities<{ work(): Promise<void> }>({
    startToCloseTimeout: '2 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '10 milliseconds', maximumAttempts: 10 },
  })
  await work()
}
