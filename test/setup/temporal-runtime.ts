import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker'

let isInstalled = false

/** Makes the workers of this process log errors only: tests want refusals that are warnings. A process has one runtime. */
export function quietTemporalRuntime(): void {
  if (isInstalled) return
  isInstalled = true
  const filter = makeTelemetryFilterString({ core: 'ERROR' })
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter } } })
}
