import { execFileSync } from 'node:child_process'
import path from 'node:path'

/** The paths of 73 s of speech, and of a second of it, which this cuts into `folder`. */
export function prepareSounds(ffmpegPath: string, root: string, folder: string) {
  const speech = path.join(root, 'test', 'fixtures', 'speech.wav')
  const second = path.join(folder, 'second.wav')
  execFileSync(ffmpegPath, ['-nostdin', '-v', 'error', '-ss', '10', '-t', '1', '-i', speech, second])
  return { speech, second }
}
