import { expect, it } from 'vitest'
import { asOfStep } from '../../src/core/text.ts'

it.each([
  ['settings.captions.text: line 2', 'settings["video/clip-near"].captions.text: line 2'],
  [
    'Send start or settings.moments. Leave one out.',
    'Send start or settings["video/clip-near"].moments. Leave one out.',
  ],
  ['settings["video/clip-near"].aspect needs a picture', 'settings["video/clip-near"].aspect needs a picture'],
  ['It belongs outside settings. Move it.', 'It belongs outside settings. Move it.'],
])('%s', (message, expected) => {
  expect(asOfStep(message, 'video/clip-near')).toBe(expected)
})
