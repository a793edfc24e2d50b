import { Client, Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { randomText } from '../../src/core/ids.ts'
import { closeMonthScheduleId, setupTemporal, upkeepScheduleId } from '../../src/temporal/setup-temporal.ts'
import { temporalAddress } from '../setup/temporal.ts'
import { untilFound } from '../until-found.ts'
import { startRefusingServer } from './refusing-server.ts'

const permissionDenied = 7
const unimplemented = 12
const newNamespace = () => `setup-${randomText(8).toLowerCase()}`

let connection: Connection
beforeAll(async () => {
  connection = await Connection.connect({ address: temporalAddress })
})
afterAll(() => connection.close())

function setUp(namespace: string, address = temporalAddress): Promise<void> {
  return setupTemporal({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_TLS: false })
}

/** The real server, but it refuses the methods that Temporal Cloud refuses. */
async function cloud(status: number, refused = operatorMethods): Promise<string> {
  const server = await startRefusingServer(temporalAddress, refused, status)
  onTestFinished(() => server.close())
  return server.address
}
const operatorMethods = ['RegisterNamespace', 'ListSearchAttributes', 'AddSearchAttributes']

async function schedules(namespace: string): Promise<string[]> {
  const { schedule } = new Client({ connection, namespace })
  const described = [closeMonthScheduleId, upkeepScheduleId].map((id) => schedule.getHandle(id).describe())
  return (await Promise.all(described)).map(({ scheduleId }) => scheduleId)
}

describe('setupTemporal', () => {
  it('creates everything on an empty server, and can be repeated', async () => {
    const namespace = newNamespace()
    await setUp(namespace)
    await setUp(namespace)
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace })
    expect(Object.keys(customAttributes ?? {})).toEqual(
      expect.arrayContaining(['AccountId', 'Endpoint', 'ErrorCode', 'KeyId']),
    )
    expect(await schedules(namespace)).toEqual(['close-month', 'upkeep'])
  })

  it('adds the search attributes that a namespace of an earlier version lacks', async () => {
    const namespace = newNamespace()
    const { workflowService, operatorService } = connection
    await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') })
    const keyword = 2
    const searchAttributes = { AccountId: keyword, Endpoint: keyword }
    await untilFound(() =>
      operatorService.addSearchAttributes({ namespace, searchAttributes }).then(
        () => true,
        () => false,
      ),
    )
    await setUp(namespace)
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    expect(customAttributes).toMatchObject({ AccountId: keyword, KeyId: keyword, ErrorCode: keyword })
  })

  it('closes the month on the first of the next, in UTC', async () => {
    const namespace = newNamespace()
    await setUp(namespace)
    const handle = new Client({ connection, namespace }).schedule.getHandle(closeMonthScheduleId)
    const { info, action } = await handle.describe()
    expect(action).toMatchObject({ workflowType: 'closeMonth' })
    const times = info.nextActionTimes.map((time) => time.toISOString())
    expect(times.length).toBeGreaterThan(5)
    for (const time of times) expect(time).toMatch(/-01T04:00:00.000Z$/)
  })

  it('updates the schedule of an earlier version, and keeps a pause', async () => {
    const namespace = newNamespace()
    await setUp(namespace)
    const schedule = new Client({ connection, namespace }).schedule.getHandle(upkeepScheduleId)
    const { action: today } = await schedule.describe()
    await schedule.update(({ action, ...options }) => ({
      ...options,
      action: { ...action, args: [], workflowExecutionTimeout: '5 minutes' },
    }))
    await schedule.pause('maintenance')
    await setUp(namespace)
    const { action, state, policies } = await schedule.describe()
    expect(action).toEqual(today)
    expect(action).toMatchObject({ args: [{ passes: 120, pauseSeconds: 30 }] })
    expect(policies.overlap).toBe('SKIP')
    expect(state).toMatchObject({ paused: true, note: 'maintenance' })
  })

  it.each([permissionDenied, unimplemented])(
    'makes the schedule where the rest is there and nobody may ask for it (status %i)',
    async (status) => {
      const namespace = newNamespace()
      await setUp(namespace)
      await new Client({ connection, namespace }).schedule.getHandle(upkeepScheduleId).delete()
      await setUp(namespace, await cloud(status))
      expect(await schedules(namespace)).toEqual(['close-month', 'upkeep'])
    },
  )

  it('reports that the namespace must be created', async () => {
    const namespace = newNamespace()
    await expect(setUp(namespace, await cloud(permissionDenied))).rejects.toThrow(
      `The namespace ${namespace} does not exist: make it in the console of Temporal Cloud or with tcld`,
    )
  })

  it.each([operatorMethods, ['AddSearchAttributes']])(
    'says which search attributes are missing',
    async (...refused) => {
      const namespace = newNamespace()
      await connection.workflowService.registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs('1 day'),
      })
      await expect(setUp(namespace, await cloud(permissionDenied, refused))).rejects.toThrow(
        /lacks the search attributes AccountId, Endpoint, KeyId, and ErrorCode, of type Keyword: add them/,
      )
    },
  )

  it('says what to check if the key has no access to the namespace', async () => {
    const address = await cloud(permissionDenied, ['DescribeNamespace'])
    await expect(setUp('other', address)).rejects.toThrow(/check TEMPORAL_NAMESPACE and TEMPORAL_API_KEY/)
  })
})
