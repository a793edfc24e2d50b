import { expect, it } from 'vitest'
import { fillers, isFillerSound } from '../../src/core/fillers.ts'

it('fillers are sounds, also where they are drawn out, and words that begin like them are not', () => {
  for (const filler of [...fillers, 'ah', 'uhhhm', 'ummm', 'errr', 'hmmmm', 'aaah'])
    expect(isFillerSound(filler)).toBe(true)
  for (const word of ['', 'a', 'i', 'umbrella', 'her', 'ham', 'uhuh']) expect(isFillerSound(word)).toBe(false)
})
