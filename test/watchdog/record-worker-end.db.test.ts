import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { recentWorkerEnds } from '../../src/jobs/attempts.ts'
import { blameFor, recordWorkerEnd } from '../../src/watchdog/watchdog.ts'
import { createTestDatabase } from '../setup/database.ts'

const [a, b, c] = [newId('job'), newId('job'), newId('job')] as const
const worker = '7@host'

describe('the end of a worker', () => {
  it('is laid at the door of the job in whose context the loop is blocked', () => {
    expect(blameFor({ worker, workId: a, jobs: [a, b] }, [b])).toEqual({ subjectIds: [a], isCause: true })
  })

  it('is nobody’s fault if work of the service blocked it', () => {
    expect(blameFor({ worker, workId: 'upkeep', jobs: [a, b] }, [])).toEqual({ subjectIds: [''], isCause: false })
    expect(blameFor({ worker, jobs: [] }, [])).toEqual({ subjectIds: [''], isCause: false })
  })

  it('is laid at the only suspect that ran', () => {
    expect(blameFor({ worker, jobs: [a] }, [a])).toEqual({ subjectIds: [a], isCause: true })
    expect(blameFor({ worker, jobs: [a, b, c] }, [b])).toEqual({ subjectIds: [b], isCause: true })
  })

  it('makes suspects of all that ran if nothing tells', () => {
    expect(blameFor({ worker, jobs: [a] }, [])).toEqual({ subjectIds: [a], isCause: false })
    expect(blameFor({ worker, jobs: [a, b] }, [])).toEqual({ subjectIds: [a, b], isCause: false })
    expect(blameFor({ worker, jobs: [a, b, c] }, [a, b])).toEqual({ subjectIds: [a, b, c], isCause: false })
  })
})

describe('its record', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  let db: Database
  beforeAll(async () => {
    database = await createTestDatabase()
    db = openDatabase(database.url)
  })
  afterAll(async () => {
    await db.$disconnect()
    await database.drop()
  })

  it('suspects all that ran at the first end, and tells one at the second', async () => {
    await recordWorkerEnd(database.url, { worker, jobs: [a, b] })
    await recordWorkerEnd(database.url, { worker, jobs: [b, c] })
    const rows = await db.workerEnd.findMany({ select: { subjectId: true, isCause: true } })
    expect(rows).toHaveLength(3)
    expect(rows).toEqual(
      expect.arrayContaining([
        { subjectId: a, isCause: false },
        { subjectId: b, isCause: false },
        { subjectId: b, isCause: true },
      ]),
    )
    expect(await recentWorkerEnds(db)).toEqual({ count: 2, lastAt: expect.any(Date) })
  })
})
