import { leadBudget } from '../../src/media/clip/lead-budget.ts'
import { copyBudget } from '../../src/media/copying/copy-bounds.ts'

/** What the clips of tests have in common: all but their source, their times, their file and the tools. */
export function plainClip() {
  return {
    quality: 'fast',
    audioOnly: false,
    fadeSeconds: 0.005,
    loudnessLufs: null,
    leadBudget: leadBudget(0),
    copyBudget: copyBudget(0),
    signal: new AbortController().signal,
    onProgress: () => {},
  } as const
}
