import { StringDecoder } from 'node:string_decoder'

export interface LineReaderInput {
  /** A longer line is not kept. */
  readonly maxCharacters: number
  /** Receives lines without their ends. */
  readonly onLine: (line: string) => void
  /** Receives the start of a line that is too long, whose rest is skipped. It can throw. */
  readonly onLongLine: (start: string) => void
}

export interface LineReader {
  readonly push: (chunk: Buffer) => void
  /** Passes on what follows the last end of a line. */
  readonly end: () => void
}

/** Splits UTF-8 into lines, in chunks of any length. Keeps at most one line of `maxCharacters`. */
export function lineReader({ maxCharacters, onLine, onLongLine }: LineReaderInput): LineReader {
  const decoder = new StringDecoder('utf8')
  let begun = ''
  let isSkipped = false
  const add = (part: string) => {
    if (isSkipped) return
    begun += part
    if (begun.length <= maxCharacters) return
    const start = begun.slice(0, maxCharacters)
    begun = ''
    isSkipped = true
    onLongLine(start)
  }
  const endLine = () => {
    const [line, isWhole] = [begun, !isSkipped]
    begun = ''
    isSkipped = false
    if (isWhole) onLine(line)
  }
  return {
    push: (chunk) => {
      // Only what arrives is searched for ends of lines, so that a line in many chunks is not searched again for each.
      const [first = '', ...others] = decoder.write(chunk).split('\n')
      add(first)
      for (const part of others) {
        endLine()
        add(part)
      }
    },
    end: () => {
      add(decoder.end())
      if (begun !== '') endLine()
    },
  }
}
