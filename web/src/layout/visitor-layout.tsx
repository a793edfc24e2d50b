import { Outlet } from '@tanstack/react-router'
import { ProductMark } from './product-mark.tsx'

/** One narrow column, for people who are not signed in. */
export function VisitorLayout() {
  return (
    <div className="mx-auto flex min-h-dvh w-full max-w-md flex-col gap-8 px-4 py-8 sm:py-16">
      <header>
        <ProductMark />
      </header>
      <main className="rounded-xl border border-line bg-surface p-5 sm:p-8">
        <Outlet />
      </main>
    </div>
  )
}
