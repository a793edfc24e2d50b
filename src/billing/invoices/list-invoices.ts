import type { Database } from '../../store/database.ts'
import type { InvoiceModel } from '../../store/generated/models.ts'

/** The account's invoices, newest first. */
export async function listInvoices(db: Database, accountId: string, limit: number): Promise<InvoiceModel[]> {
  return db.invoice.findMany({ where: { accountId }, orderBy: { month: 'desc' }, take: limit })
}
