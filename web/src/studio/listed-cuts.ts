import { countOf } from '../components/format.ts'
import { firstAfter, type Span } from './spans.ts'
import type { View } from './view.ts'

const mostRows = 60

/** The cuts that the timeline shows, at most 60 of them, and which of all these are. */
export function listedCuts(cuts: readonly Span[], view: View): { listed: readonly Span[]; heading: string } {
  const inView = cuts.slice(firstAfter(cuts, view.start)).filter(({ start }) => start < view.end)
  const isAll = inView.length === cuts.length
  const of = isAll ? countOf(cuts.length, 'cut') : `${countOf(inView.length, 'cut')} in view`
  if (inView.length > mostRows)
    return { listed: inView.slice(0, mostRows), heading: `The first ${mostRows} of ${of}. Zoom in for the others.` }
  return {
    listed: inView,
    heading: isAll ? of : `${inView.length} of ${countOf(cuts.length, 'cut')}, those in view`,
  }
}
