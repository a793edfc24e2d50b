import { frameOfTimecode, timecodeOf } from '../core/edit-rate.ts'
import { oneLine } from '../core/text.ts'
import { type Edit, type ExportDocument, editsOf } from './export-document.ts'

/** Events have numbers of three digits. */
const maxEvents = 999

/** CMX 3600. The timeline begins at hour one, as editors expect. */
export function* writeEdl(document: ExportDocument): Generator<string> {
  const edits = editsOf(document, maxEvents)
  const { rate, isDropFrame, firstFrame, title } = document
  const hour = frameOfTimecode(isDropFrame ? '01:00:00;00' : '01:00:00:00', rate)?.frame ?? 0
  const timecodes = ({ sourceStart, sourceEnd, recordStart, recordEnd }: Edit) =>
    [firstFrame + sourceStart, firstFrame + sourceEnd, hour + recordStart, hour + recordEnd]
      .map((frame) => timecodeOf(frame, rate, isDropFrame))
      .join(' ')
  const mode = isDropFrame ? 'DROP FRAME' : 'NON-DROP FRAME'
  yield `TITLE: ${oneLine(title).slice(0, 70)}\nFCM: ${mode}\n`
  for (const [index, edit] of edits.entries()) {
    const number = String(index + 1).padStart(3, '0')
    yield `\n${number}  AX       ${channels(document).padEnd(5)} C        ${timecodes(edit)}\n`
    yield `* FROM CLIP NAME: ${oneLine(document.mediaName)}\n* COMMENT: ${oneLine(edit.label)}\n`
  }
}

function channels({ picture, sound }: ExportDocument): string {
  if (!picture) return 'AA'
  return sound ? 'AA/V' : 'V'
}
