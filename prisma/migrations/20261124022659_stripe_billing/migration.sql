-- CreateEnum
CREATE TYPE "InvoiceStatus" AS ENUM ('preparing', 'open', 'past_due', 'paid', 'void');

-- CreateTable
CREATE TABLE "billing_customers" (
    "account_id" TEXT NOT NULL,
    "customer_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_customers_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "invoices" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "status" "InvoiceStatus" NOT NULL DEFAULT 'preparing',
    "amount_cents" BIGINT NOT NULL,
    "provider_id" TEXT,
    "key_version" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "paid_at" TIMESTAMPTZ(3),

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_lines" (
    "invoice_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "month" TEXT,
    "from_micro_usd" BIGINT NOT NULL,
    "to_micro_usd" BIGINT NOT NULL,
    "amount_cents" BIGINT NOT NULL,

    CONSTRAINT "invoice_lines_pkey" PRIMARY KEY ("invoice_id","position")
);

-- CreateTable
CREATE TABLE "billing_events" (
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_events_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "billing_customers_customer_id_key" ON "billing_customers"("customer_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_provider_id_key" ON "invoices"("provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_account_id_month_key" ON "invoices"("account_id", "month");

-- CreateIndex
CREATE INDEX "billing_events_created_at_idx" ON "billing_events"("created_at");

-- AddForeignKey
ALTER TABLE "billing_customers" ADD CONSTRAINT "billing_customers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_invoice_id_fkey" FOREIGN KEY ("invoice_id") REFERENCES "invoices"("id") ON DELETE CASCADE ON UPDATE CASCADE;
