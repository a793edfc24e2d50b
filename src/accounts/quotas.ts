import { ServiceError } from '../core/errors.ts'
import type { Database, Transaction } from '../db/database.ts'
import { Prisma } from '../db/generated/client.ts'

export interface Quota {
  /** The subject of the limit, such as an account. */
  readonly subject: string
  /** The maximum within a window. */
  readonly limit: number
  readonly windowSeconds: number
}

export interface QuotaUse {
  /** False if the amount exceeds the limit; it was then not counted. */
  readonly fits: boolean
  readonly left: number
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number
}

/** A window after an attempt. Null columns: simultaneous statements used up a new window, and this one does not see its row. */
export interface QuotaRow {
  readonly fits: boolean | null
  readonly used: bigint | null
  readonly seconds: number | null
}

/** Takes the amount from the subject's quota in one statement, so that all processes agree. A window starts with its first use. */
export async function takeFromQuota(db: Database | Transaction, quota: Quota, amount = 1): Promise<QuotaUse> {
  const [row] = await db.$queryRaw<QuotaRow[]>`
    WITH payer AS (SELECT ${quota.subject} AS subject), ${takenSql(quota, amount)}
    SELECT used.* FROM payer ${joinUseSql}`
  return quotaUseOf(quota, row)
}

/** Throws `rate_limited`, with the usual message or this one, if the amount does not fit. */
export async function takeOrRefuse(db: Database | Transaction, quota: Quota, message?: string): Promise<void> {
  const { fits, resetSeconds } = await takeFromQuota(db, quota)
  if (!fits) throw new ServiceError('rate_limited', message, { retryAfterSeconds: resetSeconds })
}

type QuotaLimit = Omit<Quota, 'subject'>

/** The part `taken` of a WITH: adds the amount, a number or a column of `payer`, to the window of `payer.subject`. It has no row if the amount does not fit. Needs the part `payer`. */
export function takenSql({ limit, windowSeconds }: QuotaLimit, amount: number | Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    taken AS (
      INSERT INTO quota_windows AS old (subject, used, ends_at)
      SELECT subject, ${amount}::bigint, now() + make_interval(secs => ${windowSeconds}::int) FROM payer
      WHERE ${amount}::bigint <= ${limit}::bigint
      ON CONFLICT (subject) DO UPDATE SET
        used = CASE WHEN old.ends_at <= now() THEN excluded.used ELSE old.used + excluded.used END,
        ends_at = CASE WHEN old.ends_at <= now() THEN excluded.ends_at ELSE old.ends_at END
      WHERE old.ends_at <= now() OR old.used + excluded.used <= ${limit}::bigint
      RETURNING used, ends_at
    )`
}

/** Joins a `QuotaRow`, as `used`, to the part `payer`. */
export const joinUseSql = Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT true AS fits, used, extract(epoch FROM ends_at - now())::float8 AS seconds FROM taken
    UNION ALL
    SELECT false, used, extract(epoch FROM ends_at - now())::float8 FROM quota_windows
    WHERE quota_windows.subject = payer.subject AND NOT EXISTS (SELECT FROM taken)
  ) AS used ON true`

export function quotaUseOf({ limit, windowSeconds }: QuotaLimit, row: QuotaRow | undefined): QuotaUse {
  const { fits, used, seconds } = {
    fits: row?.fits ?? false,
    used: row?.used ?? 0n,
    seconds: row?.seconds ?? windowSeconds,
  }
  // Simultaneous statements have different start times, so the result is limited to the window.
  const resetSeconds = Math.min(Math.max(1, Math.ceil(seconds)), windowSeconds)
  return { fits, left: Math.max(0, limit - Number(used)), resetSeconds }
}

/** Ends the subject's window; its next use starts a new one. */
export async function resetQuota(db: Database, subject: string): Promise<void> {
  await db.quotaWindow.deleteMany({ where: { subject } })
}

/** Deletes up to `limit` expired windows, and returns their number. */
export async function forgetQuotaWindows(db: Database, limit: number): Promise<number> {
  // Skips locked rows, and so a window that a request begins again meanwhile.
  return db.$executeRaw`
    DELETE FROM quota_windows WHERE subject = ANY(ARRAY(
      SELECT subject FROM quota_windows WHERE ends_at < now() LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`
}
