import { type Cue, subRip, webVtt } from '../core/captions.ts'
import type { ExportDocument } from './export-document.ts'
import { writeFcpxml, writeFcpxmlAngles } from './fcpxml.ts'
import { warnOfChapters, writeChapters, writeCsv, writeEdl, writeFfmpegCommand, writeLabels } from './lists.ts'
import type { Multicam } from './multicam.ts'
import { writeOtio, writeOtioAngles } from './otio.ts'
import { warnOfChannels, writeXmeml } from './xmeml.ts'

export interface ExportFormat {
  /** Which programs read it. */
  readonly description: string
  readonly extension: string
  readonly contentType: string
  /** The parts of the file. Some throw `invalid_request` for too many edits. */
  readonly write: (document: ExportDocument) => Iterable<string>
  /** What its readers do not show of the document. */
  readonly warn?: (document: ExportDocument) => readonly string[]
  /** Recordings of one event, which timeline/sync placed. */
  readonly writeAngles?: (multicam: Multicam) => Iterable<string>
  /** It has what is said, if the result has that and the caller names no list. */
  readonly isCaptions?: true
  /** It says how to cut the source, so that it has the source's times. The others also annotate a file that was cut. */
  readonly isEdit?: true
  /** It can have entries as markers: of several jobs, and moments without a length. */
  readonly isMarkers?: true
}

/** Every format by the name that callers send. */
export const exportFormats = {
  csv: {
    description: 'spreadsheets',
    extension: 'csv',
    contentType: 'text/csv',
    write: writeCsv,
    isMarkers: true,
  },
  vtt: {
    description: 'captions of web players',
    extension: 'vtt',
    contentType: 'text/vtt',
    isCaptions: true,
    write: (document) => webVtt(cuesOf(document)),
  },
  srt: {
    description: 'captions',
    extension: 'srt',
    contentType: 'application/x-subrip',
    isCaptions: true,
    write: (document) => subRip(cuesOf(document)),
  },
  labels: {
    description: 'label track of Audacity',
    extension: 'txt',
    contentType: 'text/plain',
    write: writeLabels,
    isMarkers: true,
  },
  chapters: {
    description: 'chapters of YouTube',
    extension: 'txt',
    contentType: 'text/plain',
    write: writeChapters,
    warn: warnOfChapters,
    isMarkers: true,
  },
  edl: {
    description: 'CMX 3600, most editors; markers for DaVinci Resolve',
    extension: 'edl',
    contentType: 'text/plain',
    write: writeEdl,
    isEdit: true,
    isMarkers: true,
  },
  fcpxml: {
    description: 'Final Cut Pro, DaVinci Resolve',
    extension: 'fcpxml',
    contentType: 'application/xml',
    write: writeFcpxml,
    writeAngles: writeFcpxmlAngles,
    isEdit: true,
    isMarkers: true,
  },
  xmeml: {
    description: 'Premiere Pro, DaVinci Resolve',
    extension: 'xml',
    contentType: 'application/xml',
    write: writeXmeml,
    warn: warnOfChannels,
    isEdit: true,
    isMarkers: true,
  },
  otio: {
    description: 'OpenTimelineIO',
    extension: 'otio',
    contentType: 'application/json',
    write: writeOtio,
    writeAngles: writeOtioAngles,
    isEdit: true,
    isMarkers: true,
  },
  ffmpeg: {
    description: 'a command line that joins the entries',
    extension: 'sh',
    contentType: 'text/plain',
    write: writeFfmpegCommand,
    isEdit: true,
  },
} satisfies Readonly<Record<string, ExportFormat>>

function cuesOf({ entries }: ExportDocument): Cue[] {
  return entries.map(({ label: text, ...span }) => ({ ...span, text }))
}

export type ExportFormatName = keyof typeof exportFormats
export const exportFormatNames = Object.keys(exportFormats).filter((name): name is ExportFormatName =>
  Object.hasOwn(exportFormats, name),
)
export const annotationFormatNames = exportFormatNames.filter((name) => !('isEdit' in exportFormats[name]))
export const markerFormatNames = exportFormatNames.filter((name) => 'isMarkers' in exportFormats[name])
export const angleFormatNames = exportFormatNames.filter((name) => 'writeAngles' in exportFormats[name])
