// Made from the declarations of the service: `npx vitest run test/clients -u` makes it again.

import type { components } from './schema.gen.ts'

type Schemas = components['schemas']

/** The settings, the result and the job of each endpoint. */
export interface Endpoints {
  'video/clip-window': { settings: Schemas['VideoClipWindowSettings']; result: Schemas['VideoClipWindowResult']; job: Schemas['VideoClipWindowJob'] }
  'video/clip-near': { settings: Schemas['VideoClipNearSettings']; result: Schemas['VideoClipNearResult']; job: Schemas['VideoClipNearJob'] }
  'audio/detect-silence': { settings: Schemas['AudioDetectSilenceSettings']; result: Schemas['AudioDetectSilenceResult']; job: Schemas['AudioDetectSilenceJob'] }
  'audio/detect-energy': { settings: Schemas['AudioDetectEnergySettings']; result: Schemas['AudioDetectEnergyResult']; job: Schemas['AudioDetectEnergyJob'] }
  'audio/detect-laughter': { settings: Schemas['AudioDetectLaughterSettings']; result: Schemas['AudioDetectLaughterResult']; job: Schemas['AudioDetectLaughterJob'] }
  'audio/find-words': { settings: Schemas['AudioFindWordsSettings']; result: Schemas['AudioFindWordsResult']; job: Schemas['AudioFindWordsJob'] }
  'audio/semantic-chunks': { settings: Schemas['AudioSemanticChunksSettings']; result: Schemas['AudioSemanticChunksResult']; job: Schemas['AudioSemanticChunksJob'] }
  'video/best-frames': { settings: Schemas['VideoBestFramesSettings']; result: Schemas['VideoBestFramesResult']; job: Schemas['VideoBestFramesJob'] }
  'video/thumbnail-score': { settings: Schemas['VideoThumbnailScoreSettings']; result: Schemas['VideoThumbnailScoreResult']; job: Schemas['VideoThumbnailScoreJob'] }
  'video/text-frames': { settings: Schemas['VideoTextFramesSettings']; result: Schemas['VideoTextFramesResult']; job: Schemas['VideoTextFramesJob'] }
  'timeline/suggest-ranges': { settings: Schemas['TimelineSuggestRangesSettings']; result: Schemas['TimelineSuggestRangesResult']; job: Schemas['TimelineSuggestRangesJob'] }
  'timeline/find-highlights': { settings: Schemas['TimelineFindHighlightsSettings']; result: Schemas['TimelineFindHighlightsResult']; job: Schemas['TimelineFindHighlightsJob'] }
  'timeline/merge': { settings: Schemas['TimelineMergeSettings']; result: Schemas['TimelineMergeResult']; job: Schemas['TimelineMergeJob'] }
  'timeline/sync': { settings: Schemas['TimelineSyncSettings']; result: Schemas['TimelineSyncResult']; job: Schemas['TimelineSyncJob'] }
}

/** The formats of an export. */
export type ExportFormat = 'csv' | 'vtt' | 'srt' | 'labels' | 'chapters' | 'edl' | 'fcpxml' | 'xmeml' | 'otio' | 'ffmpeg'
