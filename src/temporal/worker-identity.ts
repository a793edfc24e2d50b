import { hostname } from 'node:os'

const confined = ' confined'

/** The name under which Temporal lists this worker, and by which the API learns whether it confines ffmpeg. */
export function workerIdentity(isConfined: boolean): string {
  return `${process.pid}@${hostname()}${isConfined ? confined : ''}`
}

export function isConfinedWorker(identity: string | null | undefined): boolean {
  return identity?.endsWith(confined) ?? false
}
