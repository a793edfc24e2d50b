import path from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const executablePath = process.env['CHROMIUM_PATH'] ?? ''

/** Why tests in a browser are skipped; undefined if they run. */
export const noChromium: string | undefined = executablePath
  ? undefined
  : 'Chromium could not be fetched: Linux on x64 with npm is needed, or CHROMIUM_PATH'

export function launchChromium(): Promise<Browser> {
  const folder = path.dirname(executablePath)
  return chromium.launch({
    executablePath,
    // As root, Chromium has no sandbox. It opens pages of this test run only.
    args: ['--no-sandbox'],
    env: { ...process.env, LD_LIBRARY_PATH: path.join(folder, 'lib'), FONTCONFIG_PATH: folder },
  })
}
