import { z } from 'zod'
import { microUsd } from '../../core/money.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { clipSettings, mediaSeconds, receipt } from '../fields.ts'
import { windowMilliseconds } from '../job-window.ts'

export const clipWindowSettings = z.object(clipSettings)

export const clipWindow = defineEndpoint({
  id: 'video/clip-window',
  summary: 'Cut the window from start to end into a clip, exact to the frame.',
  description:
    'The clip holds the frames that are shown between start and end, and the audio of the same window. Audio files are cut too.',
  needs: {},
  settings: clipWindowSettings,
  laterSettings: ['ranges', 'ranges_mode', 'join'],
  result: z.object({ media_seconds: mediaSeconds, receipt }),
  producesFiles: true,
  price: { unit: 'output_minute', rateMicroUsdPerMinute: microUsd(10_000) },
  example: { start: 12.5, end: '00:00:20', settings: { format: 'mp4' } },
  billableMilliseconds: (window, _settings, length) => windowMilliseconds(window, length),
  run: () => import('./run.ts'),
})
