import { execFileSync } from 'node:child_process'
import { arch, cpus, totalmem, type } from 'node:os'

/** The machine of a bench, in words. */
export function describeMachine(ffmpegPath: string): string {
  const [version = ''] = execFileSync(ffmpegPath, ['-version'], { encoding: 'utf8' }).split(' Copyright')
  return `${cpus().length} cores (${arch()}, ${type()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${version}`
}
