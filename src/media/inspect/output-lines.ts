import { lineReader } from '../../core/line-reader.ts'
import { unreadableStream } from './quicktime-fragments.ts'

/** What muxers and filters of ffmpeg write of a frame has 200 characters. */
const maxLineCharacters = 4 * 1024

/**
 * Parses the lines that ffmpeg writes to its output, in chunks of any length. The last one must end. Throws `processing_failed` for a
 * line that is too long to keep.
 */
export function outputLines(onLine: (line: string) => void): (chunk: Buffer) => void {
  const onLongLine = () => {
    throw unreadableStream(`a line of more than ${maxLineCharacters} characters`)
  }
  return lineReader({ maxCharacters: maxLineCharacters, onLine, onLongLine }).push
}
