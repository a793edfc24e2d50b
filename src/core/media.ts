/** The accepted file name extensions and their content types. */
export const contentTypes = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  m4v: 'video/x-m4v',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  // Opus in Ogg (RFC 7845, 9).
  opus: 'audio/ogg',
  flac: 'audio/flac',
  aiff: 'audio/aiff',
  amr: 'audio/amr',
  mkv: 'video/matroska',
  mka: 'audio/matroska',
} as const

/** The pictures that can be uploaded, with their content types. */
export const pictureTypes = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' } as const

export type PictureFormat = keyof typeof pictureTypes

export function isPictureFormat(value: string): value is PictureFormat {
  return Object.hasOwn(pictureTypes, value)
}

/** A camera's largest JPEGs are smaller. */
export const maxPictureBytes = 32 * 1024 ** 2

/** The longest signature: RIFF, a length, WEBP. */
export const pictureHeadBytes = 12

/** The format of a picture by its first bytes. */
export function pictureFormatOf(head: Buffer): PictureFormat | undefined {
  const text = head.toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  return /^RIFF....WEBP/s.test(text) ? 'webp' : undefined
}

/** The fonts that can be uploaded, with their content types. */
export const fontTypes = { ttf: 'font/ttf', otf: 'font/otf' } as const

export type FontFormat = keyof typeof fontTypes

export function isFontFormat(value: string): value is FontFormat {
  return Object.hasOwn(fontTypes, value)
}

/** The content type of posters. */
export const posterContentType = 'image/jpeg'

/** The content type of waveform previews. */
export const previewContentType = 'image/svg+xml'

export type MediaFormat = keyof typeof contentTypes

export const mediaFormats = Object.keys(contentTypes).filter(isMediaFormat)

export function isMediaFormat(value: string): value is MediaFormat {
  return Object.hasOwn(contentTypes, value)
}

/** Longer stretches of sound are measured in parts, on every worker, and the pieces are stored until the job ends. */
export const longListeningSeconds = 30 * 60

/** "mp4, mov, …", for messages. */
export const acceptedFormats = mediaFormats.join(', ')

/** Formats of media that clips cannot have. MP4 and M4A hold what Matroska does, and play in more places; nothing here encodes AMR. */
const inputFormats = ['mkv', 'mka', 'amr'] as const

export type ClipFormat = Exclude<MediaFormat, (typeof inputFormats)[number]>

export const clipFormats = mediaFormats.filter((format): format is ClipFormat => !isInputFormat(format))

/** The format of a clip whose settings name none. Ogg with a picture is old, and clips in Ogg have sound alone. */
export function clipFormatOf({ format, video }: Pick<MediaInfo, 'format' | 'video'>): ClipFormat {
  if (video && format === 'ogg') return 'mp4'
  if (!isInputFormat(format)) return format
  return format === 'mkv' ? 'mp4' : 'm4a'
}

function isInputFormat(format: MediaFormat): format is (typeof inputFormats)[number] {
  return inputFormats.some((each) => each === format)
}

export interface AudioTrack {
  readonly codec: string
  readonly sampleRate: number
  readonly channels: number
  /** ffmpeg's name for where its channels are heard, such as `5.1(side)`. Not given if the file does not say. */
  readonly layout?: string | undefined
  readonly isDefault: boolean
  /** When its last packet ends, as its container states it. Not known of media that an earlier version inspected. */
  readonly endSeconds?: number | undefined
  /** How long before the media's 0 its file begins, with sound that nobody plays. Not given if it begins at 0 or later. */
  readonly earlySeconds?: number | undefined
  /** It has no packet that can be read, or its codec cannot be decoded and that of another track can. */
  readonly isEmpty?: boolean | undefined
}

/** What ffmpeg does not know, such as the spatial sound that phones record beside stereo, and what it knows by name only. */
export function isUndecodableSound(codec: string): boolean {
  return /^(unknown|ac4|mpegh_3d_audio)$/.test(codec)
}

/** Why a track is empty, and what to do. */
export const whyEmpty =
  'the file has a description, but no data of what it describes. The data may lie in another file, to which this one only refers, or in the other segments of a stream. Export the media as one self-contained file, and use that.'

export const firstFields = ['upper', 'lower'] as const
export type FirstField = (typeof firstFields)[number]

/** Audio tracks that a caller chose: the default one, all, or that with this index. */
export type AudioTrackChoice = 'default' | 'all' | number

export interface VideoTrack {
  readonly codec: string
  /** Pixels as shown, after rotation. */
  readonly width: number
  readonly height: number
  /** Average frames per second. */
  readonly frameRate: number
  readonly hasVariableFrameRate: boolean
  /** The rate at which frames were taken, of which some can be left out. Not known of media that an earlier version inspected. */
  readonly nominalFrameRate?: number | undefined
  /** The width of a pixel as shown, divided by its height. Not given for square pixels. */
  readonly pixelAspect?: { readonly across: number; readonly down: number } | undefined
  /** The field of a frame that is shown first. Not given for frames without fields. */
  readonly firstField?: FirstField | undefined
  /** When its first frame is shown, on the clock where the media starts at 0. Not given for 0. */
  readonly startSeconds?: number | undefined
  /** Among the video streams of the file, with cover art. Not given for the first, and of media that an earlier version inspected. */
  readonly trackIndex?: number | undefined
}

/** When a recording starts on the clock of its device. It may have no timecode, or the other clock of sound recorders. */
export interface RecordedStart {
  /** Of the first frame, as in the file: `01:00:00:00`, with `;` before dropped frames. It can be any text. */
  readonly timecode?: string | undefined
  /** The frames that it counts in a second: 30 for 29.97. */
  readonly timecodeBase?: number | undefined
  readonly secondsSinceMidnight?: number | undefined
}

/** The result of an inspection. Times count from 0 at the start of the media. Cover art is not a video track. */
export interface MediaInfo extends RecordedStart {
  readonly format: MediaFormat
  readonly durationSeconds: number
  readonly bytes: number
  /** The first eight at most. */
  readonly audio: readonly AudioTrack[]
  /** The number of further audio tracks, which are not read. */
  readonly unreadAudioTracks?: number | undefined
  readonly video: VideoTrack | null
}

/** The highest true peak of a file whose loudness is set (EBU R 128). */
export const maxTruePeakDbtp = -1

/** The linear amplitude of a level from a caller: 0 or below is dBFS, above 0 up to 1 is linear amplitude. */
export function toAmplitude(level: number): number {
  return level <= 0 ? 10 ** (level / 20) : level
}

/** dBFS of a linear amplitude, at least −120, which stands for digital silence. */
export function toDbfs(amplitude: number): number {
  return amplitude <= 1e-6 ? -120 : 20 * Math.log10(amplitude)
}

/** The index of the audio track that is heard where none is named. */
export function defaultTrackOf({ audio }: Pick<MediaInfo, 'audio'>): number {
  return Math.max(
    0,
    audio.findIndex(({ isDefault }) => isDefault),
  )
}
