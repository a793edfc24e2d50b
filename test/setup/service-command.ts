import path from 'node:path'
import type { ToolCommand } from '../../scripts/stack/run-to-end.ts'
import { required } from './required.ts'

/** The command of a compiled process of the service, such as `api/server.ts`. */
export function serviceCommand(script: string, build: string = required('TEST_SERVICE_BUILD')): ToolCommand {
  return [process.execPath, path.join(build, script.replace(/ts$/, 'js'))]
}
